import { describe, expect, it } from '@jest/globals';
import { GROUP_RESOURCE_MAX_LENGTH, RESOURCE_GRAMMAR, STRICT_PATH_GRAMMAR, problemOfName } from './name-grammar.js';

describe(problemOfName, () => {
  it.each([
    ['root', true],
    ['root:a-b:0c', true],
    [`root:${'a'.repeat(63)}`, true],
    [`root:${'a'.repeat(64)}`, false],
    ['root:a-', false],
    ['-a', false],
    ['root::a', false],
    ['root:A', false],
    ['', false],
  ])('given "%s", then it is a path as kcp has them: %s', (text, expected) => {
    expect(problemOfName(text, STRICT_PATH_GRAMMAR) === undefined).toBe(expected);
  });

  it('given a text that is no path, then it says what a path is', () => {
    expect(problemOfName('A', STRICT_PATH_GRAMMAR)).toBe('expected a workspace path, such as "root:providers:network", found "A"');
  });

  it('given a name that is too long, then only that is said', () => {
    expect(problemOfName('A'.repeat(64), RESOURCE_GRAMMAR)).toBe('is 64 characters long, at most 63 are allowed');
  });
});

describe('GROUP_RESOURCE_MAX_LENGTH', () => {
  it('given the longest group and resource, then they fit with the dot between them', () => {
    expect(GROUP_RESOURCE_MAX_LENGTH).toBe(`${'r'.repeat(63)}.${'g'.repeat(253)}`.length);
  });
});
