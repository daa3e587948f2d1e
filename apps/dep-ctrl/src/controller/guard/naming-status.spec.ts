import { describe, expect, it } from '@jest/globals';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import type { GuardRuleEntry } from '@dep-ctrl/rule-registry';
import { guardStatus } from './guard-objects.js';
import { namingStatus } from './naming-status.js';

const NOW = '2026-01-01T00:00:00Z';
const bare: KubeObject = { metadata: { name: 'dependency-controller', generation: 1 } };

const entriesOfRules = (count: number): readonly GuardRuleEntry[] =>
  Array.from({ length: count }, (_, at) => ({
    cluster: 'c1',
    rule: `r${String(at).padStart(4, '0')}`,
    dependent: 'VirtualMachine.x',
    resource: 'vpcs.y',
    enforcement: 'Deny',
  }));

const naming = (entries: readonly GuardRuleEntry[]): KubeObject => ({
  ...bare,
  status: guardStatus(bare, entries, { state: 'installed', resources: [], named: new Set() }, NOW),
});

describe(namingStatus, () => {
  it('given a guard that names less than will be guarded, then it names both, and is not ready', () => {
    const [first, second] = entriesOfRules(2);

    expect(namingStatus(naming([first!]), [second!], NOW)).toMatchObject({
      ruleCount: 2,
      rules: [first, second],
      conditions: [{ type: 'Ready', status: 'False', reason: 'Pending' }],
    });
  });

  it('given a guard that names all of it, then there is nothing to write', () => {
    expect(namingStatus(naming(entriesOfRules(3)), entriesOfRules(2), NOW)).toBeUndefined();
  });

  it('given more rules than a status holds, and a guard that names as many as it can and counts them all, then there is nothing to write', () => {
    expect(namingStatus(naming(entriesOfRules(2_500)), entriesOfRules(2_500), NOW)).toBeUndefined();
  });

  it.each([2, 2_500])(
    'given a guard that names %d rules in the words of an older version, then there is nothing to write first',
    (count) => {
      const versioned = entriesOfRules(count).map((each) => ({ ...each, uid: 'u', generation: 2 }));

      expect(namingStatus(naming(entriesOfRules(count)), versioned, NOW)).toBeUndefined();
    },
  );

  it('given a full status that does not count a new rule yet, then the count is written first', () => {
    expect(namingStatus(naming(entriesOfRules(2_000)), entriesOfRules(2_001), NOW)).toMatchObject({ ruleCount: 2_001 });
  });
});
