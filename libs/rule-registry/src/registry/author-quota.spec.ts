import { describe, expect, it } from '@jest/globals';
import { createRegistry, MOST_RULES, reportRule, ruleKeyOf, type QuotaExcess, type RegistryReader, type Rule } from '../index.js';
import { cluster, path, ruleAbout, ruleObject } from '../testing/builders.js';

const VPCS = { group: 'network.example.com', resource: 'vpcs' };

describe('the quota of an author', () => {
  it('given more rules of one author than are in force, then the oldest count, and nobody else loses one', () => {
    const { reader } = listed([...rulesOf('a', MOST_RULES + 1).toReversed(), ...rulesOf('b', 1, { from: 500 })]);

    const { matches } = reader.guarding(cluster('network'), VPCS, new Set(['a', 'b'].map(cluster)));

    expect(matches.filter(({ rule }) => rule.cluster === 'a')).toHaveLength(MOST_RULES);
    expect(matches.filter(({ rule }) => rule.cluster === 'b')).toHaveLength(1);
    expect(reader.snapshot().overQuota).toEqual([`a/r${MOST_RULES}`]);
    expect(reader.isOverQuota(ruleKeyOf(cluster('a'), `r${MOST_RULES}`))).toBe(true);
    expect(reader.excessOf(ruleAbout('root:b', { cluster: 'a' }), { isNew: true })).toEqual({ of: 'rules', count: MOST_RULES + 1 });
  });

  it('given a rule over the quota, when an older one goes, then it is in force, and both are touched', () => {
    const { reader, writer } = listed(rulesOf('a', MOST_RULES + 1));

    const { rules } = writer.ruleRemoved('s0', ruleKeyOf(cluster('a'), 'r0'));

    expect(reader.isOverQuota(ruleKeyOf(cluster('a'), `r${MOST_RULES}`))).toBe(false);
    expect(rules).toEqual(new Set(['a/r0', `a/r${MOST_RULES}`]));
  });

  it('given rules of the same second, then names decide', () => {
    const same = rulesOf('a', MOST_RULES + 1).map((each) => ({ ...each, createdAt: second(0) }));

    const { reader } = listed(same.toReversed());

    expect(reader.snapshot().overQuota).toEqual(['a/r99']);
  });

  it('given as many rules as are in force, shown by two endpoints, one of them broken, then each counts once, and only for its author', () => {
    const rules = rulesOf('a', MOST_RULES - 1);
    const { reader, writer } = listed(rules);

    writer.rulesListed('s1', rules.slice(0, 5));
    expect(excessOf(reader, 'a')).toBeUndefined();
    writer.ruleApplied('s0', reportRule(cluster('a'), ruleObject({}, { cluster: 'a', name: 'broken' })));

    expect([excessOf(reader, 'a'), excessOf(reader, 'b')]).toEqual([{ of: 'rules', count: MOST_RULES }, undefined]);
  });

  it('given a full workspace, then a rule that changes counts as before, and one that goes makes room until it comes again', () => {
    const rules = rulesOf('a', MOST_RULES);
    const [first] = rules as [Rule, ...Rule[]];
    const { reader, writer } = listed(rules);
    const counts: unknown[] = [];
    const note = (): void => void counts.push(excessOf(reader, 'a')?.count);

    writer.ruleApplied('s0', { ...first, generation: 2 });
    note();
    writer.ruleRemoved('s0', first.key);
    note();
    writer.rulesListed('s0', [...rules.slice(1), { ...first, uid: 'other' }]);
    note();

    expect(counts).toEqual([MOST_RULES, undefined, MOST_RULES]);
  });
});

/** What one more rule of an author would be too much of. */
function excessOf(reader: RegistryReader, author: string): QuotaExcess | undefined {
  return reader.excessOf(ruleAbout('root:network', { cluster: author, name: 'one-more' }), { isNew: true });
}

/** A registry that one endpoint has shown these rules, where the workspace that they guard is bound. */
function listed(rules: readonly Rule[]) {
  const registry = createRegistry();
  registry.writer.pathResolved(path('root:network'), cluster('network'));
  registry.writer.endpointsRead(['s0']);
  registry.writer.workspacesListed('s0', [cluster('network'), cluster('compute')]);
  registry.writer.guardsListed('s0', []);
  registry.writer.rulesListed('s0', rules);
  return registry;
}

function rulesOf(author: string, count: number, { from = 0 } = {}): Rule[] {
  return Array.from({ length: count }, (_, index) =>
    ruleAbout('root:network', { cluster: author, name: `r${from + index}`, createdAt: second(from + index) }),
  );
}

function second(of: number): string {
  return new Date(of * 1_000).toISOString();
}
