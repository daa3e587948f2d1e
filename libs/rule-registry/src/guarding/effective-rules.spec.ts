import { describe, expect, it } from '@jest/globals';
import { createRegistry, effectiveRules, type RuleMatch } from '../index.js';
import { cluster, guard, path, ruleAbout, ruleRef } from '../testing/builders.js';

const network = cluster('network');
const compute = cluster('compute');

describe(effectiveRules, () => {
  it('given paths that name a workspace, none, and one that nobody could resolve, then each rule is in one of the three', () => {
    const { reader, writer } = createRegistry();
    writer.pathResolved(path('root:network'), network);
    writer.pathResolved(path('root:gone'), 'missing');
    const rules = ['network', 'gone', 'unknown'].map((name) => ruleAbout(`root:${name}`, { name }));

    const effective = effectiveRules({ rules, guards: new Map(), paths: reader.paths });

    expect([...effective.guarded].map(([name, { matches }]) => [name, namesOf(matches)])).toEqual([['network', ['network']]]);
    expect(namesOf(effective.missing)).toEqual(['gone']);
    expect(namesOf(effective.unresolved)).toEqual(['unknown']);
  });

  it.each([
    { given: 'a path that names its workspace', consented: ['root:compute'], expected: true },
    { given: 'a path that names another workspace', consented: ['root:network'], expected: false },
    { given: 'a path that names none', consented: ['root:gone'], expected: false },
    { given: 'a path that nobody could resolve', consented: ['root:unknown'], expected: false },
    {
      given: 'a path that nobody could resolve, while the status names the rule',
      consented: ['root:unknown'],
      named: true,
      expected: true,
    },
    {
      given: 'a path that names another workspace, although the status names the rule',
      consented: ['root:network'],
      named: true,
      expected: false,
    },
  ])('given consent for $given, then the rule is admitted: $expected', ({ consented, named = false, expected }) => {
    const { reader, writer } = createRegistry();
    writer.pathResolved(path('root:network'), network);
    writer.pathResolved(path('root:compute'), compute);
    writer.pathResolved(path('root:gone'), 'missing');
    const guarded = cluster('guarded');
    const ruleRefs = named ? [ruleRef('compute')] : [];
    const guards = new Map([[guarded, guard({ cluster: guarded, allowRulesFrom: consented.map(path), ruleRefs })]]);

    const { matches, refused } = effectiveRules({ rules: [ruleAbout('guarded')], guards, paths: reader.paths }).guarded.get(guarded) ?? {};

    expect([matches?.length, refused?.length]).toEqual(expected ? [1, 0] : [0, 1]);
  });
});

function namesOf(matches: readonly RuleMatch[]): readonly string[] {
  return matches.map(({ rule }) => rule.name);
}
