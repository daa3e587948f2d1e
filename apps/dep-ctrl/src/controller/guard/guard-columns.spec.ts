import { describe, expect, it } from '@jest/globals';
import type { GuardRuleEntry } from '@dep-ctrl/rule-registry';
import { guardColumns } from './guard-columns.js';

const entry: GuardRuleEntry = { cluster: 'c1', rule: 'vms', dependent: 'VM.x', resource: 'vpcs.y', enforcement: 'Deny' };

describe(guardColumns, () => {
  it.each<{ given: string; entries: readonly GuardRuleEntry[]; expected: string | undefined }>([
    { given: 'no rule', entries: [], expected: undefined },
    { given: 'one rule', entries: [entry], expected: '1 Deny' },
    {
      given: 'rules of every enforcement, in any order',
      entries: [
        { ...entry, rule: 'audited', enforcement: 'Audit' },
        { ...entry, rule: 'warned', enforcement: 'Warn' },
        entry,
        { ...entry, cluster: 'c2' },
      ],
      expected: '2 Deny, 1 Warn, 1 Audit',
    },
    { given: 'one rule about two resources', entries: [entry, { ...entry, resource: 'subnets.y' }], expected: '1 Deny' },
    {
      given: 'a rule that is being edited from Warn to Deny',
      entries: [
        { ...entry, enforcement: 'Warn' },
        { ...entry, resource: 'subnets.y' },
      ],
      expected: '1 Deny',
    },
  ])('given $given, then the enforcement of the rules is told in short', ({ entries, expected }) => {
    expect(guardColumns({ metadata: {} }, entries).enforcement).toBe(expected);
  });

  it.each<{ spec: unknown; expected: string }>([
    { spec: undefined, expected: 'everyone' },
    { spec: {}, expected: 'everyone' },
    { spec: { allowRulesFrom: [] }, expected: 'nobody' },
    { spec: { allowRulesFrom: ['root:a', 'root:b'] }, expected: 'root:a, root:b' },
    { spec: { allowRulesFrom: ['root:a', 'root:b', `root:${'c'.repeat(60)}`] }, expected: '3 workspaces' },
    { spec: { allowRulesFrom: [`root:${'c'.repeat(60)}`] }, expected: '1 workspace' },
    { spec: { allowRulesFrom: [`root:${'c'.repeat(25)}`] }, expected: `root:${'c'.repeat(25)}` },
    { spec: { allowRulesFrom: [`root:${'c'.repeat(26)}`] }, expected: '1 workspace' },
  ])('given the spec $spec, then $expected may write rules: an empty column would read as nobody', ({ spec, expected }) => {
    expect(guardColumns({ metadata: {}, spec }, []).allowed).toBe(expected);
  });
});
