import { describe, expect, it } from '@jest/globals';
import { createRegistry, effectiveRules, type RuleMatch } from './index.js';
import { cluster, guard, path, ruleAbout } from './testing/builders.js';

const network = cluster('network');
const compute = cluster('compute');
const strange = cluster('strange');

describe(effectiveRules, () => {
  it('given paths that name a workspace, none, and one that nobody could resolve, then each rule is in one of the three', () => {
    const { reader, writer } = createRegistry();
    writer.workspaceApplied('s0', { cluster: network, path: path('root:network') });
    writer.pathResolved(path('root:gone'), 'missing');
    const rules = ['network', 'gone', 'unknown'].map((name) => ruleAbout(`root:${name}`, { name }));

    const effective = effectiveRules({ rules, guards: new Map(), paths: reader.paths });

    expect([...effective.guarded].map(([name, { matches }]) => [name, namesOf(matches)])).toEqual([['network', ['network']]]);
    expect(namesOf(effective.missing)).toEqual(['gone']);
    expect(namesOf(effective.unresolved)).toEqual(['unknown']);
  });

  it.each([
    { given: 'whose own path nobody knows', from: strange, consented: 'root:a', expected: true },
    { given: 'whose own path is spelled in another way', from: compute, consented: 'root:a', expected: true },
    { given: 'that has another path from the root', from: network, consented: 'root:a', expected: false },
    {
      given: 'that has a path from the root, where the consented one is spelled otherwise',
      from: network,
      consented: 'user:a',
      expected: true,
    },
  ])('given consent for a path that nobody could resolve, then a rule of a workspace $given is admitted: $expected', (row) => {
    const { reader, writer } = createRegistry();
    writer.workspaceApplied('s0', { cluster: network, path: path('root:network') });
    writer.workspaceApplied('s0', { cluster: compute, path: path('user:compute') });
    const guarded = cluster('guarded');
    const guards = new Map([[guarded, guard({ cluster: guarded, allowRulesFrom: [path(row.consented)] })]]);
    const rules = [ruleAbout('guarded', { cluster: row.from })];

    const { matches, refused } = effectiveRules({ rules, guards, paths: reader.paths }).guarded.get(guarded) ?? {};

    expect([matches?.length, refused?.length]).toEqual(row.expected ? [1, 0] : [0, 1]);
  });
});

function namesOf(matches: readonly RuleMatch[]): readonly string[] {
  return matches.map(({ rule }) => rule.name);
}
