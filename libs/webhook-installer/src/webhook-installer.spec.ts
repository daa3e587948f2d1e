import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { startBoundWorld, until, type BoundWorld } from './spec-support/bound-workspace.js';
import type { InstallOutcome } from './install-outcome.js';
import { WEBHOOK_CONFIGURATIONS, type DesiredConfiguration } from './webhook-configuration.js';
import { WebhookInstaller } from './webhook-installer.js';

const signal = AbortSignal.timeout(300_000);
const NAME = 'guard';
const desired: DesiredConfiguration = {
  labels: { 'app.kubernetes.io/managed-by': 'guard' },
  webhooks: [
    {
      name: 'guard.example.com',
      clientConfig: { url: 'https://guard.example.com/validate' },
      rules: [{ operations: ['DELETE'], apiGroups: ['x.io'], apiVersions: ['*'], resources: ['bs', 'as'] }],
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
    },
  ],
};

jest.setTimeout(30_000);

describe(WebhookInstaller, () => {
  let world: BoundWorld;

  beforeAll(async () => {
    world = await startBoundWorld();
  }, 60_000);

  afterAll(() => world.stop());

  it('given nothing, then it installs; again: one read and no write; nothing desired: it is removed; again: it is absent', async () => {
    const { behind, inside } = await world.workspace('plain');
    const installer = installing();

    expect(await installer.ensure(behind, desired, { signal })).toEqual({ state: 'installed', change: 'created' });
    expect((await read(inside))?.metadata.labels).toMatchObject({ owner: 'me', 'app.kubernetes.io/managed-by': 'guard' });

    const before = world.kcp.requests.count({ path: /validatingwebhookconfigurations/ });
    expect(await installer.ensure(behind, desired, { signal })).toEqual({ state: 'unchanged' });
    expect(world.kcp.requests.count({ path: /validatingwebhookconfigurations/ }) - before).toBe(1);

    expect(await installer.remove(behind, { signal })).toEqual({ state: 'removed' });
    expect(await read(inside)).toBeUndefined();
    expect(await installer.remove(behind, { signal })).toEqual({ state: 'absent' });
  });

  it('given what a watch has shown, then what is to be written is written without a read; what is outdated or says that all is well is read', async () => {
    const { behind, inside } = await world.workspace('seen');
    const installer = installing();
    const reads = (): number => world.kcp.requests.count({ path: /validatingwebhookconfigurations/, method: 'GET' });
    const other = { ...desired, labels: { 'app.kubernetes.io/managed-by': 'other' } };
    const before = reads();

    expect(await installer.ensure(behind, desired, { signal, seen: 'absent' })).toEqual({ state: 'installed', change: 'created' });
    const seen = (await read(inside))!;
    expect(await installer.ensure(behind, other, { signal, seen })).toEqual({ state: 'installed', change: 'replaced' });
    expect(reads() - before).toBe(1); // this spec's own

    expect(await installer.ensure(behind, desired, { signal, seen })).toEqual({ state: 'installed', change: 'replaced' });
    expect(await installer.ensure(behind, desired, { signal, seen: 'absent' })).toEqual({ state: 'unchanged' });
    await installer.ensure(behind, other, { signal, seen: 'absent' });
    expect(await installer.ensure(behind, desired, { signal, seen })).toEqual({ state: 'installed', change: 'replaced' });
  });

  it('given an edit by hand, then it is repaired and labels of others stay', async () => {
    const { behind, inside } = await world.workspace('edited');
    const installer = installing();
    await installer.ensure(behind, desired, { signal });
    const edited = await read(inside);
    const webhooks = (edited?.['webhooks'] as readonly object[]).map((entry) => ({ ...entry, failurePolicy: 'Ignore' }));
    const metadata = { ...edited!.metadata, labels: { ...edited!.metadata.labels, theirs: 'stays' } };
    await inside.replace(WEBHOOK_CONFIGURATIONS, { ...edited!, metadata, webhooks }, { signal });

    expect(await installer.ensure(behind, desired, { signal })).toEqual({ state: 'installed', change: 'replaced' });

    const repaired = await read(inside);
    expect(repaired?.['webhooks']).toMatchObject([{ failurePolicy: 'Fail' }]);
    expect(repaired?.metadata.labels).toMatchObject({ theirs: 'stays', owner: 'me' });
  });

  it('given somebody else’s configuration, then it is a conflict and stays as it is', async () => {
    const { behind, inside } = await world.workspace('foreign');
    await createForeign(inside, { owner: 'you' });
    await until(() => read(behind), signal);

    expect(await installing().ensure(behind, desired, { signal })).toEqual({ state: 'conflict', owner: 'you' });
    expect(await installing().remove(behind, { signal })).toEqual({ state: 'absent' });
    expect((await read(inside))?.['webhooks']).toEqual([]);
  });

  it('given what an older version left, then it is adopted', async () => {
    const { behind, inside } = await world.workspace('old');
    await createForeign(inside, {});
    await until(() => read(behind), signal);

    expect(await installing(() => true).ensure(behind, desired, { signal })).toEqual({ state: 'installed', change: 'adopted' });
  });

  it('given a claim that is rejected, then accepted, then the outcome follows', async () => {
    const { behind, inside } = await world.workspace('rejecting', 'Rejected');
    const installer = installing();

    expect(await installer.ensure(behind, desired, { signal })).toEqual({
      state: 'claim-not-accepted',
      problem: 'the APIBinding rejects the permission claim',
      retryable: false,
    });

    await world.answer(inside, 'Accepted');
    const installed = await until(async () => {
      const outcome = await installer.ensure(behind, desired, { signal });
      return outcome.state === 'installed' ? outcome : undefined;
    }, signal);
    expect(installed).toEqual({ state: 'installed', change: 'created' });
  });

  it('given a workspace that does not bind, then the outcome says so', async () => {
    const { behind } = await world.workspace('loner', 'unbound');

    expect(await installing().ensure(behind, desired, { signal })).toMatchObject({ state: 'not-bound', retryable: true });
  });

  it('given a kcp that restarts as a real one does, then no failure that it answers of a workspace that is bound is for good', async () => {
    const { behind } = await world.workspace('restarted');
    expect(await installing().ensure(behind, desired, { signal })).toMatchObject({ state: 'installed' });
    const [shard] = world.kcp.shards;
    await shard?.stop();
    const started = shard?.start({ pace: 'as-kcp' });

    const failures: InstallOutcome[] = [];
    for (let outcome = await installing().ensure(behind, desired, { signal }); outcome.state !== 'unchanged';) {
      failures.push(outcome);
      outcome = await installing().ensure(behind, desired, { signal });
    }
    await started;

    expect(new Set(failures.map(({ state }) => state))).toEqual(new Set(['unreachable', 'not-bound']));
    expect(failures.filter((failure) => !('retryable' in failure && failure.retryable))).toEqual([]);
  });

  it('given writes that lose against somebody faster, then it starts over and wins, or says that it could not', async () => {
    const { behind } = await world.workspace('contended');
    const installer = installing();
    await installer.ensure(behind, desired, { signal });
    const other = { ...desired, webhooks: [{ ...desired.webhooks[0]!, timeoutSeconds: 3 }] };
    const put = { method: 'PUT', path: /validatingwebhookconfigurations/ };
    const conflict = {
      kind: 'answer',
      status: 409,
      body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'Conflict', code: 409 },
    } as const;

    world.kcp.faults.onRequest(put, conflict, { times: 2 });
    expect(await installer.ensure(behind, other, { signal })).toEqual({ state: 'installed', change: 'replaced' });

    const mend = world.kcp.faults.onRequest(put, conflict);
    expect(await installer.ensure(behind, desired, { signal })).toEqual({
      state: 'pending',
      problem: 'somebody else keeps changing the configuration',
      retryable: true,
    });
    mend();
  });

  it('given one that is there unseen twice and then no more, then it installs', async () => {
    const { behind } = await world.workspace('flickering');
    const exists = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'AlreadyExists', code: 409 };
    const post = { method: 'POST', path: /validatingwebhookconfigurations/ };

    world.kcp.faults.onRequest(post, { kind: 'answer', status: 409, body: exists }, { times: 2 });

    expect(await installing().ensure(behind, desired, { signal })).toEqual({ state: 'installed', change: 'created' });
  });

  it('given a server that is away, then it is unreachable and may be tried again', async () => {
    const { behind } = await world.workspace('away');
    const mend = world.kcp.faults.onRequest({ path: /validatingwebhookconfigurations/ }, { kind: 'answer', status: 503 });

    expect(await installing().ensure(behind, desired, { signal })).toMatchObject({ state: 'unreachable', retryable: true });
    mend();
  });

  it('given a configuration that a finalizer holds, then it is not said to be removed', async () => {
    const { behind, inside } = await world.workspace('held');
    const installer = installing();
    await installer.ensure(behind, desired, { signal });
    await inside.patch(
      WEBHOOK_CONFIGURATIONS,
      { name: NAME },
      { kind: 'merge', body: { metadata: { finalizers: ['example.com/held'] } } },
      { signal },
    );

    expect(await installer.remove(behind, { signal })).toMatchObject({
      state: 'pending',
      problem: expect.stringContaining('example.com/held'),
    });
  });

  it('given an aborted signal, then it throws', async () => {
    const { behind } = await world.workspace('aborted');

    await expect(installing().ensure(behind, desired, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'aborted' });
  });

  function installing(adopt: (configuration: KubeObject) => boolean = () => false): WebhookInstaller {
    return new WebhookInstaller({ name: NAME, ownership: { label: 'owner', value: 'me', adopt }, boundExport: world.boundExport });
  }

  async function read(client: Awaited<ReturnType<BoundWorld['workspace']>>['inside']): Promise<KubeObject | undefined> {
    for await (const page of client.list(WEBHOOK_CONFIGURATIONS, {}, { signal })) {
      const found = page.objects().find(({ metadata }) => metadata.name === NAME);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  async function createForeign(
    client: Awaited<ReturnType<BoundWorld['workspace']>>['inside'],
    labels: Record<string, string>,
  ): Promise<void> {
    const kind = 'ValidatingWebhookConfiguration';
    const foreign = { apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata: { name: NAME, labels }, webhooks: [] };
    await client.create(WEBHOOK_CONFIGURATIONS, foreign, { signal });
  }
});
