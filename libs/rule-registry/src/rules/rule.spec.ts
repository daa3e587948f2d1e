import { describe, expect, it } from '@jest/globals';
import { cluster, dependencySpec, rule } from '../testing/builders.js';
import { compareMatches, ruleKeyOf, type RuleMatch } from './rule.js';

describe(ruleKeyOf, () => {
  it('given a cluster and a name, then the key has both', () => {
    expect(ruleKeyOf(cluster('c1'), 'vms')).toBe('c1/vms');
  });
});

describe(compareMatches, () => {
  it('given matches of two rules, then rules come in the order of their keys, and their dependencies as they stand', () => {
    const expected = ['a/x 0', 'a/x 1', 'b/w 0', 'b/w 1'];
    const [a, b] = [matchesOf('a', 'x'), matchesOf('b', 'w')];

    for (const matches of [[...a, ...b], [...b, ...a], [...a, ...b].toReversed()])
      expect(matches.toSorted(compareMatches).map((match) => `${match.rule.key} ${match.dependency.index}`)).toEqual(expected);
  });

  it('given a match and itself, then neither is first', () => {
    for (const match of matchesOf('a', 'x')) expect(compareMatches(match, match)).toBe(0);
  });
});

/** A rule and each of its two dependencies. */
function matchesOf(workspace: string, name: string): readonly RuleMatch[] {
  const dependencies = [dependencySpec(), dependencySpec({ fieldRef: { path: '.spec.otherRef.name' } })] as const;
  const made = rule({ dependencies }, { cluster: workspace, name });
  return made.dependencies.map((dependency) => ({ rule: made, dependency }));
}
