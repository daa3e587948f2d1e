import { describe, expect, it } from '@jest/globals';
import { atOnce } from '@dep-ctrl/fair-shares';
import type { NonEmpty } from '@dep-ctrl/rule-registry';
import type { Dependent, Finding } from '../decision/lookup.js';
import { dependent, finding, listed, rule, subject } from '../testing/builders.js';
import { match, virtualMachine, type MatchChange } from '../testing/objects.js';
import { areEnoughToRefuse, doubtsOf, findingsOf, Referrers } from './referrers.js';
import { questionsOf, type GuardingMatch, type TypeQuestion } from './type-question.js';

const DELETED = '2026-01-01T00:00:00Z';
const WARN = rule({ enforcement: 'Warn' });
const BACKUP = '.spec.backup';

describe(areEnoughToRefuse, () => {
  it.each<{ readonly given: string; readonly findings: readonly Finding[]; readonly expected: boolean }>([
    { given: 'no finding', findings: [], expected: false },
    { given: 'as many as a refusal names', findings: [finding(listed(...some(10)))], expected: true },
    { given: 'one less', findings: [finding(listed(...some(9)))], expected: false },
    { given: 'as many of a rule that only warns', findings: [finding(listed(...some(10)), { rule: WARN })], expected: false },
    {
      given: 'as many of a rule that refuses beside one that warns',
      findings: [finding(listed(...some(10)), { rule: WARN }), finding(listed(...some(10)))],
      expected: true,
    },
    { given: 'a type that was not read', findings: [finding({ answer: 'not-bound' })], expected: false },
  ])('given $given, then it says $expected', ({ findings, expected }) => {
    expect(areEnoughToRefuse(findings)).toBe(expected);
  });

  it('given how many are wanted, then so many are enough', () => {
    expect(areEnoughToRefuse([finding(listed(...some(2)))], 2)).toBe(true);
  });
});

describe(findingsOf, () => {
  it('gives each rule of a type the same answer, once', () => {
    const question = questionOf(...onePathEach('.spec.a', '.spec.b'), { rule: { name: 'two' } });

    const found = findingsOf(question, { answer: 'not-bound' });

    expect(found).toEqual(doubtsOf(question, timeout.failure).map((each) => ({ ...each, lookup: { answer: 'not-bound' } })));
    expect(found.map((each) => each.rule.name)).toEqual(['vm-dependencies', 'two']);
    expect(found.map(({ type }) => type)).toEqual([VM, VM]);
    expect(doubtsOf(question, timeout.failure).map(({ lookup }) => lookup)).toEqual([timeout, timeout]);
  });

  const timeout = { answer: 'cannot-tell', failure: { code: 'timeout', lasting: false } } as const;
  const VM = { group: 'compute.example.com', resource: 'virtualmachines', kind: 'VirtualMachine' };
});

describe(Referrers, () => {
  it.each([
    { given: 'one that is being deleted, and a rule that does not mind', rules: { whileTerminating: 'Ignore' }, expected: 0 },
    { given: 'one that is being deleted, and a rule that minds', rules: { whileTerminating: 'Block' }, expected: 1 },
  ] as const)('given $given, then $expected blocks', ({ rules, expected }) => {
    const referrers = reading([{ rule: rules }], [virtualMachine('vm', 'my-vpc', { deletionTimestamp: DELETED })]);

    expect(namesIn(referrers)).toHaveLength(expected);
    expect(referrers.areDecisive).toBe(expected > 0);
  });

  it.each([
    { given: 'nine, and a rule that refuses', count: 9, enforcement: 'Deny', expected: [false, true] },
    { given: 'ten, and a rule that refuses', count: 10, enforcement: 'Deny', expected: [true, true] },
    { given: 'nine, and a rule that warns', count: 9, enforcement: 'Warn', expected: [false, true] },
    { given: 'ten, and a rule that warns', count: 10, enforcement: 'Warn', expected: [true, true] },
    { given: 'none, and a rule that warns', count: 0, enforcement: 'Warn', expected: [false, true] },
    { given: 'none, and a rule that refuses', count: 0, enforcement: 'Deny', expected: [false, false] },
  ] as const)('given $given, then it says whether they are enough, and whether the answer is certain', (row) => {
    const referrers = reading([{ rule: { enforcement: row.enforcement } }], machines(row.count));

    expect([referrers.areEnough, referrers.areDecisive]).toEqual(row.expected);
  });

  it('given two rules that warn and objects for one of them, then they are not enough', () => {
    const [one, other] = [{ rule: { ...WARN, name: 'one' } }, { rule: { ...WARN, name: 'other' }, fieldPath: BACKUP }];

    expect(reading([one, other], machines(10)).areEnough).toBe(false);
  });

  it('given objects for the rule that warns alone, then the answer of the one that refuses is open', () => {
    const rules = [{ rule: { ...WARN, name: 'warns' } }, { fieldPath: BACKUP }];

    expect(reading(rules, machines(10))).toMatchObject({ areEnough: false, areDecisive: false });
  });

  it('keeps five hundred names of one rule, and says that there may be more', () => {
    const referrers = reading([{}], machines(2_100));

    expect(namesIn(referrers)).toHaveLength(500);
    expect(referrers.findings('read-to-the-end')[0]?.lookup.answer).toBe('enough');
    expect(referrers.areMany).toBe(false);
  });

  it('keeps five hundred names of owners that wait', () => {
    const owners = machines(600).map((object) => ({
      ...object,
      metadata: { ...object.metadata, uid: 'uid-owner', deletionTimestamp: DELETED },
    }));

    const [found] = reading([{}], owners).findings('read-to-the-end');

    expect(found?.lookup).toMatchObject({ answer: 'listed', dependents: [] });
    expect(found?.lookup).toHaveProperty('waitingOwners.length', 500);
  });

  it('keeps two thousand names of all rules together', () => {
    const rules = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ rule: { name } }));

    expect(reading(rules, machines(399)).areMany).toBe(false);
    expect(reading(rules, machines(400)).areMany).toBe(true);
    expect(namesIn(reading(rules, machines(500)))).toHaveLength(2_000);
  });

  it('given a list that begins anew, then what was enough is not enough any more', () => {
    const referrers = reading([{}], machines(10));

    referrers.restart();
    expect([referrers.areEnough, referrers.areDecisive]).toEqual([false, false]);

    for (const object of machines(10)) atOnce(referrers.add(object));
    expect([referrers.areEnough, referrers.areDecisive]).toEqual([true, true]);
  });

  it('given a path that objects are found by and one that none is found by, then it tells of both', () => {
    const referrers = reading(onePathEach('.spec.vpcRef.name', BACKUP), machines(1));

    expect(referrers.findings('read-to-the-end').map(({ fieldPath }) => fieldPath)).toEqual(['.spec.vpcRef.name', BACKUP]);
  });

  it('given a list that was left before anything was found, then it cannot tell, for now', () => {
    expect(reading([{}], []).findings('stopped-early')[0]?.lookup).toEqual({
      answer: 'cannot-tell',
      failure: { code: 'not-finished', lasting: false },
    });
  });
});

function some(count: number): readonly Dependent[] {
  return Array.from({ length: count }, (_, index) => dependent(`vm-${index}`));
}

function machines(count: number): readonly ReturnType<typeof virtualMachine>[] {
  return Array.from({ length: count }, (_, index) => virtualMachine(`vm-${index}`, 'my-vpc'));
}

/** One rule with several paths. */
function onePathEach(...paths: readonly string[]): readonly GuardingMatch[] {
  const { rule } = match();
  return paths.map((fieldPath) => ({ ...match({ fieldPath }), rule }));
}

function questionOf(...matches: readonly (MatchChange | GuardingMatch)[]): TypeQuestion {
  const [question] = questionsOf(matches.map((each) => ('dependency' in each ? each : match(each)))) as NonEmpty<TypeQuestion>; // one type, one question
  return question;
}

/** What is found in objects of which each may be the owner that waits. */
function reading(rules: readonly (MatchChange | GuardingMatch)[], objects: readonly ReturnType<typeof virtualMachine>[]): Referrers {
  const referrers = new Referrers(questionOf(...rules), subject({ ownerUids: new Set(['uid-owner']) }));
  for (const object of objects) atOnce(referrers.add(object));
  return referrers;
}

function namesIn(referrers: Referrers): readonly string[] {
  return referrers
    .findings('read-to-the-end')
    .flatMap(({ lookup }) => ('dependents' in lookup ? lookup.dependents.map(({ name }) => name) : []));
}
