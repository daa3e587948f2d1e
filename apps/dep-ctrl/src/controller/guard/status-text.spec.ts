import { describe, expect, it } from '@jest/globals';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import type { DependencyGuardStatus, GuardRuleEntry } from '@dep-ctrl/rule-registry';
import { namesTheSame, statusTextOf } from './status-text.js';

const entry: GuardRuleEntry = { cluster: 'c1', rule: 'vms', generation: 1, dependent: 'VM.x', resource: 'vpcs.y', enforcement: 'Deny' };
const status: DependencyGuardStatus = { observedGeneration: 1, ruleCount: 1, enforcement: '1 Deny', allowed: 'everyone', rules: [entry] };
const guardSaying = (said: unknown): KubeObject => ({ metadata: { name: 'dependency-controller', uid: 'u1' }, status: said });

describe(namesTheSame, () => {
  it.each<{ given: string; said: unknown; same: boolean }>([
    { given: 'no words', said: { ruleCount: 1, rules: [entry] }, same: true },
    { given: 'the rule before its edit', said: { ...status, rules: [{ ...entry, generation: 0 }] }, same: false },
    { given: 'the rule less strict', said: { ...status, rules: [{ ...entry, enforcement: 'Warn' }] }, same: false },
    { given: 'no rule', said: { ...status, ruleCount: 0, rules: [] }, same: false },
    { given: 'more rules than are listed', said: { ...status, ruleCount: 2 }, same: false },
    { given: 'nothing', said: undefined, same: false },
  ])('given a guard that says $given, then whether it names the same rules is $same', ({ said, same }) => {
    expect(namesTheSame(guardSaying(said), status)).toBe(same);
  });
});

describe(statusTextOf, () => {
  const saidAt = (lastTransitionTime: string): DependencyGuardStatus => ({
    ...status,
    conditions: [{ type: 'Ready', status: 'True', observedGeneration: 1, lastTransitionTime, reason: 'Written', message: 'm' }],
  });

  it('given the same at another time, then the words are the same', () => {
    expect(statusTextOf(guardSaying(undefined), saidAt('2026-01-01T00:00:00Z'))).toEqual(
      statusTextOf(guardSaying(status), saidAt('2026-01-02T00:00:00Z')),
    );
  });
});
