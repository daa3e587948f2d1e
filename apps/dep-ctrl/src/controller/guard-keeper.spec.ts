import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { silentLogger } from '@dep-ctrl/kcp-client';
import { parseLogicalClusterName, type KubeObject } from '@dep-ctrl/kcp-names';
import { GUARD_FINALIZER, GUARD_NAME, GUARDS } from '@dep-ctrl/rule-registry';
import { WEBHOOK_CONFIGURATIONS } from '@dep-ctrl/webhook-installer';
import type { Site } from './configuration-writer.js';
import { OWNER_LABEL } from './configuration-labels.js';
import { GuardKeeper } from './guard-keeper.js';
import { newGuard } from './guard-objects.js';
import { GUARD_SPEC_ANNOTATION } from './spec-memory.js';
import { ControllerStage } from './testing/controller-stage.js';

jest.setTimeout(120_000);
const signal = AbortSignal.timeout(600_000);
const SPEC = { allowRulesFrom: ['root:friends'] };
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

  it('given a guard deleted by hand, when making the new one fails, then whoever comes next makes it with the old spec', async () => {
    const site = await newSite();
    await site.client.create(WEBHOOK_CONFIGURATIONS, configuration(site), { signal });
    const deleted = await deletedGuard(site);
    const path = new RegExp(`/clusters/${site.cluster}/.*/dependencyguards`);
    stage.kcp.faults.onRequest({ method: 'POST', path }, { kind: 'answer', status: 403 }, { times: 1 });

    await expect(keeper.ensure(site, { guard: deleted, configuration: undefined }, { signal })).rejects.toThrow('403');
    const between = await guardOf(site);
    const remade = await keeper.ensure(site, NOTHING_SEEN, { signal });
    const noted = await site.client.get(WEBHOOK_CONFIGURATIONS, { name: GUARD_NAME }, { signal });
    await keeper.ensure(site, { guard: await guardOf(site), configuration: noted }, { signal });

    expect(between).toBeUndefined();
    expect(remade).toMatchObject({ metadata: { finalizers: [GUARD_FINALIZER] }, spec: SPEC });
    expect(noted.metadata.annotations?.[GUARD_SPEC_ANNOTATION]).toBe(JSON.stringify(SPEC));
    const after = await site.client.get(WEBHOOK_CONFIGURATIONS, { name: GUARD_NAME }, { signal });
    expect(after.metadata.annotations?.[GUARD_SPEC_ANNOTATION]).toBeUndefined();
  });

  it.each([
    { given: 'no configuration', other: undefined },
    { given: 'only a configuration of somebody else', other: { [OWNER_LABEL]: 'other' } },
  ])('given $given to keep its spec on, when a guard is deleted by hand, then it is not let go', async ({ other }) => {
    const site = await newSite();
    if (other !== undefined) await site.client.create(WEBHOOK_CONFIGURATIONS, configuration(site, other), { signal });
    const deleted = await deletedGuard(site);

    const guard = await keeper.ensure(site, { guard: deleted, configuration: undefined }, { signal });

    expect(guard).toEqual(deleted);
    expect(await guardOf(site)).toMatchObject({ metadata: { uid: deleted.metadata.uid, finalizers: [GUARD_FINALIZER] }, spec: SPEC });
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
