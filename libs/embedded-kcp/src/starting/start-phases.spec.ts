import { describe, expect, it } from '@jest/globals';
import { delayOf } from '../background/delays.js';
import { answerWhileStarting, type Door, type StartAnswer } from './start-phases.js';

const pause = (name: Parameters<typeof delayOf>[0]): number => delayOf(name, 'real');

/** What is said in each second of a start; `served` from the first second that is not listed on. */
function story(door: Door, isMasters: boolean): readonly (readonly [number, StartAnswer])[] {
  const told: [number, StartAnswer][] = [];
  for (let second = 7; second <= 60; second += 1) {
    const answer = answerWhileStarting(second * 1_000, door, { isMasters, pause });
    if (told.at(-1)?.[1] !== answer) told.push([second, answer]);
  }
  return told;
}

describe(answerWhileStarting, () => {
  it.each<{ given: string; door: Door; isMasters: boolean; expected: readonly (readonly [number, StartAnswer])[] }>([
    {
      given: 'a path',
      door: { by: 'path' },
      isMasters: false,
      expected: [
        [7, 'workspace-not-found'],
        [40, 'served'],
      ],
    },
    {
      given: 'a path, of masters',
      door: { by: 'path' },
      isMasters: true,
      expected: [
        [7, 'workspace-not-found'],
        [40, 'served'],
      ],
    },
    {
      given: 'a name and a built-in type',
      door: { by: 'name', type: 'builtin' },
      isMasters: false,
      expected: [
        [7, 'access-denied'],
        [25, 'served'],
      ],
    },
    {
      given: 'a name and a bound type',
      door: { by: 'name', type: 'bound' },
      isMasters: false,
      expected: [
        [7, 'access-denied'],
        [25, 'page-not-found'],
        [32, 'served'],
      ],
    },
    { given: 'a name and a built-in type, of masters', door: { by: 'name', type: 'builtin' }, isMasters: true, expected: [[7, 'served']] },
    {
      given: "a name and one of kcp's own types, of masters",
      door: { by: 'name', type: 'system' },
      isMasters: true,
      expected: [
        [7, 'no-paths-yet'],
        [11, 'served'],
      ],
    },
    {
      given: 'a name and a bound type, of masters',
      door: { by: 'name', type: 'bound' },
      isMasters: true,
      expected: [
        [7, 'no-paths-yet'],
        [11, 'page-not-found'],
        [32, 'served'],
      ],
    },
    {
      given: 'one workspace in a view',
      door: { by: 'view', target: 'one' },
      isMasters: false,
      expected: [
        [7, 'export-not-found'],
        [27, 'access-denied'],
        [32, 'page-not-found'],
        [43, 'served'],
      ],
    },
    {
      given: 'all workspaces in a view',
      door: { by: 'view', target: 'all' },
      isMasters: false,
      expected: [
        [7, 'access-denied'],
        [25, 'export-not-found'],
        [27, 'page-not-found'],
        [43, 'served'],
      ],
    },
    {
      given: 'a view, of masters',
      door: { by: 'view', target: 'one' },
      isMasters: true,
      expected: [
        [7, 'page-not-found'],
        [43, 'served'],
      ],
    },
  ])('given $given, then it answers as a real kcp does in its time', ({ door, isMasters, expected }) => {
    expect(story(door, isMasters)).toEqual(expected);
  });
});
