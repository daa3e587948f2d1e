import { describe, expect, it } from '@jest/globals';
import { CONDITION_REASONS } from '@dep-ctrl/rule-registry';
import { falseByReason } from './rule-states.js';

const rule = (changes: { readonly status?: object } = {}) => ({
  value: { metadata: { name: 'vms', generation: 2 }, ...changes },
});
const said = (type: string, status: string, reason: string, observedGeneration = 2) =>
  rule({ status: { observedGeneration, conditions: [{ type, status, reason, message: '', lastTransitionTime: '2026-11-23T11:00:00Z' }] } });
const both = () => {
  const condition = { status: 'False', message: '', lastTransitionTime: '2026-11-23T11:00:00Z' };
  const conditions = [
    { ...condition, type: 'InForce', reason: 'NotBound' },
    { ...condition, type: 'Ready', reason: 'Invalid' },
  ];
  return rule({ status: { observedGeneration: 2, conditions } });
};

describe(falseByReason, () => {
  it.each([
    {
      given: 'rules that are ready, and one of which nobody knows',
      rules: [said('Ready', 'True', 'Installed'), said('Ready', 'Unknown', 'NotVerified')],
      expected: [],
    },
    {
      given: 'rules that are not ready',
      rules: [said('Ready', 'False', 'NotBound'), said('Ready', 'False', 'NotBound'), said('Ready', 'False', 'Invalid')],
      expected: [
        ['NotBound', 2],
        ['Invalid', 1],
      ],
    },
    { given: 'a rule without a status', rules: [rule()], expected: [['NoStatus', 1]] },
    { given: 'the status of an older generation', rules: [said('Ready', 'True', 'Installed', 1)], expected: [['NoStatus', 1]] },
    {
      given: 'a rule with another condition before, and one with only that',
      rules: [both(), said('InForce', 'False', 'NotBound')],
      expected: [
        ['Invalid', 1],
        ['NoStatus', 1],
      ],
    },
  ])('given $given, then they are counted so', ({ rules, expected }) => {
    expect([...falseByReason(rules, 'Ready')]).toEqual(expected);
  });

  it('given authors who write any reason into statuses, then no label comes of it but the reasons that there are', () => {
    const forged = Array.from({ length: 1_000 }, (_, index) => said('InForce', 'False', `reason-${String(index)}`));
    const known = Object.keys(CONDITION_REASONS).map((reason) => said('InForce', 'False', reason));

    const counts = falseByReason([...forged, ...known, said('InForce', 'False', 'toString')], 'InForce');

    expect(counts.get('other')).toBe(1_001);
    expect([...counts.keys()].filter((reason) => reason !== 'other').sort()).toEqual(Object.keys(CONDITION_REASONS).sort());
  });
});
