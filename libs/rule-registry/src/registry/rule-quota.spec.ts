import { describe, expect, it } from '@jest/globals';
import { workspacePath } from '@dep-ctrl/kcp-names';
import { cluster, ruleAbout } from '../testing/builders.js';
import { MOST_NAMED, MOST_RULES } from '../rules/bounds.js';
import type { Rule } from '../rules/rule.js';
import { reportRule } from '../parsing/rule-report.js';
import { RuleQuota } from './rule-quota.js';

const author = cluster('compute');
const one = ruleAbout('root:a', { name: 'one' });

describe(RuleQuota, () => {
  it('given nothing of an author, then none of its rules is in force', () => {
    const quota = new RuleQuota();

    expect([quota.isInForce(one), [...quota.inForce()], quota.excessOf(one, { isNew: true })]).toEqual([false, [], undefined]);
    expect(quota.weigh(author)).toEqual({ left: [], entered: [] });
  });

  it('given a rule that comes, changes and goes, then it enters, leaves and enters, and leaves', () => {
    const quota = new RuleQuota();
    const changed = { ...one, generation: 2 };

    quota.take(author, one.key, one);
    expect([quota.weigh(author), quota.isInForce(one)]).toEqual([{ left: [], entered: [one] }, true]);
    quota.take(author, one.key, changed);
    expect([quota.weigh(author), quota.weigh(author)]).toEqual([
      { left: [one], entered: [changed] },
      { left: [], entered: [] },
    ]);
    quota.take(author, one.key, undefined);
    expect([quota.weigh(author), quota.isInForce(one)]).toEqual([{ left: [changed], entered: [] }, false]);
  });

  it('given more rules than may be in force, then the oldest are, and of those of one second the first by name', () => {
    const quota = new RuleQuota();
    const age = (at: number): string => `2026-01-01T00:00:${String(at).padStart(2, '0')}Z`;
    const late = ruleAbout('root:a', { name: 'a', createdAt: age(9) });
    const [x, y] = ['x', 'y'].map((name) => ruleAbout('root:a', { name, createdAt: age(5) })) as [typeof one, typeof one];
    const old = Array.from({ length: MOST_RULES - 1 }, (_, at) => ruleAbout('root:a', { name: `z${String(at)}`, createdAt: age(1) }));

    for (const rule of [late, y, x, ...old]) quota.take(author, rule.key, rule);
    quota.weigh(author);

    expect([late, x, y, old[0]!].map((rule) => quota.isInForce(rule))).toEqual([false, true, false, true]);
    expect([...quota.inForce()]).toHaveLength(MOST_RULES);
  });

  it('given rules that name more workspaces together than one author may, then those are in force, oldest first, that name no more', () => {
    const quota = new RuleQuota();
    const rules = [
      naming('1', 0, MOST_NAMED - 2),
      naming('2', MOST_NAMED - 2, 3),
      naming('3', MOST_NAMED - 4, 4),
      naming('4', 0, MOST_NAMED),
      naming('5', MOST_NAMED, 1),
    ];

    const unreadable = reportRule(author, { metadata: { name: '6', creationTimestamp: '2026-01-01T00:00:06Z' } });

    for (const rule of [unreadable, ...rules.toReversed()]) quota.take(author, rule.key, rule);
    quota.weigh(author);

    expect(rules.map((rule) => quota.isInForce(rule))).toEqual([true, false, true, true, false]);
    expect(quota.isInForce(unreadable)).toBe(true);
  });

  it('given as many rules as may be in force, then a new one is too much, and an edit is not', () => {
    const quota = new RuleQuota();
    const rules = Array.from({ length: MOST_RULES }, (_, at) => ruleAbout('root:a', { name: `r${String(at)}` }));
    const excesses = (written: Rule) => [true, false].map((isNew) => quota.excessOf(written, { isNew }));

    for (const rule of rules.slice(1)) quota.take(author, rule.key, rule);
    quota.weigh(author);
    expect(excesses(one)).toEqual([undefined, undefined]);
    for (const rule of rules.slice(0, 1)) quota.take(author, rule.key, rule);
    quota.weigh(author);

    expect(excesses(one)).toEqual([{ of: 'rules', count: MOST_RULES }, undefined]);
    expect(excesses(ruleAbout('root:b', { cluster: 'other' }))).toEqual([undefined, undefined]);
  });

  it.each([
    { given: 'a new rule that names the last one left', written: naming('3', MOST_NAMED - 1, 1), expected: undefined },
    { given: 'a new rule that names what others name', written: naming('3', 0, 40), expected: undefined },
    { given: 'a new rule that names one more', written: naming('3', MOST_NAMED - 1, 2), expected: MOST_NAMED + 1 },
    { given: 'an edit that names others instead', written: naming('2', 1_000, 2), expected: undefined },
    { given: 'an edit that names more than are left', written: naming('2', 1_000, 4), expected: MOST_NAMED + 1 },
    { given: 'an edit of one over the quota that names as many as before', written: naming('9', 100, MOST_NAMED), expected: undefined },
    { given: 'an edit of one over the quota that names fewer', written: naming('9', 100, MOST_NAMED - 1), expected: undefined },
    { given: 'an edit of one over the quota that names another', written: naming('9', 99, MOST_NAMED), expected: MOST_NAMED + 99 },
  ])('given $given, then what it is too much of is told at the door', ({ written, expected }) => {
    const quota = new RuleQuota();
    for (const rule of [naming('1', 0, MOST_NAMED - 3), naming('2', MOST_NAMED - 3, 2), naming('9', 100, MOST_NAMED)]) {
      quota.take(author, rule.key, rule);
    }
    quota.weigh(author);
    const isNew = written.name === '3';

    expect(quota.excessOf(written, { isNew })).toEqual(expected === undefined ? undefined : { of: 'workspaces', count: expected });
  });
});

/** A rule of second `name`, whose dependencies name the workspaces w`from`, w`from + 1` and so on. */
function naming(name: string, from: number, count: number): Rule {
  const about = ruleAbout('root:a', { name, createdAt: `2026-01-01T00:00:0${name}Z` });
  const [dependency] = about.dependencies;
  const [first, ...others] = Array.from({ length: count }, (_, at) => ({
    ...dependency,
    export: { ...dependency.export, path: workspacePath(`root:w${String(from + at)}`) },
  }));
  return { ...about, dependencies: [first ?? dependency, ...others] };
}
