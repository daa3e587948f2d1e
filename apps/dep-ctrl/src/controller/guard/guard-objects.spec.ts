import { describe, expect, it } from '@jest/globals';
import { apiVersionOf, type KubeObject } from '@dep-ctrl/kcp-names';
import { GUARD_FINALIZER, GUARDS, parseGuard, type GuardRuleEntry } from '@dep-ctrl/rule-registry';
import { saysLookedAfter } from '../../own-objects/conditions.js';
import {
  abandonedStatus,
  guardSight,
  guardStatus,
  heldGuard,
  includesEntries,
  isHeld,
  newGuard,
  releasedGuard,
  sortedEntries,
  wasInstalled,
  type NamedEntries,
} from './guard-objects.js';

const entry: GuardRuleEntry = {
  cluster: 'c1',
  path: 'root:compute',
  rule: 'vms',
  dependent: 'VirtualMachine.x',
  resource: 'vpcs.y',
  enforcement: 'Deny',
};
const guard: KubeObject = { metadata: { name: 'dependency-controller', generation: 3, finalizers: ['other'] } };
const now = '2026-01-01T00:00:00Z';
const installed = { state: 'installed', resources: [], named: new Set<string>(), noRoom: new Set<string>() } as const;
const pending = { state: 'pending', message: 'soon' } as const;

describe('the finalizer of a guard', () => {
  it('given a guard of the provider, when it is held and released, then it is as before', () => {
    const held = heldGuard(guard);

    expect(held.metadata.finalizers).toEqual(['other', GUARD_FINALIZER]);
    expect(isHeld(held)).toBe(true);
    expect(heldGuard(held)).toEqual(held);
    expect(releasedGuard(held)).toEqual(guard);
  });

  it('given a spec, when the guard is made again, then it has the spec and is held', () => {
    const again = newGuard({ allowRulesFrom: ['root:a'] });

    expect(again.spec).toEqual({ allowRulesFrom: ['root:a'] });
    expect(isHeld(again)).toBe(true);
    expect('spec' in newGuard(undefined)).toBe(false);
  });
});

describe(guardSight, () => {
  it('given a guard that cannot be parsed, then it counts as the provider’s: it is never deleted', () => {
    expect(guardSight(guard, undefined)).toEqual({
      state: 'present',
      deleting: false,
      held: false,
      madeByProvider: true,
      namesEveryRule: false,
    });
  });
});

describe('entries', () => {
  it('given one rule with two fields on a resource, then it is named once, in stable order', () => {
    const other = { ...entry, cluster: 'a0' };

    expect(sortedEntries([entry, other, { ...entry }])).toEqual([other, entry]);
    expect(includesEntries([entry, other], [other])).toBe(true);
    expect(includesEntries([entry], [other])).toBe(false);
  });

  it('given a rule that was edited from Warn to Deny, then a guard that names it under Warn does not name what will be installed', () => {
    const warned = { ...entry, enforcement: 'Warn' as const };

    expect(includesEntries([warned], [entry])).toBe(false);
    expect(includesEntries([entry], [warned])).toBe(true);
    expect(includesEntries([warned], [{ ...entry, enforcement: 'Audit' }, entry])).toBe(false);
  });

  it('given what is named under Deny and wanted under Warn, then it stays Deny', () => {
    const warned = { ...entry, path: 'root:new', enforcement: 'Warn' as const };

    expect(sortedEntries([warned, { ...entry, enforcement: 'Deny' }])).toEqual([{ ...warned, enforcement: 'Deny' }]);
    expect(sortedEntries([{ ...warned, enforcement: 'Audit' }, warned])).toEqual([warned]);
  });
});

describe(abandonedStatus, () => {
  it('given a guard that named a rule and was ready, then it names none, is not ready, and says so the same way again', () => {
    const ready = { ...guard, status: guardStatus(guard, all([entry]), installed, now) };

    const abandoned = { ...guard, status: abandonedStatus(ready, now) };

    expect(abandoned.status).toMatchObject({
      ruleCount: 0,
      rules: [],
      conditions: [{ type: 'Ready', status: 'False', reason: 'Uninstalled' }],
    });
    expect([ready, abandoned, guard].map(saysLookedAfter)).toEqual([true, false, false]);
    expect(wasInstalled(abandoned)).toBe(false);
    expect(abandonedStatus(abandoned, 'later')).toEqual(abandoned.status);
  });
});

describe(guardStatus, () => {
  it('given an installed configuration, then it says so and says it the same way again', () => {
    const status = guardStatus(guard, all([entry]), installed, now);

    expect(status).toMatchObject({ observedGeneration: 3, ruleCount: 1, rules: [entry], conditions: [{ type: 'Ready', status: 'True' }] });
    const written = { ...guard, status };
    expect(wasInstalled(written)).toBe(true);
    expect(guardStatus(written, all([entry]), installed, 'later')).toEqual(status);
  });

  it('given a configuration of somebody else, then there is a condition Conflict', () => {
    const status = guardStatus(guard, all([]), { state: 'failed', reason: 'Conflict', message: 'somebody else' }, now);

    expect(status.conditions).toMatchObject([
      { type: 'Ready', status: 'False', reason: 'Conflict' },
      { type: 'Conflict', status: 'True' },
    ]);
  });

  it('given a rule about several resources, then it counts as one', () => {
    const second = { ...entry, resource: 'subnets.network.example.com' };

    expect(guardStatus(guard, all([entry, second]), pending, now)).toMatchObject({
      ruleCount: 1,
      rules: [entry, second],
    });
  });

  it('given rules of one author that do not all fit, then none of them is named, and the count says so; others are named all the same', () => {
    const many = Array.from({ length: 100 }, (_, rule) =>
      Array.from({ length: 64 }, (_, at) => ({ ...entry, cluster: 'greedy', rule: `r${String(rule)}`, resource: `rs${String(at)}.y` })),
    ).flat();

    const status = guardStatus(guard, all([...many, entry]), pending, now);

    expect(status).toMatchObject({ ruleCount: 101, rules: [entry] });
  });

  it('given twenty authors with as many rules as each may have, then all are named, and fit into an object of etcd', () => {
    const many = Array.from({ length: 20 }, (_, author) =>
      Array.from({ length: 100 }, (_, rule) => ({ ...entry, cluster: `c${String(author)}`, rule: `r${String(rule)}` })),
    ).flat();

    const status = guardStatus(guard, all(many), pending, now);

    expect([status.ruleCount, status.rules?.length]).toEqual([2_000, 2_000]);
    expect(JSON.stringify(status).length).toBeLessThan(1024 * 1024);
  });

  it('given rules with names as long as names may be, then what is named still fits into an object of etcd', () => {
    const long = 'n'.repeat(240);
    const many = Array.from({ length: 1_900 }, (_, at) => ({
      ...entry,
      cluster: `c${String(at % 50)}`,
      rule: `${long}-${String(at)}`,
      resource: `vpcs.${long}`,
      dependent: `VM.${long}`,
    }));

    const { ruleCount, rules = [] } = guardStatus(guard, all(many), pending, now);

    expect(ruleCount).toBe(1_900);
    expect(rules.length).toBeGreaterThan(500);
    expect(rules.length).toBeLessThan(1_900);
    expect(JSON.stringify(rules).length).toBeLessThan(1024 * 1024);
  });

  it('given a configuration that guards more than is known, then the status says that it does not name all', () => {
    const status = guardStatus(guard, { entries: [entry], isEverything: false }, pending, now);

    const read = parseGuard(readable({ ...guard, status }));
    expect(status).toMatchObject({ ruleCount: 2, rules: [entry] });
    expect(read.ok && read.value.namesEveryRule).toBe(false);
  });

  it('given all that a configuration guards, then the status says that it names all', () => {
    const read = parseGuard(readable({ ...guard, status: guardStatus(guard, all([entry]), pending, now) }));

    expect(read.ok && read.value.namesEveryRule).toBe(true);
  });
});

function all(entries: readonly GuardRuleEntry[]): NamedEntries {
  return { entries, isEverything: true };
}

/** As kcp hands it out. */
function readable(object: KubeObject): KubeObject {
  const metadata = { ...object.metadata, uid: 'u', annotations: { 'kcp.io/cluster': 'c0' } };
  return { apiVersion: apiVersionOf(GUARDS), kind: 'DependencyGuard', ...object, metadata };
}
