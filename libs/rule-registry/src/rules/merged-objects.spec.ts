import { describe, expect, it } from '@jest/globals';
import { MergedObjects, type Versioned } from './merged-objects.js';

interface Thing extends Versioned {
  readonly text: string;
}

const thing = (text: string, generation = 1, uid = 'u'): Thing => ({ text, generation, uid });
const merged = () => new MergedObjects<string, Thing>((a, b) => a.text === b.text);

describe(MergedObjects, () => {
  it.each([
    { given: 'a later generation', one: thing('old', 1, 'v'), other: thing('new', 2, 'u') },
    { given: 'another uid of the same generation', one: thing('old', 1, 'u'), other: thing('new', 1, 'v') },
  ])('given two endpoints and $given, then the same one wins, whichever endpoint has it and whichever came last', ({ one, other }) => {
    for (const [first, second] of [
      ['s0', 's1'],
      ['s1', 's0'],
    ] as const) {
      for (const order of [
        [one, other],
        [other, one],
      ]) {
        const objects = merged();
        for (const each of order) objects.set(each === one ? first : second, 'k', each);

        expect(objects.view.get('k')).toBe(other);
      }
    }
  });

  it('given the same version from two endpoints, then the endpoint with the later name wins, whichever came last', () => {
    const forth = merged();
    const back = merged();

    forth.set('s0', 'k', thing('a'));
    forth.set('s1', 'k', thing('b'));
    back.set('s1', 'k', thing('b'));
    back.set('s0', 'k', thing('a'));

    expect([forth.view.get('k'), back.view.get('k')]).toEqual([thing('b'), thing('b')]);
  });

  it('given writes that readers cannot tell from what was there, then nothing changed', () => {
    const objects = merged();
    const known = thing('a');
    const first = objects.set('s0', 'k', known);

    expect(first).toEqual([{ before: undefined, after: known }]);
    expect(objects.set('s0', 'k', known)).toEqual([]);
    expect(objects.set('s0', 'k', thing('a', 2))).toEqual([]);
    expect(objects.set('s1', 'k', thing('b', 1))).toEqual([]);
    expect(objects.delete('s0', 'other')).toEqual([]);
    expect(objects.delete('nobody', 'k')).toEqual([]);
  });

  it('given a second object of an endpoint, then the first stays', () => {
    const objects = merged();

    objects.set('s0', 'k', thing('a'));
    objects.set('s0', 'l', thing('b'));

    expect([...objects.of('s0').keys()]).toEqual(['k', 'l']);
    expect(objects.replace('s0', new Map([['l', thing('b')]]))).toEqual([{ before: thing('a'), after: undefined }]);
  });
});
