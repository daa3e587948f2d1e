import { describe, expect, it } from '@jest/globals';
import type { GuardRuleEntry } from '@dep-ctrl/rule-registry';
import type { GuardedResource } from '../configuration/desired-webhooks.js';
import type { GuardSight } from '../guard/guard-objects.js';
import { planWorkspace, type WorkspaceFacts } from './plan-workspace.js';

const rule: GuardRuleEntry = {
  cluster: 'abc',
  path: 'root:compute',
  rule: 'vms',
  dependent: 'VirtualMachine.x.io',
  resource: 'vpcs.y.io',
  enforcement: 'Deny',
};
const other: GuardRuleEntry = { ...rule, cluster: 'def', rule: 'lbs' };
const vpcs: GuardedResource = { group: 'y.io', resource: 'vpcs', enforcement: 'Deny' };
const nothing: WorkspaceFacts = {
  binding: 'accepted',
  guard: { state: 'absent' },
  configured: undefined,
  isHandedOver: false,
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
      expected: { do: 'protect', entries: [rule], also: [] },
    },
    { given: 'a rule and our guard', facts: { wanted: [rule], guard: guard({}) }, expected: { do: 'protect', entries: [rule], also: [] } },
    {
      given: 'a rule and a guard that the provider made first',
      facts: { wanted: [rule], guard: guard({ held: false, madeByProvider: true, namesEveryRule: false }) },
      expected: { do: 'protect', entries: [rule], also: [] },
    },
    {
      given: 'a rule and a guard deleted by hand',
      facts: { wanted: [rule], guard: guard({ deleting: true }), configured: [vpcs] },
      expected: { do: 'protect', entries: [rule], also: [] },
    },
    {
      given: 'a rule and a claim that was rejected: trying says so',
      facts: { wanted: [rule], binding: 'rejected' },
      expected: { do: 'protect', entries: [rule], also: [] },
    },
    {
      given: 'a rule and a workspace that binds nothing: trying says so',
      facts: { wanted: [rule], binding: 'not-bound' },
      expected: { do: 'protect', entries: [rule], also: [] },
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
      facts: { guard: guard({}), configured: [vpcs] },
      expected: { do: 'withdraw', guard: 'delete', unbinding: false },
    },
    {
      given: 'the last rule gone and a guard of the provider',
      facts: { guard: guard({ madeByProvider: true }), configured: [vpcs] },
      expected: { do: 'withdraw', guard: 'release', unbinding: false },
    },
    {
      given: 'our guard, and neither a rule nor a configuration',
      facts: { guard: guard({}) },
      expected: { do: 'withdraw', guard: 'delete', unbinding: false },
    },
    {
      given: 'a guard of the provider that we hold, and neither a rule nor a configuration',
      facts: { guard: guard({ madeByProvider: true }) },
      expected: { do: 'withdraw', guard: 'release', unbinding: false },
    },
    {
      given: 'our guard that is not held yet, and neither a rule nor a configuration',
      facts: { guard: guard({ held: false }) },
      expected: { do: 'withdraw', guard: 'delete', unbinding: false },
    },
    {
      given: 'the last rule gone and a guard of the provider that we do not hold',
      facts: { guard: guard({ madeByProvider: true, held: false }) },
      expected: { do: 'rest' },
    },
    {
      given: 'a rule that the guard names and nobody has proven gone',
      facts: { guard: guard({}), configured: [vpcs], unproven: [rule], everyRuleIsKnown: false },
      expected: { do: 'protect', entries: [rule], also: [] },
    },
    {
      given: 'one rule known and one unproven',
      facts: { guard: guard({}), wanted: [rule], unproven: [other], everyRuleIsKnown: false },
      expected: { do: 'protect', entries: [rule, other], also: [] },
    },
    {
      given: 'all rules proven gone although an endpoint elsewhere is down',
      facts: { guard: guard({}), configured: [vpcs], everyRuleIsKnown: false },
      expected: { do: 'withdraw', guard: 'delete', unbinding: false },
    },
    {
      given: 'a guard that does not name its rules, and an endpoint that has not listed: what is configured stays',
      facts: { guard: guard({ namesEveryRule: false }), configured: [vpcs], everyRuleIsKnown: false },
      expected: { do: 'protect', entries: [], also: [vpcs] },
    },
    {
      given: 'a guard that does not name its rules, a rule, and an endpoint that has not listed: what is configured stays beside it',
      facts: { wanted: [rule], guard: guard({ namesEveryRule: false }), configured: [vpcs], everyRuleIsKnown: false },
      expected: { do: 'protect', entries: [rule], also: [vpcs] },
    },
    {
      given: 'a guard that does not name its rules, once every endpoint has listed: nothing else can be wanted',
      facts: { wanted: [rule], guard: guard({ namesEveryRule: false }), configured: [vpcs] },
      expected: { do: 'protect', entries: [rule], also: [] },
    },
    {
      given: 'a guard that does not name its rules and none is left, once every endpoint has listed',
      facts: { guard: guard({ namesEveryRule: false }), configured: [vpcs] },
      expected: { do: 'withdraw', guard: 'delete', unbinding: false },
    },
    {
      given: 'a guard that names its rules, although an endpoint elsewhere is down: what it does not name goes',
      facts: { wanted: [rule], guard: guard({}), configured: [vpcs], everyRuleIsKnown: false },
      expected: { do: 'protect', entries: [rule], also: [] },
    },
    {
      given: 'a rule, a configuration whose guard is gone, and an endpoint that has not listed: it may guard more',
      facts: { wanted: [rule], configured: [vpcs], everyRuleIsKnown: false },
      expected: { do: 'protect', entries: [rule], also: [vpcs] },
    },
    {
      given: 'a rule and no configuration yet, although an endpoint elsewhere is down',
      facts: { wanted: [rule], everyRuleIsKnown: false },
      expected: { do: 'protect', entries: [rule], also: [] },
    },
    {
      given: 'a configuration without a guard, and an endpoint that has not listed',
      facts: { configured: [vpcs], everyRuleIsKnown: false },
      expected: { do: 'protect', entries: [], also: [vpcs] },
    },
    {
      given: 'a configuration that guards nothing and has no guard, and an endpoint that has not listed',
      facts: { configured: [], everyRuleIsKnown: false },
      expected: { do: 'withdraw', guard: 'none', unbinding: false },
    },
    {
      given: 'a configuration without a guard that no rule asks for',
      facts: { configured: [vpcs] },
      expected: { do: 'withdraw', guard: 'none', unbinding: false },
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
      facts: { refusesRules: true, guard: guard({ madeByProvider: true }), configured: [vpcs] },
      expected: { do: 'withdraw', guard: 'none', unbinding: false },
    },
    {
      given: 'a configuration that was handed over, and no rule',
      facts: { configured: [vpcs], isHandedOver: true },
      expected: { do: 'wait', for: expect.stringContaining('dep-ctrl bind WORKSPACE --rules-are-back') },
    },
    {
      given: 'a configuration that was handed over, and rules about all of it, which anybody may have written',
      facts: { wanted: [rule], configured: [vpcs], isHandedOver: true },
      expected: { do: 'wait', for: expect.stringContaining('dep-ctrl bind WORKSPACE --rules-are-back') },
    },
    {
      given: 'a configuration that was handed over to a workspace that unbinds now',
      facts: { binding: 'unbinding', configured: [vpcs], isHandedOver: true },
      expected: { do: 'withdraw', guard: 'none', unbinding: true },
    },
    {
      given: 'a workspace that unbinds, whatever rules say',
      facts: { binding: 'unbinding', wanted: [rule], unproven: [other], guard: guard({ deleting: true }), configured: [vpcs] },
      expected: { do: 'withdraw', guard: 'release', unbinding: true },
    },
    {
      given: 'a workspace that unbinds without a guard',
      facts: { binding: 'unbinding', wanted: [rule] },
      expected: { do: 'withdraw', guard: 'none', unbinding: true },
    },
  ])('given $given, then it plans to $expected.do', ({ facts, expected }) => {
    expect(planWorkspace({ ...nothing, ...facts })).toEqual(expected);
  });
});

function guard(sight: Partial<Extract<GuardSight, { state: 'present' }>>): GuardSight {
  return { state: 'present', deleting: false, held: true, madeByProvider: false, namesEveryRule: true, ...sight };
}
