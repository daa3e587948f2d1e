import { describe, expect, it } from '@jest/globals';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { guardEntries, type GuardRuleEntry } from '@dep-ctrl/rule-registry';
import { guardStatus, type NamedEntries } from './guard-objects.js';
import { namingStatus } from './naming-status.js';

const NOW = '2026-01-01T00:00:00Z';
const bare: KubeObject = { metadata: { name: 'dependency-controller', generation: 1 } };

/** Rules of authors with a hundred each; more than 2 000 of them find no room in a status. */
const entriesOfRules = (count: number): readonly GuardRuleEntry[] =>
  Array.from({ length: count }, (_, at) => ({
    cluster: `c${String(Math.floor(at / 100)).padStart(2, '0')}`,
    rule: `r${String(at).padStart(4, '0')}`,
    dependent: 'VirtualMachine.x',
    resource: `vpcs.${'y'.repeat(250)}`,
    enforcement: 'Deny',
  }));

const all = (entries: readonly GuardRuleEntry[]): NamedEntries => ({ entries, isEverything: true });

const naming = (entries: readonly GuardRuleEntry[]): KubeObject => ({
  ...bare,
  status: guardStatus(bare, all(entries), { state: 'installed', resources: [], named: new Set(), noRoom: new Set() }, NOW),
});

describe(namingStatus, () => {
  it('given a guard that names less than will be guarded, then it names both, and is not ready', () => {
    const [first, second] = entriesOfRules(2);

    expect(namingStatus(naming([first!]), all([second!]), NOW)).toMatchObject({
      ruleCount: 2,
      rules: [first, second],
      conditions: [{ type: 'Ready', status: 'False', reason: 'Pending' }],
    });
  });

  it('given a guard that names all of it, then there is nothing to write', () => {
    expect(namingStatus(naming(entriesOfRules(3)), all(entriesOfRules(2)), NOW)).toBeUndefined();
  });

  it('given more rules than a status holds, and a guard that names as many as it can and counts them all, then there is nothing to write', () => {
    const guard = naming(entriesOfRules(2_500));

    expect(guardEntries(guard).length).toBeLessThan(2_500);
    expect(namingStatus(guard, all(entriesOfRules(2_500)), NOW)).toBeUndefined();
  });

  it('given a guard that names rules in the words of an older version, then there is nothing to write first', () => {
    const versioned = entriesOfRules(2).map((each) => ({ ...each, uid: 'u', generation: 2 }));

    expect(namingStatus(naming(entriesOfRules(2)), all(versioned), NOW)).toBeUndefined();
  });

  it('given a full status that does not name a new rule yet, then it is written first, and whoever asks for least is named', () => {
    const entries = entriesOfRules(2_501);

    const status = namingStatus(naming(entriesOfRules(2_500)), all(entries), NOW);

    expect(status).toMatchObject({ ruleCount: 2_501 });
    expect(status?.rules).toContainEqual(entries.at(-1));
  });

  it('given a guard that names what is known, when the configuration guards more than that, then a grown status says so', () => {
    const [first, second] = entriesOfRules(2);

    const status = namingStatus(naming([first!]), { entries: [first!, second!], isEverything: false }, NOW);

    expect(status).toMatchObject({ ruleCount: 3, rules: [first, second] });
  });
});
