import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { silentLogger } from '@dep-ctrl/kcp-client';
import { parseLogicalClusterName, type KubeObject } from '@dep-ctrl/kcp-names';
import { GUARD_FINALIZER, GUARD_NAME, GUARDS } from '@dep-ctrl/rule-registry';
import { WEBHOOK_CONFIGURATIONS } from '@dep-ctrl/webhook-installer';
import type { Site } from '../configuration/configuration-writer.js';
import { OWNER_LABEL } from '../../kcp-objects/configuration-labels.js';
import { GuardKeeper } from './guard-keeper.js';
import { newGuard } from './guard-objects.js';
import { GUARD_NOTE_ANNOTATION } from './guard-note.js';
import { ControllerStage } from '../testing/controller-stage.js';

jest.setTimeout(120_000);
const signal = AbortSignal.timeout(600_000);
const SPEC = { allowRulesFrom: ['root:friends'] };
const NAMED = { cluster: 'abc', rule: 'vms', dependent: 'VirtualMachine.x.io', resource: 'vpcs.y.io', enforcement: 'Deny' };
const NOTHING_SEEN = { guard: undefined, configuration: undefined };

describe(GuardKeeper, () => {
  let stage: ControllerStage;
  let keeper: GuardKeeper;

  beforeAll(async () => {
    stage = await ControllerStage.start();
    keeper = new GuardKeeper({ exportName: stage.depCtrlExport.name, logger: silentLogger });
  });

  afterAll(() => stage.stop());

  it('given no guard, then one with our finalizer is made', async () => {
    const site = await newSite();

    const guard = await keeper.ensure(site, NOTHING_SEEN, { signal });

    expect(guard).toMatchObject({ metadata: { name: GUARD_NAME, finalizers: [GUARD_FINALIZER] } });
  });

  it('given a guard that the provider made and nobody has seen yet, then it is held and keeps its spec', async () => {
    const site = await newSite();
    await site.client.create(GUARDS, providersGuard(), { signal });

    const guard = await keeper.ensure(site, NOTHING_SEEN, { signal });

    expect(guard).toMatchObject({ metadata: { finalizers: [GUARD_FINALIZER] }, spec: SPEC });
  });

  it('given a workspace that has bound again, then an old sight of its unbinding is not believed', async () => {
    const site = await newSite();

    await expect(keeper.proveUnbinding(site, { signal })).rejects.toMatchObject({ code: 'conflict' });
  });

  it('given a guard deleted by hand, when making the new one fails, then whoever comes next makes it with the old spec', async () => {
    const site = await newSite();
    await site.client.create(WEBHOOK_CONFIGURATIONS, configuration(site), { signal });
    const deleted = await deletedGuard(site);
    const path = new RegExp(`/clusters/${site.cluster}/.*/dependencyguards`);
    stage.kcp.faults.onRequest({ method: 'POST', path }, { kind: 'answer', status: 403 }, { times: 1 });

    await expect(keeper.ensure(site, { guard: deleted, configuration: undefined }, { signal })).rejects.toThrow('403');
    const between = await guardOf(site);
    const noted = await site.client.get(WEBHOOK_CONFIGURATIONS, { name: GUARD_NAME }, { signal });
    const remade = await keeper.ensure(site, NOTHING_SEEN, { signal });

    expect(between).toBeUndefined();
    expect(remade).toMatchObject({ metadata: { finalizers: [GUARD_FINALIZER] }, spec: SPEC });
    expect(noted.metadata.annotations?.[GUARD_NOTE_ANNOTATION]).toBe(JSON.stringify({ spec: SPEC }));
    const after = await site.client.get(WEBHOOK_CONFIGURATIONS, { name: GUARD_NAME }, { signal });
    expect(after.metadata.annotations?.[GUARD_NOTE_ANNOTATION]).toBeUndefined();
  });

  it('given only a configuration of somebody else to keep its spec on, when a guard is deleted by hand, then it is not let go', async () => {
    const site = await newSite();
    await site.client.create(WEBHOOK_CONFIGURATIONS, configuration(site, { [OWNER_LABEL]: 'other' }), { signal });
    const deleted = await deletedGuard(site);

    const guard = await keeper.ensure(site, { guard: deleted, configuration: undefined }, { signal });

    expect(guard).toEqual(deleted);
    expect(await guardOf(site)).toMatchObject({ metadata: { uid: deleted.metadata.uid, finalizers: [GUARD_FINALIZER] }, spec: SPEC });
  });

  it('given no configuration to keep its spec on, when a guard is deleted by hand, then one that asks nobody carries it', async () => {
    const site = await newSite();
    const deleted = await deletedGuard(site);
    const path = new RegExp(`/clusters/${site.cluster}/.*/dependencyguards`);
    stage.kcp.faults.onRequest({ method: 'POST', path }, { kind: 'answer', status: 403 }, { times: 1 });

    await expect(keeper.ensure(site, { guard: deleted, configuration: undefined }, { signal })).rejects.toThrow('403');
    const carrier = await site.client.get(WEBHOOK_CONFIGURATIONS, { name: GUARD_NAME }, { signal });
    const remade = await keeper.ensure(site, NOTHING_SEEN, { signal });

    expect(carrier['webhooks'] ?? []).toEqual([]);
    expect(remade).toMatchObject({ metadata: { finalizers: [GUARD_FINALIZER] }, spec: SPEC });
  });

  it('given a guard deleted by hand that names rules, then the new one names them before anything else is done', async () => {
    const site = await newSite();
    await site.client.create(WEBHOOK_CONFIGURATIONS, configuration(site), { signal });
    const guard = await site.client.create(GUARDS, newGuard(), { signal });
    const status = { observedGeneration: 1, ruleCount: 1, rules: [NAMED], conditions: [] };
    await site.client.replaceStatus(GUARDS, { ...guard, status }, { signal });
    await site.client.delete(GUARDS, { name: GUARD_NAME }, { signal });
    const path = new RegExp(`/clusters/${site.cluster}/.*/dependencyguards/.*/status`);
    stage.kcp.faults.onRequest({ method: 'PUT', path }, { kind: 'answer', status: 503 }, { times: 1 });

    await expect(keeper.ensure(site, { guard: await guardOf(site), configuration: undefined }, { signal })).rejects.toThrow('503');
    const silent = await guardOf(site);
    await site.client.delete(GUARDS, { name: GUARD_NAME }, { signal });
    const again = await keeper.ensure(site, { guard: await guardOf(site), configuration: undefined }, { signal });

    expect(silent?.['status']).toBeUndefined();
    expect(again).toMatchObject({ status: { ruleCount: 1, rules: [NAMED] } });
  });

  it('given a guard that is another one than was seen, then nothing is decided from what was seen', async () => {
    const site = await newSite();
    const made = await keeper.ensure(site, NOTHING_SEEN, { signal });

    await expect(keeper.proveLatest(site, undefined, { signal })).rejects.toMatchObject({ code: 'conflict' });
    await expect(keeper.proveLatest(site, made === 'unbinding' ? undefined : made, { signal })).resolves.toBeUndefined();
  });

  it('given a guard without a spec that is deleted by hand, then there is nothing to keep, and it is made again at once', async () => {
    const site = await newSite();
    await site.client.create(GUARDS, newGuard(), { signal });
    await site.client.delete(GUARDS, { name: GUARD_NAME }, { signal });
    const deleted = await guardOf(site);

    const guard = await keeper.ensure(site, { guard: deleted, configuration: undefined }, { signal });

    expect(guard).toMatchObject({ metadata: { uid: expect.not.stringMatching(deleted?.metadata.uid ?? '') } });
  });

  async function newSite(): Promise<Site> {
    const { cluster } = await stage.provider();
    const owner = parseLogicalClusterName('abc123');
    if (!owner.ok) throw new Error(owner.problem);
    return { client: stage.connection.cluster(cluster), cluster, owner: owner.value };
  }

  async function deletedGuard(site: Site): Promise<KubeObject> {
    await site.client.create(GUARDS, newGuard(SPEC), { signal });
    await site.client.delete(GUARDS, { name: GUARD_NAME }, { signal });
    const guard = await guardOf(site);
    if (guard === undefined) throw new Error('the finalizer did not hold it');
    return guard;
  }

  function guardOf({ client }: Site): Promise<KubeObject | undefined> {
    return client.get(GUARDS, { name: GUARD_NAME }, { signal }).catch(() => undefined);
  }
});

function providersGuard(): KubeObject {
  return { ...newGuard(SPEC), metadata: { name: GUARD_NAME } };
}

function configuration({ owner }: Site, labels: Readonly<Record<string, string>> = { [OWNER_LABEL]: owner }): KubeObject {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: GUARD_NAME, labels },
    webhooks: [],
  };
}
