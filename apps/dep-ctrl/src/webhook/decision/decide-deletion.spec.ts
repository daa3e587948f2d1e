import { describe, expect, it } from '@jest/globals';
import { decideAtOnce, decideBroken, decideTooMany } from './decide-at-once.js';
import { decideDeletion, type Decision } from './decide-deletion.js';
import { standingOf } from './standing.js';
import type { Evidence, Finding, LookupFailure } from './lookup.js';
import { VM, dependent, finding, listed, person, rule, subject } from '../testing/builders.js';

const forbidden: LookupFailure = { code: 'forbidden', lasting: true };
const timeout: LookupFailure = { code: 'timeout', lasting: false };
const vm = dependent('my-vm');
const warn = { rule: rule({ enforcement: 'Warn' }) };
const audit = { rule: rule({ enforcement: 'Audit' }) };
const ignoring = { rule: rule({ whileTerminating: 'Ignore' }) };
const going = dependent('my-vm', { isTerminating: true });

describe(decideDeletion, () => {
  it.each<{ given: string; findings: Finding[]; expected: string; lenient?: string }>([
    { given: 'no rule', findings: [], expected: 'allow: not-guarded' },
    { given: 'no dependents', findings: [finding(listed())], expected: 'allow: no-dependents' },
    { given: 'a type that is not bound', findings: [finding({ answer: 'not-bound' })], expected: 'allow: no-dependents' },
    { given: 'a dependent', findings: [finding(listed(vm))], expected: 'deny: in-use' },
    { given: 'enough dependents', findings: [finding({ answer: 'enough', dependents: [vm] })], expected: 'deny: in-use' },
    {
      given: 'a lookup that may not list',
      findings: [finding({ answer: 'cannot-tell', failure: forbidden })],
      expected: 'deny: cannot-tell',
      lenient: 'allow: tolerated',
    },
    {
      given: 'a lookup that took too long',
      findings: [finding({ answer: 'cannot-tell', failure: timeout })],
      expected: 'deny: cannot-tell',
      lenient: 'allow: tolerated',
    },
    {
      given: 'one type clear and another that cannot tell',
      findings: [finding(listed()), finding({ answer: 'cannot-tell', failure: timeout })],
      expected: 'deny: cannot-tell',
      lenient: 'allow: tolerated',
    },
    {
      given: 'one type in use and another that cannot tell',
      findings: [finding({ answer: 'cannot-tell', failure: timeout }), finding(listed(vm))],
      expected: 'deny: in-use',
    },
    {
      given: 'reading that stopped although nobody found blocks',
      findings: [finding({ answer: 'enough', dependents: [dependent('self', { uid: 'uid-of-vpc' })] })],
      expected: 'deny: cannot-tell',
      lenient: 'allow: tolerated',
    },
    { given: 'a dependent under Warn', findings: [finding(listed(vm), warn)], expected: 'allow: tolerated' },
    { given: 'a dependent under Audit', findings: [finding(listed(vm), audit)], expected: 'allow: tolerated' },
    { given: 'a doubt under Warn', findings: [finding({ answer: 'cannot-tell', failure: forbidden }, warn)], expected: 'allow: tolerated' },
    { given: 'a doubt under Audit', findings: [finding({ answer: 'cannot-tell', failure: timeout }, audit)], expected: 'allow: tolerated' },
    {
      given: 'Warn and Deny rules for one dependent',
      findings: [finding(listed(vm), warn), finding(listed(vm))],
      expected: 'deny: in-use',
    },
    { given: 'the object itself', findings: [finding(listed(dependent('self', { uid: 'uid-of-vpc' })))], expected: 'allow: no-dependents' },
    { given: 'a dependent that is being deleted', findings: [finding(listed(going))], expected: 'deny: in-use' },
    { given: 'the same where the rule ignores it', findings: [finding(listed(going), ignoring)], expected: 'allow: no-dependents' },
    { given: 'a lively dependent where the rule ignores dying ones', findings: [finding(listed(vm), ignoring)], expected: 'deny: in-use' },
  ])('given $given, then $expected', ({ findings, expected, lenient = expected }) => {
    const evidence = { state: 'rules-known', findings } as const;

    expect(print(decideDeletion(subject(), 'enforcing', evidence))).toBe(expected);
    expect(print(decideDeletion(subject(), 'advisory', evidence))).toBe(lenient);
    expect(print(decideDeletion(subject(), 'bypass', evidence))).toBe(lenient);
  });

  it.each([
    { given: 'its owner, which is going and waits for it', owners: ['uid-of-my-vm'], by: going, expected: 'allow: owner-waits' },
    { given: 'its owner, which is not going', owners: ['uid-of-my-vm'], by: vm, expected: 'deny: in-use' },
    { given: 'somebody who is going and owns something else', owners: ['uid-of-another'], by: going, expected: 'deny: in-use' },
    {
      given: 'somebody who is going and has no uid',
      owners: [''],
      by: { name: 'my-vm', isTerminating: true },
      expected: 'deny: in-use',
    },
  ])('given a reference by $given, then $expected', ({ owners, by, expected }) => {
    const decision = decideDeletion(subject({ ownerUids: new Set(owners) }), 'enforcing', {
      state: 'rules-known',
      findings: [finding(listed(by))],
    });

    expect(print(decision)).toBe(expected);
  });

  it.each<{ given: string; findings: Finding[]; expected: string }>([
    { given: 'somebody else refers to it too', findings: [finding(listed(vm, dependent('other')))], expected: 'deny: in-use' },
    {
      given: 'another type cannot tell',
      findings: [waiting(), finding({ answer: 'cannot-tell', failure: timeout })],
      expected: 'deny: cannot-tell',
    },
    { given: 'the rule ignores what is going', findings: [waiting(ignoring)], expected: 'allow: no-dependents' },
    { given: 'the rule only warns', findings: [waiting(warn)], expected: 'allow: no-dependents' },
    { given: 'a Warn rule has something against it', findings: [waiting(), finding(listed(vm), warn)], expected: 'allow: owner-waits' },
  ])('given its owner is going and waits for it, but $given, then $expected', ({ findings, expected }) => {
    const owned = subject({ ownerUids: new Set(['uid-of-my-vm']) });

    expect(print(decideDeletion(owned, 'enforcing', { state: 'rules-known', findings }))).toBe(expected);
  });

  it.each<{ given: string; evidence: Evidence; because: string }>([
    { given: 'rules that are not known', evidence: { state: 'rules-unknown' }, because: 'rules-unknown' },
    { given: 'a workspace that is not bound any more', evidence: { state: 'rules-not-back' }, because: 'rules-not-back' },
    {
      given: 'bindings that cannot be read now',
      evidence: { state: 'bindings-unknown', failure: timeout },
      because: 'bindings-unknown',
    },
    {
      given: 'bindings that may not be read',
      evidence: { state: 'bindings-unknown', failure: forbidden },
      because: 'bindings-unknown',
    },
    {
      given: 'a type that is not bound from the workspace that asks',
      evidence: { state: 'not-exported-here' },
      because: 'not-exported-here',
    },
  ])('given $given, then only the lenient entries let it pass', ({ evidence, because }) => {
    const decide = (mode: 'enforcing' | 'advisory' | 'bypass'): string => print(decideDeletion(subject(), mode, evidence));

    expect([decide('enforcing'), decide('advisory'), decide('bypass')]).toEqual([
      `deny: ${because}`,
      `allow: in-doubt, ${because}`,
      `allow: in-doubt, ${because}`,
    ]);
  });

  it('given bindings that cannot be read, then the refusal says why', () => {
    expect(decideDeletion(subject(), 'enforcing', { state: 'bindings-unknown', failure: forbidden })).toEqual({
      verdict: 'deny',
      because: 'bindings-unknown',
      failure: forbidden,
    });
  });

  it('given an object and a dependent that both have no uid, then they are not taken for one', () => {
    const { uid: _, ...nameless } = subject();

    const decision = decideDeletion(nameless, 'enforcing', {
      state: 'rules-known',
      findings: [finding(listed({ name: 'my-vm', isTerminating: false }))],
    });

    expect(print(decision)).toBe('deny: in-use');
  });

  const other = dependent('other-vm');
  const nothing = { blockers: [], doubts: [], isComplete: true };
  const names = { rule: rule(), type: VM, fieldPath: '.spec.vpcRef.name' };
  it.each<{ given: string; findings: Finding[]; expected: Decision }>([
    {
      given: 'two dependents that were read to the end',
      findings: [finding(listed(vm, other))],
      expected: {
        verdict: 'deny',
        because: 'in-use',
        blockers: [
          { ...names, dependent: vm },
          { ...names, dependent: other },
        ],
        isComplete: true,
        tolerated: nothing,
      },
    },
    {
      given: 'a dependent that was enough, and one under Warn',
      findings: [finding({ answer: 'enough', dependents: [vm] }), finding(listed(other), warn)],
      expected: {
        verdict: 'deny',
        because: 'in-use',
        blockers: [{ ...names, dependent: vm }],
        isComplete: false,
        tolerated: { ...nothing, blockers: [{ ...names, ...warn, dependent: other }] },
      },
    },
    {
      given: 'a dependent beside a lookup that cannot tell',
      findings: [finding(listed(vm)), finding({ answer: 'cannot-tell', failure: timeout })],
      expected: {
        verdict: 'deny',
        because: 'in-use',
        blockers: [{ ...names, dependent: vm }],
        isComplete: false,
        tolerated: nothing,
      },
    },
    {
      given: 'two lookups that cannot tell',
      findings: [finding({ answer: 'cannot-tell', failure: timeout }), finding({ answer: 'cannot-tell', failure: forbidden })],
      expected: {
        verdict: 'deny',
        because: 'cannot-tell',
        doubts: [
          { ...names, failure: timeout },
          { ...names, failure: forbidden },
        ],
        tolerated: nothing,
      },
    },
    {
      given: 'reading that stopped although nobody found blocks',
      findings: [finding({ answer: 'enough', dependents: [dependent('self', { uid: 'uid-of-vpc' })] })],
      expected: {
        verdict: 'deny',
        because: 'cannot-tell',
        doubts: [{ ...names, failure: { code: 'not-finished', lasting: false } }],
        tolerated: nothing,
      },
    },
    {
      given: 'enough dependents under Warn',
      findings: [finding({ answer: 'enough', dependents: [vm] }, warn)],
      expected: {
        verdict: 'allow',
        because: 'tolerated',
        tolerated: { blockers: [{ ...names, ...warn, dependent: vm }], doubts: [], isComplete: false },
      },
    },
    {
      given: 'no dependents',
      findings: [finding(listed()), finding({ answer: 'not-bound' })],
      expected: { verdict: 'allow', because: 'no-dependents', tolerated: nothing },
    },
  ])('given $given, then all that was found is told with the rule it was found for', ({ findings, expected }) => {
    expect(decideDeletion(subject(), 'enforcing', { state: 'rules-known', findings })).toEqual(expected);
  });

  it('given a doubt about a Deny rule on a lenient entry, then it is tolerated aloud', () => {
    const decision = decideDeletion(subject(), 'advisory', {
      state: 'rules-known',
      findings: [finding({ answer: 'cannot-tell', failure: forbidden })],
    });

    expect(decision).toMatchObject({ because: 'tolerated', tolerated: { doubts: [{ failure: forbidden }], isComplete: false } });
  });

  it('given owners that are going and wait for it, then all of them are told with the rule they were found for', () => {
    const names = { rule: rule(), type: VM, fieldPath: '.spec.vpcRef.name' };
    const another = dependent('another-owner', { isTerminating: true });
    const owned = subject({ ownerUids: new Set(['uid-of-my-vm', 'uid-of-another-owner']) });
    const findings = [finding({ answer: 'not-bound' }), finding({ answer: 'listed', dependents: [going], waitingOwners: [another] })];

    expect(decideDeletion(owned, 'enforcing', { state: 'rules-known', findings })).toEqual({
      verdict: 'allow',
      because: 'owner-waits',
      owners: [
        { ...names, dependent: going },
        { ...names, dependent: another },
      ],
      tolerated: { blockers: [], doubts: [], isComplete: true },
    });
  });

  it('given a doubt beside an owner that waits, on a lenient entry, then the doubt is what is told', () => {
    const owned = subject({ ownerUids: new Set(['uid-of-my-vm']) });
    const findings = [waiting(), finding({ answer: 'cannot-tell', failure: timeout }), finding(listed(vm), warn)];

    expect(decideDeletion(owned, 'advisory', { state: 'rules-known', findings })).toMatchObject({
      because: 'tolerated',
      tolerated: { blockers: [{ dependent: vm }], doubts: [{ failure: timeout }], isComplete: false },
    });
  });
});

describe('the kind that a refusal names', () => {
  it.each([
    { given: 'an object that says its kind', kind: 'Machine', expected: { ...VM, kind: 'Machine' } },
    { given: 'an object that does not', kind: undefined, expected: VM },
  ])('given $given, then it is $expected.kind, whatever else the rule says', ({ kind, expected }) => {
    const by = dependent('my-vm', kind === undefined ? {} : { kind });

    const decision = decideDeletion(subject(), 'enforcing', { state: 'rules-known', findings: [finding(listed(by))] });

    expect(decision).toMatchObject({ because: 'in-use', blockers: [{ type: expected }] });
  });
});

describe(standingOf, () => {
  const self = dependent('self', { uid: 'uid-of-vpc' });

  it.each([
    { given: 'it is the object itself', by: self, whileTerminating: 'Block', owners: [], expected: 'nothing' },
    { given: 'it is alive', by: vm, whileTerminating: 'Ignore', owners: ['uid-of-my-vm'], expected: 'blocks' },
    {
      given: 'it is going and the rule ignores that',
      by: going,
      whileTerminating: 'Ignore',
      owners: ['uid-of-my-vm'],
      expected: 'nothing',
    },
    {
      given: 'it is going and owns the object',
      by: going,
      whileTerminating: 'Block',
      owners: ['x', 'uid-of-my-vm'],
      expected: 'waits-for-it',
    },
    { given: 'it is going and owns something else', by: going, whileTerminating: 'Block', owners: ['x'], expected: 'blocks' },
  ] as const)('given a dependent, when $given, then that is: $expected', ({ by, whileTerminating, owners, expected }) => {
    expect(standingOf(by, { whileTerminating }, { uid: 'uid-of-vpc', ownerUids: new Set(owners) })).toBe(expected);
  });
});

describe('what a refusal says', () => {
  it('given bindings that cannot be read, then it says why; of other unknowns there is nothing to say', () => {
    expect([
      decideDeletion(subject(), 'enforcing', { state: 'bindings-unknown', failure: timeout }),
      decideDeletion(subject(), 'enforcing', { state: 'rules-unknown' }),
    ]).toStrictEqual([
      { verdict: 'deny', because: 'bindings-unknown', failure: timeout },
      { verdict: 'deny', because: 'rules-unknown' },
    ]);
  });
});

describe(decideAtOnce, () => {
  const envelope = { apiVersion: 'admission.k8s.io/v1', uid: 'u' };
  const deletion = (change: Parameters<typeof subject>[0]): Parameters<typeof decideAtOnce>[0] => ({
    kind: 'deletion',
    envelope,
    request: { subject: subject(change), caller: person, isDryRun: false },
  });

  it.each([
    { given: 'another operation', review: { kind: 'other-operation', envelope } as const, expected: 'allow: not-a-deletion' },
    { given: 'an annotated object', review: deletion({ isBypassed: true }), expected: 'allow: bypassed' },
    { given: 'an object that is being deleted already', review: deletion({ isTerminating: true }), expected: 'allow: terminating' },
    { given: 'a plain deletion', review: deletion({}), expected: 'undecided' },
  ])('given $given, then $expected', ({ review, expected }) => {
    expect(print(decideAtOnce(review, 'enforcing'))).toBe(expected);
  });

  it('given a workspace whose rules are not back, then a plain deletion is refused at once, and what passes anyhow passes', () => {
    expect(decideAtOnce(deletion({}), 'handed-over')).toEqual({ verdict: 'deny', because: 'rules-not-back' });
    expect(print(decideAtOnce(deletion({ isBypassed: true }), 'handed-over'))).toBe('allow: bypassed');
  });

  it('given an invalid review, then only the lenient entries let it pass', () => {
    const review = { kind: 'invalid', envelope, problem: 'no name' } as const;

    expect([print(decideAtOnce(review, 'enforcing')), print(decideAtOnce(review, 'bypass'))]).toEqual([
      'deny: invalid-review',
      'allow: in-doubt, invalid-review',
    ]);
  });
});

describe(decideTooMany, () => {
  it('given more reviews than are judged at a time, then the caller must try again, and a lenient URL warns', () => {
    expect([decideTooMany('enforcing'), decideTooMany('handed-over'), decideTooMany('advisory'), decideTooMany('bypass')]).toEqual([
      { verdict: 'deny', because: 'too-many' },
      { verdict: 'deny', because: 'too-many' },
      { verdict: 'allow', because: 'in-doubt', doubt: 'too-many' },
      { verdict: 'allow', because: 'in-doubt', doubt: 'too-many' },
    ]);
  });
});

describe(decideBroken, () => {
  it('given a defect, then only the lenient entries let it pass', () => {
    expect([decideBroken('enforcing'), decideBroken('advisory'), decideBroken('bypass')].map(print)).toEqual([
      'deny: broken',
      'allow: in-doubt, broken',
      'allow: in-doubt, broken',
    ]);
  });
});

function waiting(change: Partial<Finding> = {}): Finding {
  return finding({ answer: 'listed', dependents: [], waitingOwners: [going] }, change);
}

function print(decision: Decision | undefined): string {
  if (decision === undefined) return 'undecided';
  return `${decision.verdict}: ${decision.because}${'doubt' in decision ? `, ${decision.doubt}` : ''}`;
}
