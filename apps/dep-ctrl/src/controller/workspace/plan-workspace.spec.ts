import { describe, expect, it } from '@jest/globals';
import type { GuardRuleEntry } from '@dep-ctrl/rule-registry';
import { planWorkspace, type GuardSight, type WorkspaceFacts } from './plan-workspace.js';

const rule: GuardRuleEntry = {
  cluster: 'abc',
  path: 'root:compute',
  rule: 'vms',
  dependent: 'VirtualMachine.x.io',
  resource: 'vpcs.y.io',
  enforcement: 'Deny',
};
const other: GuardRuleEntry = { ...rule, cluster: 'def', rule: 'lbs' };
const nothing: WorkspaceFacts = {
  binding: 'accepted',
  guard: { state: 'absent' },
  hasConfiguration: false,
  isNoted: false,
  refusesRules: false,
  wanted: [],
  unproven: [],
  everyRuleIsKnown: true,
};

describe(planWorkspace, () => {
  it.each<{ given: string; facts: Partial<WorkspaceFacts>; expected: object }>([
    { given: 'nothing wanted and nothing there', facts: {}, expected: { do: 'rest' } },
    {
      given: 'a rule and nothing there',
      facts: { wanted: [rule] },
      expected: { do: 'protect', guard: 'create', entries: [rule] },
    },
    { given: 'a rule and our guard', facts: { wanted: [rule], guard: guard({}) }, expected: { do: 'protect', guard: 'keep' } },
    {
      given: 'a rule and a guard that the provider made first',
      facts: { wanted: [rule], guard: guard({ held: false, madeByProvider: true, namesEveryRule: false }) },
      expected: { do: 'protect', guard: 'hold' },
    },
    {
      given: 'a rule and a guard deleted by hand',
      facts: { wanted: [rule], guard: guard({ deleting: true }), hasConfiguration: true },
      expected: { do: 'protect', guard: 'remake' },
    },
    {
      given: 'a rule and a claim that was rejected: trying says so',
      facts: { wanted: [rule], binding: 'rejected' },
      expected: { do: 'protect', guard: 'create' },
    },
    {
      given: 'a rule and a workspace that binds nothing: trying says so',
      facts: { wanted: [rule], binding: 'not-bound' },
      expected: { do: 'protect', guard: 'create' },
    },
    {
      given: 'bindings that nobody has listed',
      facts: { wanted: [rule], binding: 'unread' },
      expected: { do: 'wait', for: 'the endpoint that serves the workspace' },
    },
    {
      given: 'guards that nobody has listed: consent is not known',
      facts: { wanted: [rule], guard: { state: 'unread' } },
      expected: { do: 'wait', for: 'the guards of the endpoint that serves the workspace' },
    },
    {
      given: 'the last rule gone',
      facts: { guard: guard({}), hasConfiguration: true },
      expected: { do: 'withdraw', guard: 'delete', unbinding: false },
    },
    {
      given: 'the last rule gone and a guard of the provider',
      facts: { guard: guard({ madeByProvider: true }), hasConfiguration: true },
      expected: { do: 'withdraw', guard: 'release', unbinding: false },
    },
    {
      given: 'the last rule gone and a guard of the provider that we do not hold',
      facts: { guard: guard({ madeByProvider: true, held: false }) },
      expected: { do: 'rest' },
    },
    {
      given: 'a rule that the guard names and nobody has proven gone',
      facts: { guard: guard({}), hasConfiguration: true, unproven: [rule], everyRuleIsKnown: false },
      expected: { do: 'protect', guard: 'keep', entries: [rule] },
    },
    {
      given: 'one rule known and one unproven',
      facts: { guard: guard({}), wanted: [rule], unproven: [other], everyRuleIsKnown: false },
      expected: { do: 'protect', guard: 'keep', entries: [rule, other] },
    },
    {
      given: 'all rules proven gone although an endpoint elsewhere is down',
      facts: { guard: guard({}), hasConfiguration: true, everyRuleIsKnown: false },
      expected: { do: 'withdraw', guard: 'delete', unbinding: false },
    },
    {
      given: 'a guard that does not name its rules, and an endpoint that has not listed',
      facts: { guard: guard({ namesEveryRule: false }), hasConfiguration: true, everyRuleIsKnown: false },
      expected: { do: 'wait', for: 'every endpoint to list its rules' },
    },
    {
      given: 'a rule, a configuration whose guard is gone, and an endpoint that has not listed: it may guard more',
      facts: { wanted: [rule], hasConfiguration: true, everyRuleIsKnown: false },
      expected: { do: 'wait', for: 'every endpoint to list its rules' },
    },
    {
      given: 'a rule and no configuration yet, although an endpoint elsewhere is down',
      facts: { wanted: [rule], everyRuleIsKnown: false },
      expected: { do: 'protect', guard: 'create', entries: [rule] },
    },
    {
      given: 'a configuration without a guard, and an endpoint that has not listed',
      facts: { hasConfiguration: true, everyRuleIsKnown: false },
      expected: { do: 'wait', for: 'every endpoint to list its rules' },
    },
    {
      given: 'a configuration without a guard that no rule asks for',
      facts: { hasConfiguration: true },
      expected: { do: 'withdraw', guard: 'none', unbinding: false },
    },
    {
      given: 'a configuration with a note and no guard, and no rule: what was noted may be held',
      facts: { hasConfiguration: true, isNoted: true },
      expected: { do: 'keep-guard' },
    },
    {
      given: 'a configuration with a note and a guard that says nothing yet, although an endpoint has not listed',
      facts: { wanted: [rule], hasConfiguration: true, isNoted: true, guard: guard({ namesEveryRule: false }), everyRuleIsKnown: false },
      expected: { do: 'keep-guard' },
    },
    {
      given: 'the last rule gone and a note that is still there',
      facts: { hasConfiguration: true, isNoted: true, guard: guard({}) },
      expected: { do: 'keep-guard' },
    },
    {
      given: 'rules that the guard of the provider keeps out, and we do not hold it',
      facts: { refusesRules: true, guard: guard({ held: false, madeByProvider: true }) },
      expected: { do: 'keep-guard' },
    },
    {
      given: 'rules that the guard of the provider keeps out, and it is deleted by hand',
      facts: { refusesRules: true, guard: guard({ deleting: true, madeByProvider: true }) },
      expected: { do: 'keep-guard' },
    },
    {
      given: 'rules that the guard of the provider keeps out, and we hold it',
      facts: { refusesRules: true, guard: guard({ madeByProvider: true }) },
      expected: { do: 'rest' },
    },
    {
      given: 'rules that the guard of the provider keeps out since now',
      facts: { refusesRules: true, guard: guard({ madeByProvider: true }), hasConfiguration: true },
      expected: { do: 'withdraw', guard: 'none', unbinding: false },
    },
    {
      given: 'a workspace that unbinds with a note',
      facts: { binding: 'unbinding', hasConfiguration: true, isNoted: true },
      expected: { do: 'withdraw', guard: 'none', unbinding: true },
    },
    {
      given: 'a workspace that unbinds, whatever rules say',
      facts: { binding: 'unbinding', wanted: [rule], unproven: [other], guard: guard({ deleting: true }), hasConfiguration: true },
      expected: { do: 'withdraw', guard: 'release', unbinding: true },
    },
    {
      given: 'a workspace that unbinds without a guard',
      facts: { binding: 'unbinding', wanted: [rule] },
      expected: { do: 'withdraw', guard: 'none', unbinding: true },
    },
  ])('given $given, then it plans to $expected.do', ({ facts, expected }) => {
    expect(planWorkspace({ ...nothing, ...facts })).toMatchObject(expected);
  });
});

function guard(sight: Partial<Extract<GuardSight, { state: 'present' }>>): GuardSight {
  return { state: 'present', deleting: false, held: true, madeByProvider: false, namesEveryRule: true, ...sight };
}
