import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { systemClock, type Clock } from '@dep-ctrl/kcp-client';
import { logicalCluster, type KubeObject } from '@dep-ctrl/kcp-names';
import { GUARD_NAME, guardEntries, GUARDS, type GuardRuleEntry } from '@dep-ctrl/rule-registry';
import type { Site } from '../configuration/configuration-writer.js';
import { ControllerStage } from '../testing/controller-stage.js';
import { conditionOf } from '../testing/observations.js';
import { newGuard } from './guard-objects.js';
import { GuardStatusWriter, type RulesOfGuard } from './guard-status-writer.js';

jest.setTimeout(120_000);
const options = { signal: AbortSignal.timeout(600_000) };
const installation = { state: 'installed', resources: [], named: new Set<string>(), noRoom: new Set<string>() } as const;

describe(GuardStatusWriter, () => {
  let stage: ControllerStage;

  beforeAll(async () => {
    stage = await ControllerStage.start();
  });

  afterAll(() => stage.stop());

  it('given a rule that the guard does not name, then it is named before it is in force, and only once', async () => {
    const { site, guard } = await newSite();
    const writer = writerAt(0);

    const isDue = writer.isNamingDue(guard, rulesNamed('vms'));
    const naming = await writer.nameFirst(site, guard, rulesNamed('vms'), options);
    const again = await writer.nameFirst(site, naming, rulesNamed('vms'), options);

    expect(isDue).toBe(true);
    expect(guardEntries(naming).map(({ rule }) => rule)).toEqual(['vms']);
    expect(conditionOf(naming, 'Ready')).toBe('False Pending');
    expect(writer.isNamingDue(naming, rulesNamed('vms'))).toBe(false);
    expect(again).toBe(naming);
  });

  it('given another writer that replaces the text again and again, then the fifth time waits, until the pause is over', async () => {
    const { site } = await newSite();
    let nowMs = 0;
    const writer = writerAt(() => nowMs);
    const write = async () => writer.write(site, await rewritten(site), { ...rulesNamed('vms'), installation }, options);

    const answers = [await write(), await write(), await write(), await write(), await write()];
    const waiting = await guardOf(site);
    nowMs = 2_000;
    const later = await write();

    expect(answers).toEqual(['when-told', 'when-told', 'when-told', 'when-told', 'soon']);
    expect(conditionOf(waiting, 'Ready')).toBe('False Theirs');
    expect(later).toBe('when-told');
    expect(conditionOf(await guardOf(site), 'Ready')).toBe('True Written');
  });

  it('given such a writer, when the rules change, then they are named at once', async () => {
    const { site } = await newSite();
    const writer = writerAt(0);
    const write = async (rule: string) => writer.write(site, await rewritten(site), { ...rulesNamed(rule), installation }, options);
    for (let count = 0; count < 5; count++) await write('vms');

    const answer = await write('disks');

    expect(answer).toBe('when-told');
    expect(guardEntries((await guardOf(site)) ?? { metadata: {} }).map(({ rule }) => rule)).toEqual(['disks']);
  });

  function writerAt(now: number | (() => number)): GuardStatusWriter {
    const clock: Clock = { ...systemClock, monotonic: typeof now === 'number' ? () => now : now };
    return new GuardStatusWriter({ registry: { isBound: () => true }, resolutionOf: () => undefined, clock });
  }

  async function newSite(): Promise<{ readonly site: Site; readonly guard: KubeObject }> {
    const { cluster } = await stage.provider();
    const owner = logicalCluster('abc123');
    const site = { client: stage.connection.cluster(cluster), cluster, owner: owner };
    return { site, guard: await site.client.create(GUARDS, newGuard(), options) };
  }

  /** The guard after another controller has written its own text, which names the same rules. */
  async function rewritten({ client }: Site): Promise<KubeObject> {
    const guard = await client.get(GUARDS, { name: GUARD_NAME }, options);
    const lastTransitionTime = '2026-01-01T00:00:00Z';
    const theirs = { type: 'Ready', status: 'False', reason: 'Theirs', message: 'another text', lastTransitionTime };
    return client.replaceStatus(GUARDS, { ...guard, status: { ...(guard['status'] as object), conditions: [theirs] } }, options);
  }

  function guardOf({ client }: Site): Promise<KubeObject | undefined> {
    return client.get(GUARDS, { name: GUARD_NAME }, options);
  }
});

function rulesNamed(rule: string): RulesOfGuard {
  const entry: GuardRuleEntry = { cluster: 'c1', rule, dependent: 'VM.x', resource: 'vpcs.y', enforcement: 'Deny' };
  return { named: { entries: [entry], isEverything: true }, turnedAway: [] };
}
