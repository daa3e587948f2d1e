import { describe, expect, it } from '@jest/globals';
import { apiVersionOf, type KubeObject } from '@dep-ctrl/kcp-names';
import { guardEntries, GUARDS, parseGuard, type DependencyGuardStatus, type GuardRuleEntry } from '@dep-ctrl/rule-registry';
import { saysLookedAfter } from '../../own-objects/conditions.js';
import {
  abandonedStatus,
  guardStatus,
  idleStatus,
  namesTheSame,
  namingStatus,
  statusTextOf,
  wasInstalled,
  type NamedEntries,
} from './guard-status.js';
import { entry, guard } from './spec-support/some-guard.js';

const now = '2026-01-01T00:00:00Z';
const installed = { state: 'installed', resources: [], named: new Set<string>(), noRoom: new Set<string>() } as const;
const pending = { state: 'pending', message: 'soon' } as const;

describe(abandonedStatus, () => {
  it('given a guard that named a rule and was ready, then it names none, is not ready, and says so the same way again', () => {
    const ready = { ...guard, status: guardStatus(guard, all([entry]), installed, now) };

    const abandoned = { ...guard, status: abandonedStatus(ready, now) };

    expect(abandoned.status).toMatchObject({
      ruleCount: 0,
      rules: [],
      conditions: [
        {
          type: 'Ready',
          status: 'False',
          reason: 'Uninstalled',
          message: expect.stringContaining('dep-ctrl was uninstalled: nothing guards this workspace'),
        },
      ],
    });
    expect([ready, abandoned, guard].map(saysLookedAfter)).toEqual([true, false, false]);
    expect(wasInstalled(abandoned)).toBe(false);
    expect(abandonedStatus(abandoned, 'later')).toEqual(abandoned.status);
  });
});

describe(idleStatus, () => {
  it('given a workspace that no rule guards, then its guard is ready, and names none', () => {
    const remark = { type: 'Conflict', status: 'True', reason: 'OtherOwner', message: 'somebody else' } as const;
    const ready = { type: 'Ready', status: 'True', reason: 'NothingGuarded', message: 'no rule that is admitted guards this workspace' };

    expect(idleStatus(guard, now)).toMatchObject({ observedGeneration: 3, ruleCount: 0, rules: [], conditions: [ready] });
    expect(idleStatus(guard, now).conditions).toHaveLength(1);
    expect(idleStatus(guard, now, [remark]).conditions).toMatchObject([ready, remark]);
  });
});

describe(wasInstalled, () => {
  const written = { type: 'Ready', status: 'True', reason: 'Written', message: 'm', lastTransitionTime: now };
  const other = { ...written, type: 'Conflict' };

  it.each([
    { given: 'the configuration is written', conditions: [other, written], expected: true },
    { given: 'another condition holds for that reason', conditions: [other], expected: false },
    { given: 'it is not, for that reason', conditions: [{ ...written, status: 'False' }], expected: false },
    { given: 'it is ready for another reason', conditions: [{ ...written, reason: 'NothingGuarded' }], expected: false },
    { given: 'nothing', conditions: [], expected: false },
  ])('given a status that says that $given, then it was installed: $expected', ({ conditions, expected }) => {
    expect(wasInstalled({ ...guard, status: { conditions } })).toBe(expected);
  });
});

describe(guardStatus, () => {
  it.each<{ installation: Parameters<typeof guardStatus>[2]; conditions: readonly object[] }>([
    {
      installation: installed,
      conditions: [
        { type: 'Ready', status: 'True', reason: 'Written', message: 'the configuration is written to kcp: in force about 0.1 s later' },
      ],
    },
    { installation: { state: 'waiting', message: 'm' }, conditions: [{ type: 'Ready', status: 'False', reason: 'Pending', message: 'm' }] },
    { installation: pending, conditions: [{ type: 'Ready', status: 'False', reason: 'Pending', message: 'soon' }] },
    {
      installation: { state: 'failed', reason: 'Forbidden', message: 'm' },
      conditions: [{ type: 'Ready', status: 'False', reason: 'Forbidden', message: 'm' }],
    },
    {
      installation: { state: 'failed', reason: 'Conflict', message: 'm' },
      conditions: [
        { type: 'Ready', status: 'False', reason: 'Conflict', message: 'm' },
        { type: 'Conflict', status: 'True', reason: 'OtherOwner', message: 'm' },
      ],
    },
  ])('given the configuration is $installation.state, then the conditions say so', ({ installation, conditions }) => {
    const found = guardStatus(guard, all([entry]), installation, now).conditions ?? [];

    expect(found).toEqual(conditions.map((each) => ({ ...each, observedGeneration: 3, lastTransitionTime: now })));
  });

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

const naming = (entries: readonly GuardRuleEntry[]): KubeObject => ({
  ...bare,
  status: guardStatus(bare, all(entries), installed, now),
});

describe(namingStatus, () => {
  it('given a guard that names less than will be guarded, then it names both, and is not ready', () => {
    const [first, second] = entriesOfRules(2);

    expect(namingStatus(naming([first!]), all([second!]), now)).toMatchObject({
      ruleCount: 2,
      rules: [first, second],
      conditions: [{ type: 'Ready', status: 'False', reason: 'Pending' }],
    });
  });

  it('given a guard that names all of it, then there is nothing to write', () => {
    expect(namingStatus(naming(entriesOfRules(3)), all(entriesOfRules(2)), now)).toBeUndefined();
  });

  it('given more rules than a status holds, and a guard that names as many as it can and counts them all, then there is nothing to write', () => {
    const guard = naming(entriesOfRules(2_500));

    expect(guardEntries(guard).length).toBeLessThan(2_500);
    expect(namingStatus(guard, all(entriesOfRules(2_500)), now)).toBeUndefined();
  });

  it('given a guard that names rules in the words of an older version, then there is nothing to write first', () => {
    const versioned = entriesOfRules(2).map((each) => ({ ...each, uid: 'u', generation: 2 }));

    expect(namingStatus(naming(entriesOfRules(2)), all(versioned), now)).toBeUndefined();
  });

  it('given a full status that does not name a new rule yet, then it is written first, and whoever asks for least is named', () => {
    const entries = entriesOfRules(2_501);

    const status = namingStatus(naming(entriesOfRules(2_500)), all(entries), now);

    expect(status).toMatchObject({ ruleCount: 2_501 });
    expect(status?.rules).toContainEqual(entries.at(-1));
  });

  it('given a guard that names what is known, when the configuration guards more than that, then a grown status says so', () => {
    const [first, second] = entriesOfRules(2);

    const status = namingStatus(naming([first!]), { entries: [first!, second!], isEverything: false }, now);

    expect(status).toMatchObject({ ruleCount: 3, rules: [first, second] });
  });
});

const vms: GuardRuleEntry = { cluster: 'c1', rule: 'vms', generation: 1, dependent: 'VM.x', resource: 'vpcs.y', enforcement: 'Deny' };
const oneRule: DependencyGuardStatus = { observedGeneration: 1, ruleCount: 1, enforcement: '1 Deny', allowed: 'everyone', rules: [vms] };
const guardSaying = (said: unknown): KubeObject => ({ metadata: { name: 'dependency-controller', uid: 'u1' }, status: said });

describe(namesTheSame, () => {
  it.each<{ given: string; said: unknown; same: boolean }>([
    { given: 'no words', said: { ruleCount: 1, rules: [vms] }, same: true },
    { given: 'the rule before its edit', said: { ...oneRule, rules: [{ ...vms, generation: 0 }] }, same: false },
    { given: 'the rule less strict', said: { ...oneRule, rules: [{ ...vms, enforcement: 'Warn' }] }, same: false },
    { given: 'no rule', said: { ...oneRule, ruleCount: 0, rules: [] }, same: false },
    { given: 'more rules than are listed', said: { ...oneRule, ruleCount: 2 }, same: false },
    { given: 'nothing', said: undefined, same: false },
  ])('given a guard that says $given, then whether it names the same rules is $same', ({ said, same }) => {
    expect(namesTheSame(guardSaying(said), oneRule)).toBe(same);
  });

  it('given a guard without a status, then it names the same as a status that names nothing', () => {
    expect(namesTheSame(guardSaying(undefined), {})).toBe(true);
  });
});

describe(statusTextOf, () => {
  it('given a status, then its text is all but its rules and times; what is not said is not there', () => {
    const condition = { type: 'Ready', status: 'True', reason: 'Written', message: 'm' } as const;
    const { rules: _, ruleCount: __, ...text } = oneRule;

    expect(statusTextOf(guardSaying(undefined), { ...oneRule, conditions: [{ ...condition, lastTransitionTime: now }] })).toStrictEqual({
      uid: 'u1',
      ...text,
      conditions: [condition],
    });
    expect(statusTextOf(guardSaying(undefined), {})).toStrictEqual({ uid: 'u1', conditions: [] });
  });

  const saidAt = (lastTransitionTime: string): DependencyGuardStatus => ({
    ...oneRule,
    conditions: [{ type: 'Ready', status: 'True', observedGeneration: 1, lastTransitionTime, reason: 'Written', message: 'm' }],
  });

  it('given the same at another time, then the words are the same', () => {
    expect(statusTextOf(guardSaying(undefined), saidAt('2026-01-01T00:00:00Z'))).toEqual(
      statusTextOf(guardSaying(oneRule), saidAt('2026-01-02T00:00:00Z')),
    );
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
