import { afterEach, describe, expect, it } from '@jest/globals';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { parseUrlSecrets, type UrlSecrets } from '@dep-ctrl/admission-server';
import { VIRTUAL_MACHINES } from '../dev/provider-manifests.js';
import { makeGuard } from './testing/guard-on-stage.js';
import { RoleStage, type RoleStageOptions } from './testing/role-stage.js';
import { deleteReview, wire } from './testing/reviews.js';
import { deriveUrlToken } from '../url-tokens/url-tokens.js';
import { WebhookRole } from './webhook-role.js';

const { signal: forever } = new AbortController();
const stages: RoleStage[] = [];

describe(WebhookRole, () => {
  afterEach(async () => {
    for (const stage of stages.splice(0)) await stage.stop();
  });

  it('given URL secrets, then only the token of that workspace is let in, and the rest is not found', async () => {
    const secrets = secretsOf('first-secret-of-the-test\nsecond-secret-of-the-test');
    const stage = await start({ urlSecrets: () => secrets });
    const consumer = await stage.consumer();
    await stage.create(consumer, 'my-vpc', 'my-vm');
    const [first, second] = secrets.map((secret) => deriveUrlToken(secret, stage.network));
    const foreign = deriveUrlToken(secrets[0], stage.compute);
    const post = async (path: string): Promise<number> => (await stage.post(path, wire(deleteReview()))).code;

    for (const token of [first, second]) {
      expect(await stage.review(consumer, { path: `/validate/${stage.network}/${token}` })).toMatchObject({ allowed: false });
    }
    expect(await post('/validate')).toBe(404);
    expect(await post(`/validate/${stage.network}`)).toBe(404);
    expect(await post(`/validate/${stage.network}/advisory`)).toBe(404);
    expect(await post(`/validate/${stage.network}/${foreign}`)).toBe(404);
    expect(await post(`/validate/${stage.network}/${first}/bypass`)).toBe(200);
  }, 60_000);

  it('given a type whose reference no column shows, then whole objects are read, page by page, and judged the same', async () => {
    const stage = await start({ computeSchema: withoutColumns, limits: { objectsPerPage: 3 } });
    const consumer = await stage.consumer();
    await stage.create(consumer, 'other-vpc', 'vm-0', 'vm-1', 'vm-2', 'vm-3', 'vm-4', 'vm-5', 'vm-6');

    expect(await stage.review(consumer)).toMatchObject({ allowed: true });
    await stage.create(consumer, 'my-vpc', 'vm-7');
    expect(await stage.review(consumer)).toMatchObject({ allowed: false, status: { code: 403 } });
    expect(stage.lists.filter(({ of }) => of === 'dependents')).toMatchObject([
      { form: 'objects', pages: 3, outcome: 'ok' },
      { form: 'objects', pages: 3, outcome: 'ok' },
    ]);
  }, 60_000);

  it('given that the second page is lost, then what the first said does not count', async () => {
    const stage = await start({ computeSchema: withoutColumns, limits: { objectsPerPage: 2 } });
    const consumer = await stage.consumer();
    await stage.create(consumer, 'other-vpc', 'vm-0', 'vm-1', 'vm-2');
    const page = { path: /virtualmachines$/ };
    stage.kcp.faults.onRequest(page, { kind: 'delay', ms: 0 }, { times: 1 });
    stage.kcp.faults.onRequest(page, { kind: 'answer', status: 500 });

    expect(await stage.review(consumer)).toMatchObject({
      allowed: false,
      status: { code: 503 },
    });
  }, 60_000);

  it('given that kcp forgets the list between two pages, then it is read anew', async () => {
    const stage = await start({ computeSchema: withoutColumns, limits: { objectsPerPage: 2 } });
    const consumer = await stage.consumer();
    await stage.create(consumer, 'other-vpc', 'vm-0', 'vm-1', 'vm-2');
    await stage.create(consumer, 'my-vpc', 'vm-3');
    const page = { path: /virtualmachines$/ };
    stage.kcp.faults.onRequest(page, { kind: 'delay', ms: 0 }, { times: 1 });
    stage.kcp.faults.onRequest(page, { kind: 'answer', status: 410 }, { times: 1 });

    expect(await stage.review(consumer)).toMatchObject({ allowed: false, status: { code: 403 } });
  }, 60_000);

  it('given pages that are larger than allowed, then smaller ones are read', async () => {
    const stage = await start({ computeSchema: withoutColumns, limits: { objectsPerPage: 500, pageBytes: 12_000 } });
    const consumer = await stage.consumer();
    await stage.create(consumer, 'my-vpc', ...Array.from({ length: 30 }, (_, index) => `vm-${String(index).padStart(2, '0')}`));

    expect(await stage.review(consumer)).toMatchObject({
      allowed: false,
      status: { message: expect.stringContaining('VirtualMachine/vm-00, VirtualMachine/vm-01') },
    });
  }, 60_000);

  it('given a version that is no longer served, then the one that is is read; given none with the field, then the refusal says so', async () => {
    const stage = await start({ computeSchema: servedAsV1 });
    const consumer = await stage.consumer();
    const vm = { metadata: { name: 'my-vm', namespace: 'default' }, spec: { vpcRef: { name: 'my-vpc' } } };
    const v1 = { ...VIRTUAL_MACHINES, version: 'v1' };
    await stage.patiently('the virtual machine', () =>
      consumer.client.create(v1, { apiVersion: `${v1.group}/v1`, kind: 'VirtualMachine', ...vm }, { signal: forever }),
    );

    expect(await stage.review(consumer)).toMatchObject({
      allowed: false,
      status: { code: 403, message: expect.stringContaining('my-vm') },
    });
  }, 60_000);

  it('given that a shard elsewhere is dead, then what its guard names is judged, and readiness stays', async () => {
    const stage = await start({ shards: 2, maxRuleAgeMs: 0 });
    const consumer = await stage.consumer();
    await stage.create(consumer, 'my-vpc', 'my-vm');
    await stage.elsewhere('shard-1');
    await makeGuard(stage, [{ cluster: stage.compute, rule: 'vm-dependencies' }]);
    expect(await stage.review(consumer)).toMatchObject({ allowed: false, status: { code: 403 } });

    await stage.kcp.shards[1]?.stop();

    expect(await stage.review(consumer)).toMatchObject({ allowed: false, status: { code: 403 } });
    expect(stage.role.readinessChecks.map((each) => each.check().ready)).toEqual([true, true]);
  }, 60_000);

  it('given a guard that names a rule nobody knows yet, then its workspace waits: 503', async () => {
    const stage = await start({ maxRuleAgeMs: 0 });
    const consumer = await stage.consumer();
    await makeGuard(stage, [
      { cluster: stage.compute, rule: 'vm-dependencies' },
      { cluster: stage.compute, rule: 'not-there-yet' },
    ]);
    stage.kcp.faults.onRequest({ path: /dependencyrules$/, watch: false }, { kind: 'answer', status: 500 });

    expect(await stage.review(consumer)).toMatchObject({ allowed: false, status: { code: 503 } });
  }, 60_000);

  it('given a guard that does not admit the rule, then it guards nothing', async () => {
    const stage = await start();
    const consumer = await stage.consumer();
    await stage.create(consumer, 'my-vpc', 'my-vm');

    await makeGuard(stage, [], { allowRulesFrom: [] });

    expect(await stage.review(consumer)).toEqual({ uid: expect.any(String), allowed: true });
  }, 60_000);

  it('given a stop while a review is judged, then it is answered before the role ends', async () => {
    const stage = await start();
    const consumer = await stage.consumer();
    await stage.create(consumer, 'my-vpc', 'my-vm');
    const lift = stage.kcp.faults.onRequest({ path: /virtualmachines$/ }, { kind: 'hold' });
    const answer = stage.review(consumer);
    await stage.asked(/virtualmachines$/);

    const stopped = stage.stopRole();
    lift();

    expect(await answer).toMatchObject({ allowed: false, status: { code: 403 } });
    await stopped;
    expect(stage.role.address()).toBeUndefined();
  }, 60_000);
});

async function start(options: RoleStageOptions = {}): Promise<RoleStage> {
  const stage = await RoleStage.start(options);
  stages.push(stage);
  return stage;
}

interface SchemaSpec {
  readonly versions: readonly (Readonly<Record<string, unknown>> & { readonly name: string })[];
}

function withoutColumns(schema: KubeObject): KubeObject {
  const spec = schema['spec'] as SchemaSpec;
  return { ...schema, spec: { ...spec, versions: spec.versions.map(({ additionalPrinterColumns: _, ...version }) => version) } };
}

function servedAsV1(schema: KubeObject): KubeObject {
  const spec = schema['spec'] as SchemaSpec;
  const versions = spec.versions.flatMap((version) => [
    { ...version, served: false, storage: false },
    { ...version, name: 'v1', served: true, storage: true },
  ]);
  return { ...schema, spec: { ...spec, versions, conversion: { strategy: 'None' } } };
}

function secretsOf(text: string): UrlSecrets {
  const secrets = parseUrlSecrets(text);
  if (!secrets.ok) throw new Error(secrets.problem);
  return secrets.value;
}
