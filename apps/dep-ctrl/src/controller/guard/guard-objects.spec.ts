import { describe, expect, it } from '@jest/globals';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { GUARD_FINALIZER, type GuardRuleEntry } from '@dep-ctrl/rule-registry';
import { saysLookedAfter } from '../../kcp-objects/conditions.js';
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

  it('given what was held under Deny and is wanted under Warn now, because half of an edit cannot be read, then it stays Deny', () => {
    const warned = { ...entry, path: 'root:new', enforcement: 'Warn' as const };

    expect(sortedEntries([warned, { ...entry, enforcement: 'Deny' }])).toEqual([{ ...warned, enforcement: 'Deny' }]);
    expect(sortedEntries([{ ...warned, enforcement: 'Audit' }, warned])).toEqual([warned]);
  });
});

describe(abandonedStatus, () => {
  it('given a guard that named a rule and was ready, then it names none, is not ready, and says so the same way again', () => {
    const ready = { ...guard, status: guardStatus(guard, [entry], { state: 'installed', resources: [], named: new Set() }, now) };

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
    const status = guardStatus(guard, [entry], { state: 'installed', resources: [], named: new Set() }, now);

    expect(status).toMatchObject({ observedGeneration: 3, ruleCount: 1, rules: [entry], conditions: [{ type: 'Ready', status: 'True' }] });
    const written = { ...guard, status };
    expect(wasInstalled(written)).toBe(true);
    expect(guardStatus(written, [entry], { state: 'installed', resources: [], named: new Set() }, 'later')).toEqual(status);
  });

  it('given a configuration of somebody else, then there is a condition Conflict', () => {
    const status = guardStatus(guard, [], { state: 'failed', reason: 'Conflict', message: 'somebody else' }, now);

    expect(status.conditions).toMatchObject([
      { type: 'Ready', status: 'False', reason: 'Conflict' },
      { type: 'Conflict', status: 'True' },
    ]);
  });

  it('given a rule about several resources, then it counts as one', () => {
    const second = { ...entry, resource: 'subnets.network.example.com' };

    expect(guardStatus(guard, [entry, second], { state: 'pending', message: 'soon' }, now)).toMatchObject({
      ruleCount: 1,
      rules: [entry, second],
    });
  });

  it('given more rules than fit, then every resource still has a rule that is named, and the count says that some are not', () => {
    const many = Array.from({ length: 2_500 }, (_, at) => ({ ...entry, rule: `r${String(at).padStart(4, '0')}` }));
    const last = { ...entry, rule: 'z', resource: 'subnets.network.example.com' };

    const { ruleCount, rules = [] } = guardStatus(guard, [...many, last], { state: 'pending', message: 'soon' }, now);

    expect([ruleCount, rules.length]).toEqual([2_501, 2_000]);
    expect([rules[0], rules.at(-1)]).toEqual([many[0], last]);
  });

  it('given a rule whose entries do not all fit, then none of them is named, so that it counts as cut', () => {
    const many = Array.from({ length: 2001 }, (_, at) => ({ ...entry, resource: `r${at}` }));

    expect(guardStatus(guard, many, { state: 'pending', message: 'soon' }, now)).toMatchObject({ ruleCount: 1, rules: [] });
  });

  it('given rules with names as long as names may be, then what is named still fits into an object of etcd', () => {
    const long = 'n'.repeat(240);
    const many = Array.from({ length: 1_900 }, (_, at) => ({
      ...entry,
      rule: `${long}-${at}`,
      resource: `vpcs.${long}`,
      dependent: `VM.${long}`,
    }));

    const { ruleCount, rules = [] } = guardStatus(guard, many, { state: 'pending', message: 'soon' }, now);

    expect(ruleCount).toBe(1_900);
    expect(rules.length).toBeGreaterThan(1_000);
    expect(JSON.stringify(rules).length).toBeLessThan(1.1 * 1024 * 1024);
  });

  it('given more rules than an object can hold, then the list is cut and the count is not', () => {
    const many = Array.from({ length: 3000 }, (_, at) => ({ ...entry, rule: `r${at}` }));

    const status = guardStatus(guard, many, { state: 'pending', message: 'soon' }, now);

    expect(status.ruleCount).toBe(3000);
    expect(status.rules!.length).toBeLessThan(3000);
  });
});
