import { describe, expect, it } from '@jest/globals';
import { createRegistry, reportRule, ruleKeyOf } from '../index.js';
import { cluster, rule, ruleAbout, ruleObject } from '../testing/builders.js';

const compute = cluster('compute');

describe('how many rules a workspace has', () => {
  it('given rules of two workspaces, shown by two endpoints, then each counts once, in its own; one with problems counts too', () => {
    const { reader, writer } = createRegistry();

    writer.rulesListed('s0', [rule({}, { name: 'a' }), rule({}, { name: 'b' }), rule({}, { cluster: 'other' })]);
    writer.rulesListed('s1', [rule({}, { name: 'a' })]);
    writer.ruleApplied('s0', reportRule(compute, ruleObject({}, { name: 'broken' })));

    expect([compute, cluster('other'), cluster('none')].map((each) => reader.ruleCountOf(each))).toEqual([3, 1, 0]);
  });

  it('given a rule that changes, goes and comes again, then the count follows', () => {
    const { reader, writer } = createRegistry();
    const counts: number[] = [];
    const note = (): void => void counts.push(reader.ruleCountOf(compute));

    writer.ruleApplied('s0', ruleAbout('root:a'));
    note();
    writer.ruleApplied('s0', ruleAbout('root:b', { generation: 2 }));
    note();
    writer.ruleRemoved('s0', ruleKeyOf(compute, 'vm-dependencies'));
    note();
    writer.rulesListed('s0', [ruleAbout('root:b', { uid: 'other' })]);
    note();

    expect(counts).toEqual([1, 1, 0, 1]);
  });
});
