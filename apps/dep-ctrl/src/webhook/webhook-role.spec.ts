import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { RequestFault, RequestMatch } from '@dep-ctrl/embedded-kcp';
import { listAll } from '@dep-ctrl/kcp-client';
import { API_BINDINGS } from '@dep-ctrl/kcp-objects';
import { VIRTUAL_MACHINES } from '../dev/provider-manifests.js';
import { ROLE_AGENT, RoleStage, type Consumer } from './testing/role-stage.js';
import { addRuleAboutMachines } from './testing/rules-on-stage.js';
import type { ReviewChange } from './testing/reviews.js';
import { WebhookRole } from './webhook-role.js';

const aMachine: ReviewChange = { request: { resource: VIRTUAL_MACHINES } };
const SKIP = { 'dependencies.opendefense.cloud/skip-protection': 'true' };

describe(WebhookRole, () => {
  let stage: RoleStage;
  let used: Consumer;
  let free: Consumer;
  beforeAll(async () => {
    stage = await RoleStage.start();
    used = await stage.consumer();
    free = await stage.consumer();
    await stage.create(used, 'my-vpc', 'my-vm');
    await stage.create(free, 'other-vpc', 'my-vm');
  }, 60_000);
  afterEach(() => stage.kcp.faults.clear());
  afterAll(() => stage.stop());

  it('given a VPC that a virtual machine refers to, then deleting it is refused by name', async () => {
    expect(await stage.review(used)).toEqual({
      uid: '705ab4f5-6393-11e8-b7cc-42010a800002',
      allowed: false,
      status: {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        code: 403,
        reason: 'Forbidden',
        message:
          'cannot delete vpcs/my-vpc: still referenced by VirtualMachine/my-vm, says rule root:compute/vm-dependencies; first change its reference or delete it: kubectl delete virtualmachines.compute.example.com my-vm -n default',
        details: {
          name: 'my-vpc',
          group: 'network.example.com',
          kind: 'vpcs',
          causes: [{ reason: 'StillReferenced', message: 'VirtualMachine/my-vm', field: 'spec.vpcRef.name' }],
        },
      },
      auditAnnotations: { decision: 'in-use', rules: 'root:compute/vm-dependencies', 'referenced-by': 'VirtualMachine/my-vm' },
    });
  });

  it('given a VPC that nobody refers to, then it may go', async () => {
    expect(await stage.review(free)).toMatchObject({ allowed: true, auditAnnotations: { decision: 'no-dependents' } });
  });

  it('given a consumer that has bound nothing of the author of the rule, then the rule does not concern it: it may go, and nothing is listed for it', async () => {
    const unbound = await stage.consumer({ binds: ['network'] });

    expect(await stage.review(unbound)).toEqual({ uid: expect.any(String), allowed: true });
    expect(stage.kcp.requests.count({ path: new RegExp(`^/clusters/${unbound.cluster}/.*virtualmachines`) })).toBe(0);
  });

  it('given a dry run, then the answer is that of the real deletion, and neither writes anything', async () => {
    const [real, dry] = [await stage.review(used), await stage.review(used, { change: { request: { dryRun: true } } })];

    expect(dry).toEqual(real);
    expect(stage.kcp.requests.recorded().filter(({ userAgent, method }) => userAgent === ROLE_AGENT && method !== 'GET')).toEqual([]);
  });

  it.each<{ given: string; change: ReviewChange; decision: string | undefined }>([
    { given: 'a CREATE', change: { request: { operation: 'CREATE', oldObject: null } }, decision: undefined },
    { given: 'an annotated VPC', change: { metadata: { annotations: { ...SKIP, 'kcp.io/cluster': 'used' } } }, decision: 'bypassed' },
    { given: 'a VPC that is going already', change: { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }, decision: 'terminating' },
  ])('given $given, then it is allowed without reading anything', async ({ change, decision }) => {
    const before = stage.kcp.requests.count();
    const annotations = { ...(change.metadata?.['annotations'] as object | undefined), 'kcp.io/cluster': used.cluster };

    const answer = await stage.review(used, { change: { ...change, metadata: { ...change.metadata, annotations } } });

    expect([answer.allowed, answer.auditAnnotations?.['decision']]).toEqual([true, decision]);
    expect(stage.kcp.requests.count()).toBe(before);
  });

  it('given a collection delete, which names nothing, then it is judged all the same', async () => {
    expect(await stage.review(used, { change: { request: { name: undefined, namespace: undefined } } })).toMatchObject({
      allowed: false,
      status: { message: expect.stringContaining('VirtualMachine/my-vm') },
    });
  });

  it("given a caller through an export's virtual workspace, then no name is told", async () => {
    const userInfo = { username: 'bob', extra: { 'authorization.kcp.io/warrant': ['{"user":"carol"}'] } };

    expect(JSON.stringify((await stage.review(used, { change: { request: { userInfo } } })).status)).not.toContain('my-vm');
  });

  it('given a type that no rule is about, then it may go once a live look has shown no rule', async () => {
    stage.kcp.requests.clear();

    expect(await stage.review(used, { path: ofCompute(), change: aMachine })).toMatchObject({ allowed: true });
    expect(stage.kcp.requests.count({ path: /dependencyrules$/ })).toBeGreaterThan(0);
  });

  it('given a configuration that names no workspace, then the rules of the workspace count that exports the type to the consumer', async () => {
    expect(await stage.review(used, { path: '/validate' })).toMatchObject({ allowed: false, status: { code: 403 } });
    expect(await stage.review(free, { path: '/validate' })).toMatchObject({ allowed: true });
  });

  describe('the URL of one guarded workspace, asked about the consumer of another', () => {
    it('given objects that are in use, that are free, and that do not exist, then the answers are one and the same', async () => {
      const stranger = await stage.consumer({ binds: ['network'] });
      const metadata = { name: 'no-such-vpc', annotations: { 'kcp.io/cluster': used.cluster } };
      const path = ofCompute();

      const answers = [
        await stage.review(used, { path }),
        await stage.review(free, { path }),
        await stage.review(stranger, { path }),
        await stage.review(used, { path: '/validate/nowhere' }),
        await stage.review({ cluster: stage.network }, { path }),
      ];

      for (const answer of answers) {
        expect(answer).toEqual({
          ...answers[0],
          allowed: false,
          status: expect.objectContaining({
            code: 403,
            message:
              'cannot delete vpcs/my-vpc: cannot tell whether its type is bound here from the provider in the webhook URL: it is not, or dep-ctrl may not read the APIBindings here; the log of dep-ctrl tells its operator what is missing',
          }),
        });
      }
      expect(await stage.review(used, { path, change: { metadata } })).toMatchObject({
        allowed: false,
        status: { message: expect.stringContaining('whether its type is bound here') },
      });
    });

    it('given its advisory entry, then it is allowed with a warning that tells no more', async () => {
      expect(await stage.review(used, { path: `${ofCompute()}/advisory` })).toEqual({
        uid: expect.any(String),
        allowed: true,
        warnings: [
          'vpcs/my-vpc was not checked for references: cannot tell whether its type is bound here from the provider in the webhook URL',
        ],
        auditAnnotations: { decision: 'in-doubt' },
      });
    });

    it('given such a question, then nothing is read but what the consumer has bound', async () => {
      stage.kcp.requests.clear();

      await stage.review(used, { path: ofCompute() });

      const own = stage.kcp.requests.recorded({ path: new RegExp(`^/clusters/${used.cluster}/`) });
      expect(own.map(({ path }) => path.replace(/.*\//, ''))).toEqual(['apibindings']);
      expect(stage.kcp.requests.count({ path: /dependencyrules$/ })).toBe(0);
    });
  });

  it('given parallel reviews of two workspaces, then each gets its own answer', async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => stage.review(index % 2 === 0 ? used : free)));

    expect(answers.map(({ allowed }) => allowed)).toEqual(answers.map((_, index) => index % 2 === 1));
  });

  describe('a read of the decision that fails', () => {
    const reads = ['apibindings', 'virtualmachines'] as const;
    const warnings = {
      apibindings:
        'vpcs/my-vpc was not checked for references: cannot tell whether its type is bound here from the provider in the webhook URL',
      virtualmachines: 'cannot tell whether a VirtualMachine',
    } as const;
    // A LIST says what is bound, and the GET of one binding that this is still so.
    const oneBinding = { path: new RegExp(String.raw`/apibindings/[^/]+$`) };
    const answer = (status: number, headers: Readonly<Record<string, string>> = {}, body?: unknown): RequestFault => ({
      kind: 'answer',
      status,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    const faults: readonly { readonly how: string; readonly fault: RequestFault; readonly code: number }[] = [
      { how: '401', fault: answer(401), code: 403 },
      { how: '403', fault: answer(403), code: 403 },
      { how: '404', fault: answer(404), code: 503 },
      { how: '409', fault: answer(409), code: 503 },
      { how: '410', fault: answer(410), code: 503 },
      { how: '422', fault: answer(422), code: 503 },
      { how: '429 for ever', fault: answer(429, { 'retry-after': '1' }), code: 503 },
      { how: '500', fault: answer(500), code: 503 },
      { how: '503', fault: answer(503), code: 503 },
      { how: '504', fault: answer(504), code: 503 },
      { how: 'a redirect', fault: answer(302, { location: 'https://elsewhere.example.com' }), code: 503 },
      { how: 'another content type', fault: answer(200, { 'content-type': 'text/html' }, '<html>'), code: 503 },
      { how: 'an empty object', fault: answer(200, {}, {}), code: 503 },
      { how: 'a list of nothing that says so wrongly', fault: answer(200, {}, { kind: 'List', items: 'none' }), code: 503 },
      { how: 'a reset connection', fault: { kind: 'drop' }, code: 503 },
      { how: 'half an answer', fault: { kind: 'cut', afterBytes: 60 }, code: 503 },
      { how: 'no answer', fault: { kind: 'hold' }, code: 503 },
    ];

    it.each(reads.flatMap((read) => faults.map((each) => ({ read, ...each }))))(
      'given $how for $read, then nobody can tell: $code, and never an allow',
      async ({ read, fault, code }) => {
        stage.kcp.faults.onRequest(readOf(read), fault);

        const path = `/validate/${stage.network}${patienceFor(fault)}`;
        const answers = await Promise.all([stage.review(free, { path }), stage.review(used, { path })]);

        for (const each of answers) {
          expect(each).toMatchObject({ allowed: false, status: { code, message: expect.stringContaining('cannot tell') } });
        }
      },
    );

    it.each(reads.flatMap((read) => [...faults.map(({ how, fault }) => ({ read, how, fault }))]))(
      'given $how for $read on the advisory entry, then it is allowed with a warning',
      async ({ read, fault }) => {
        stage.kcp.faults.onRequest(readOf(read), fault);

        const answered = await stage.review(free, { path: `/validate/${stage.network}/advisory${patienceFor(fault)}` });

        expect(answered).toMatchObject({ allowed: true, warnings: [expect.stringContaining(warnings[read])] });
      },
    );

    it.each(faults)(
      'given $how for the binding after a Table, then nobody can tell: $code, and never an allow',
      async ({ fault, code }) => {
        stage.kcp.faults.onRequest(oneBinding, fault);

        const answered = await stage.review(free, { path: `/validate/${stage.network}${patienceFor(fault)}` });

        expect(answered).toMatchObject({ allowed: false, status: { code, message: expect.stringContaining('cannot tell') } });
      },
    );

    it('given a 404 that names the binding after a Table, then it has gone since, and whole objects decide', async () => {
      const { objects } = await listAll(stage.connection.cluster(free.cluster), API_BINDINGS, {}, { signal: AbortSignal.timeout(5_000) });
      for (const { metadata } of objects) {
        const name = String(metadata.name);
        const details = { name, group: API_BINDINGS.group, kind: API_BINDINGS.resource };
        stage.kcp.faults.onRequest({ path: new RegExp(`/apibindings/${name}$`) }, answer(404, {}, { kind: 'Status', code: 404, details }));
      }

      expect(await stage.review(free)).toMatchObject({ allowed: true, auditAnnotations: { decision: 'no-dependents' } });
      expect(await stage.review(used)).toMatchObject({ allowed: false, status: { code: 403 } });
    });

    it.each<{ how: string; fault: RequestFault }>([
      { how: '429 with a Retry-After', fault: answer(429, { 'retry-after': '0' }) },
      { how: 'a reset connection', fault: { kind: 'drop' } },
      { how: '500', fault: answer(500) },
      { how: '503', fault: answer(503) },
    ])('given $how once, then it is tried again within the review', async ({ fault }) => {
      for (const match of [...reads.map(readOf), oneBinding]) {
        stage.kcp.faults.onRequest(match, fault, { times: 1 });
        expect(await stage.review(free)).toMatchObject({ allowed: true, auditAnnotations: { decision: 'no-dependents' } });
        expect(await stage.review(used)).toMatchObject({ allowed: false, status: { code: 403 } });
      }
    });

    it('given that a candidate cannot be verified, then nobody can tell', async () => {
      stage.kcp.faults.onRequest({ path: /virtualmachines\/[^/]+$/ }, answer(500));

      expect(await stage.review(used)).toMatchObject({
        allowed: false,
        status: { code: 503 },
      });
    });

    it('given a passing reason, then kubectl is asked to try again and the API server is not', async () => {
      stage.kcp.faults.onRequest(readOf('virtualmachines'), answer(500));
      const userInfo = { username: 'system:apiserver', groups: ['system:masters'] };

      const [person, apiServer] = [await stage.review(free), await stage.review(free, { change: { request: { userInfo } } })];

      expect([person.status?.details, apiServer.status?.details]).toEqual([
        expect.objectContaining({ retryAfterSeconds: 1 }),
        expect.not.objectContaining({ retryAfterSeconds: 1 }),
      ]);
    });

    it('given no failure text of kcp is fit for consumers, then no answer shows a cluster or an address', async () => {
      stage.kcp.faults.onRequest(readOf('virtualmachines'), answer(403));

      expect(JSON.stringify(await stage.review(free))).not.toMatch(
        new RegExp(`${free.cluster}|${stage.compute}|${stage.network}|127\\.0\\.0\\.1`),
      );
    });
  });

  describe('which rules', () => {
    const path = /dependencyrules$/;

    it('given a rule that the watch has not shown yet, then a live look finds it', async () => {
      stage.kcp.faults.onRequest({ path, watch: true }, { kind: 'freeze' });
      const remove = await addRuleAboutMachines(stage, 'machine-dependencies');

      expect(await stage.review(used, { path: ofCompute(), change: aMachine })).toMatchObject({
        allowed: false,
        status: {
          message:
            'cannot delete virtualmachines/my-vpc: still referenced by VirtualMachine/my-vm, says rule root:compute/machine-dependencies; first change its reference or delete it: kubectl delete virtualmachines.compute.example.com my-vm -n default',
        },
      });
      await remove();
    });

    it.each<{ how: string; match: RequestMatch; fault: RequestFault }>([
      { how: 'the rules cannot be listed', match: { path, watch: false }, fault: { kind: 'answer', status: 500 } },
      { how: 'the guards cannot be listed', match: { path: /dependencyguards$/, watch: false }, fault: { kind: 'drop' } },
    ])('given no rule is known and $how, then it is not yet known: 503', async ({ match, fault }) => {
      stage.kcp.faults.onRequest(match, fault);

      expect(await stage.review(used, { path: ofCompute(), change: aMachine })).toMatchObject({
        allowed: false,
        status: { code: 503, message: expect.stringContaining('has not read all rules about it yet') },
      });
      stage.kcp.faults.clear();
    });

    it('given rules that are known and fresh, then kcp is not asked for them', async () => {
      stage.kcp.requests.clear();

      await stage.review(used);

      expect(stage.kcp.requests.count({ path: /dependencyrules|apiexportendpointslices/ })).toBe(0);
    });
  });

  /** The URL of the compute provider. */
  function ofCompute(): string {
    return `/validate/${stage.compute}`;
  }

  /** What never ends by itself is not waited for until the default is over. */
  function patienceFor(fault: RequestFault): string {
    const isEndless = fault.kind === 'hold' || (fault.kind === 'answer' && fault.status === 429);
    return isEndless ? '?timeout=600ms' : '';
  }

  function readOf(resource: 'apibindings' | 'virtualmachines'): RequestMatch {
    return { path: new RegExp(`^/clusters/(?:${free.cluster}|${used.cluster})/.*${resource}(?:/[^/]+)?$`) };
  }
});
