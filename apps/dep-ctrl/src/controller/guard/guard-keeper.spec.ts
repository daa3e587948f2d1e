import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { silentLogger } from '@dep-ctrl/kcp-client';
import { logicalCluster, type KubeObject } from '@dep-ctrl/kcp-names';
import { GUARD_FINALIZER, GUARD_NAME, GUARDS } from '@dep-ctrl/rule-registry';
import type { Site } from '../configuration/configuration-writer.js';
import { GuardKeeper } from './guard-keeper.js';
import { newGuard } from './guard-objects.js';
import { ControllerStage, type Place } from '../testing/controller-stage.js';
import { eventuallyIs } from '../testing/observations.js';

jest.setTimeout(120_000);
const signal = AbortSignal.timeout(600_000);
const SPEC = { allowRulesFrom: ['root:friends'] };

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

    const guard = await keeper.ensure(site, undefined, { signal });

    expect(guard).toMatchObject({ metadata: { name: GUARD_NAME, finalizers: [GUARD_FINALIZER] } });
  });

  it('given a guard that the provider made and nobody has seen yet, then nothing is done before it is seen, and then it is held and keeps its spec', async () => {
    const site = await newSite();
    const made = await site.client.create(GUARDS, providersGuard(), { signal });

    await expect(keeper.ensure(site, undefined, { signal })).rejects.toMatchObject({ code: 'conflict' });
    expect(await guardOf(site)).toEqual(made);

    const guard = await keeper.ensure(site, made, { signal });
    expect(guard).toMatchObject({ metadata: { finalizers: [GUARD_FINALIZER] }, spec: SPEC });
  });

  it('given a workspace that has bound again, then an old sight of its unbinding is not believed', async () => {
    const site = await newSite();

    await expect(keeper.proveUnbinding(site, { signal })).rejects.toMatchObject({ code: 'conflict' });
  });

  it('given a guard deleted by hand, then it is made again with its spec, as another object', async () => {
    const site = await newSite();
    const deleted = await deletedGuard(site, SPEC);

    const guard = await keeper.ensure(site, deleted, { signal });

    expect(guard).toMatchObject({ metadata: { uid: notThatOf(deleted), finalizers: [GUARD_FINALIZER] }, spec: SPEC });
    expect(await guardOf(site)).toEqual(guard);
  });

  it('given a guard without a spec that is deleted by hand, then it is made again without one', async () => {
    const site = await newSite();
    const deleted = await deletedGuard(site);

    const guard = await keeper.ensure(site, deleted, { signal });

    expect(guard).toMatchObject({ metadata: { uid: notThatOf(deleted) } });
    expect(guard).not.toHaveProperty('spec');
  });

  it('given a guard deleted by hand, when making it again fails, then there is none, and whoever comes next makes one without its spec', async () => {
    const site = await newSite();
    const deleted = await deletedGuard(site, SPEC);
    const path = new RegExp(`/clusters/${site.cluster}/.*/dependencyguards`);
    stage.kcp.faults.onRequest({ method: 'POST', path }, { kind: 'answer', status: 403 }, { times: 1 });

    await expect(keeper.ensure(site, deleted, { signal })).rejects.toThrow('403');
    const between = await guardOf(site);
    const remade = await keeper.ensure(site, undefined, { signal });

    expect(between).toBeUndefined();
    expect(remade).toMatchObject({ metadata: { finalizers: [GUARD_FINALIZER] } });
    expect(remade).not.toHaveProperty('spec');
  });

  it('given a guard that is being deleted in a workspace that unbinds, then it is not made again, and still held', async () => {
    const place = await stage.provider();
    const site = siteOf(place);
    const deleted = await deletedGuard(site, SPEC);
    await stage.unbind(place);

    expect(await keeper.ensure(site, deleted, { signal })).toBe('unbinding');
    expect(await guardOf(site)).toMatchObject({ metadata: { uid: deleted.metadata.uid, finalizers: [GUARD_FINALIZER] } });
    await keeper.release(site.client, deleted, { remove: false, signal });
    await eventuallyIs(() => stage.isUnbound(place), true);
  });

  it('given a guard that is another one than was seen, then nothing is decided from what was seen', async () => {
    const site = await newSite();
    const made = await keeper.ensure(site, undefined, { signal });

    await expect(keeper.proveLatest(site, undefined, { signal })).rejects.toMatchObject({ code: 'conflict' });
    await expect(keeper.proveLatest(site, made === 'unbinding' ? undefined : made, { signal })).resolves.toBeUndefined();
  });

  async function newSite(): Promise<Site> {
    return siteOf(await stage.provider());
  }

  function siteOf({ cluster }: Place): Site {
    const owner = logicalCluster('abc123');
    return { client: stage.connection.cluster(cluster), cluster, owner: owner };
  }

  async function deletedGuard(site: Site, spec?: object): Promise<KubeObject> {
    await site.client.create(GUARDS, newGuard(spec), { signal });
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

function notThatOf({ metadata }: KubeObject): unknown {
  return expect.not.stringMatching(metadata.uid ?? '');
}
