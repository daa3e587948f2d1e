import { describe, expect, it } from '@jest/globals';
import { ruleOf } from '../webhook/testing/written-rules.js';
import { inForceByCondition, isTargetInForce, weaker } from './in-force.js';

const inForce = (status: string, reason: string) => ({
  type: 'InForce',
  status,
  reason,
  message: '',
  lastTransitionTime: '2026-11-23T11:00:00Z',
});

describe(inForceByCondition, () => {
  it.each([
    { given: 'no status', rule: {}, expected: undefined },
    { given: 'True', rule: { status: { conditions: [inForce('True', 'Installed')] } }, expected: 'yes' },
    { given: 'False', rule: { status: { conditions: [inForce('False', 'ResourceNotExported')] } }, expected: 'no' },
    { given: 'False for some targets', rule: { status: { conditions: [inForce('False', 'PartlyInstalled')] } }, expected: 'partly' },
    {
      given: 'True beside another condition',
      rule: { status: { conditions: [{ ...inForce('False', 'Pending'), type: 'Ready' }, inForce('True', 'Installed')] } },
      expected: 'yes',
    },
    {
      given: 'True, of this generation',
      rule: { metadata: { generation: 2 }, status: { observedGeneration: 2, conditions: [inForce('True', 'Installed')] } },
      expected: 'yes',
    },
    { given: 'a generation without a status', rule: { metadata: { generation: 2 } }, expected: undefined },
    {
      given: 'True, of an object without a generation',
      rule: { metadata: {}, status: { observedGeneration: 1, conditions: [inForce('True', 'Installed')] } },
      expected: 'yes',
    },
    { given: 'Unknown', rule: { status: { conditions: [inForce('Unknown', 'Pending')] } }, expected: 'unknown' },
    {
      given: 'True, of an older generation',
      rule: { metadata: { generation: 2 }, status: { observedGeneration: 1, conditions: [inForce('True', 'Installed')] } },
      expected: undefined,
    },
  ])('given $given, then the rule is in force: $expected', ({ rule, expected }) => {
    expect(inForceByCondition(rule)).toBe(expected);
  });
});

describe(weaker, () => {
  it.each([
    { said: undefined, seen: 'yes', expected: 'yes' },
    { said: 'no', seen: 'yes', expected: 'no' },
    { said: 'partly', seen: 'yes', expected: 'partly' },
    { said: 'unknown', seen: 'yes', expected: 'unknown' },
    { said: 'yes', seen: 'no', expected: 'no' },
    { said: 'yes', seen: 'unknown', expected: 'unknown' },
  ] as const)('given a condition that says $said and $seen seen in kcp, then it is $expected', ({ said, seen, expected }) => {
    expect(weaker(said, seen)).toBe(expected);
  });
});

describe(isTargetInForce, () => {
  const target = { path: 'root:network', resource: 'vpcs.network.example.com', state: 'Installed' };

  it.each([
    { given: 'no status', object: {}, expected: undefined },
    { given: 'an installed target', object: { status: { targets: [target] } }, expected: true },
    { given: 'a target that is pending', object: { status: { targets: [{ ...target, state: 'Pending' }] } }, expected: false },
    { given: 'another target', object: { status: { targets: [{ ...target, path: 'root:else' }] } }, expected: false },
    {
      given: 'another type of the same workspace',
      object: { status: { targets: [{ ...target, resource: 'subnets.network.example.com' }] } },
      expected: false,
    },
    { given: 'an installed target beside what is none', object: { status: { targets: [null, target] } }, expected: true },
    { given: 'a rule over the quota', object: { status: { targets: [] } }, expected: false },
    {
      given: 'a status about an older spec',
      object: { metadata: { generation: 2 }, status: { observedGeneration: 1, targets: [target] } },
      expected: undefined,
    },
    {
      given: 'a target that waits, while nobody knows what was written before',
      object: { status: { targets: [{ ...target, state: 'Pending' }], conditions: [inForce('Unknown', 'Pending')] } },
      expected: undefined,
    },
    { given: 'a status of another shape', object: { status: { targets: 'all' } }, expected: undefined },
  ])('given $given, then whether the dependency is in force is $expected', ({ object, expected }) => {
    expect(isTargetInForce(object, ruleOf().dependencies[0])).toBe(expected);
  });
});
