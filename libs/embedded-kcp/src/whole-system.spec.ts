// The requests of a provider, a consumer and an operator between them, in the order in which they are made.
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { EmbeddedKcp } from './installation/embedded-kcp.js';
import { ApiClient } from './testing/api-client.js';
import { ReviewServer, type Review } from './spec-support/review-server.js';

const APIS = '/apis/apis.kcp.io/v1alpha2';
const HOOKS = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
const CLAIM = { group: 'admissionregistration.k8s.io', resource: 'validatingwebhookconfigurations', verbs: ['*'] };
const UNTYPED = { metadata: { type: 'object' }, spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };

function schema(group: string, plural: string, kind: string, scope: string): object {
  const names = { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` };
  const version = { name: 'v1', served: true, storage: true, schema: { type: 'object', properties: UNTYPED } };
  return {
    apiVersion: 'apis.kcp.io/v1alpha1',
    kind: 'APIResourceSchema',
    metadata: { name: `v1.${plural}.${group}` },
    spec: { group, names, scope, versions: [version] },
  };
}

function exported(group: string, plural: string, permissionClaims: readonly object[] = []): object {
  const resources = [{ group, name: plural, schema: `v1.${plural}.${group}`, storage: { crd: {} } }];
  return { apiVersion: 'apis.kcp.io/v1alpha2', kind: 'APIExport', metadata: { name: group }, spec: { resources, permissionClaims } };
}

function binding(name: string, path: string, exportName: string, permissionClaims: readonly object[] = []): object {
  return {
    apiVersion: 'apis.kcp.io/v1alpha2',
    kind: 'APIBinding',
    metadata: { name },
    spec: { reference: { export: { path, name: exportName } }, permissionClaims },
  };
}

// Nothing here is about speed; the machine may be busy with other things.
jest.setTimeout(60_000);

describe('operator, provider and consumer', () => {
  let kcp: EmbeddedKcp;
  let admin: ApiClient;
  let hook: ReviewServer;
  const reviews: Review[] = [];
  let inUse = true;

  beforeAll(async () => {
    kcp = await EmbeddedKcp.start({ delays: 'fast' });
    admin = new ApiClient(kcp, 'kcp-admin', ['system:kcp:admin']);
    hook = await ReviewServer.start((review) => {
      reviews.push(review);
      return inUse ? 'still referenced by VM/vm' : undefined;
    });
  });
  afterAll(async () => {
    await Promise.all([admin.close(), hook.close()]);
    await kcp.stop();
  });

  const at = (workspace: string, path: string): string => `${kcp.baseUrl}/clusters/${workspace}${path}`;
  const post = async (workspace: string, path: string, object: object): Promise<void> => {
    // A fresh export may not be bound at once: the refusal is tried again, as clients have to.
    for (;;) {
      const { status, body } = await admin.send('POST', at(workspace, path), object);
      if (status === 201) return;
      if (status !== 403) throw new Error(`POST ${path}: ${status} ${body.message ?? ''}`);
    }
  };
  const clusterOf = async (name: string): Promise<string> => {
    const url = at('root', `/apis/tenancy.kcp.io/v1alpha1/workspaces/${name}`);
    const { body } = await admin.until(url, ({ body: { status } }) => status?.['phase'] === 'Ready');
    return String(body.spec?.['cluster']);
  };
  const deleteVpc = (): ReturnType<ApiClient['send']> =>
    admin.send('DELETE', at('root:consumer', '/apis/net.example.com/v1/namespaces/default/vpcs/a'));

  it('given workspaces with exports, when a provider accepts the claim, then the operator sees its binding with path and cluster', async () => {
    for (const name of ['operator', 'net', 'consumer']) {
      const spec = { type: { name: 'universal', path: 'root' } };
      const workspace = { apiVersion: 'tenancy.kcp.io/v1alpha1', kind: 'Workspace', metadata: { name }, spec };
      await post('root', '/apis/tenancy.kcp.io/v1alpha1/workspaces', workspace);
    }
    const [operator, net] = [await clusterOf('operator'), await clusterOf('net'), await clusterOf('consumer')];
    await post('root:operator', '/apis/apis.kcp.io/v1alpha1/apiresourceschemas', schema('rules.example.com', 'rules', 'Rule', 'Cluster'));
    await post('root:operator', `${APIS}/apiexports`, exported('rules.example.com', 'rules', [CLAIM]));
    await post('root:net', '/apis/apis.kcp.io/v1alpha1/apiresourceschemas', schema('net.example.com', 'vpcs', 'VPC', 'Namespaced'));
    await post('root:net', `${APIS}/apiexports`, exported('net.example.com', 'vpcs'));
    const slice = at('root:operator', '/apis/apis.kcp.io/v1alpha1/apiexportendpointslices/rules.example.com');
    expect((await admin.until(slice, ({ status }) => status === 200)).body.status?.['endpoints']).toBeUndefined();

    const accepted = { ...CLAIM, selector: { matchAll: true }, state: 'Accepted' };
    await post('root:net', `${APIS}/apibindings`, binding('operator', 'root:operator', 'rules.example.com', [accepted]));

    const { body } = await admin.until(slice, ({ body: { status } }) => Array.isArray(status?.['endpoints']));
    const [{ url = '' } = {}] = body.status?.['endpoints'] as readonly { url?: string }[];
    expect(url).toBe(`${kcp.shards[0]?.url ?? ''}/services/apiexport/${operator}/rules.example.com`);
    const seen = await admin.until(`${url}/clusters/*${APIS}/apibindings`, ({ body: { items } }) => items?.length === 1);
    expect(seen.body.items?.[0]?.metadata.annotations).toMatchObject({ 'kcp.io/cluster': net, 'kcp.io/path': 'root:net' });
    await post('root:consumer', `${APIS}/apibindings`, binding('net', 'root:net', 'net.example.com'));
    await admin.until(at('root:consumer', `${APIS}/apibindings/net`), ({ body: { status } }) => status?.['phase'] === 'Bound');

    const configuration = {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: 'guard' },
      webhooks: [
        {
          name: 'guard.rules.example.com',
          clientConfig: { url: hook.url, caBundle: hook.caBundle },
          rules: [{ apiGroups: ['net.example.com'], apiVersions: ['*'], resources: ['vpcs'], operations: ['DELETE'] }],
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
          matchConditions: [
            { name: 'not-skipped', expression: "oldObject.metadata.?annotations[?'example.com/skip'].orValue('') != 'true'" },
          ],
        },
      ],
    };
    const created = await admin.send('POST', `${url}/clusters/${net}${HOOKS}`, configuration);
    expect([created.status, created.body.metadata.annotations?.['kcp.io/cluster']]).toEqual([201, net]);
    expect(Object.keys(created.body.metadata.labels ?? {})).toEqual([expect.stringMatching(/^claimed\.internal\.apis\.kcp\.io\//)]);
  });

  it('given a webhook of the provider, when the consumer deletes what is in use, then it is refused with the text of the webhook', async () => {
    const vpc = { apiVersion: 'net.example.com/v1', kind: 'VPC', metadata: { name: 'a' }, spec: {} };
    await post('root:consumer', '/apis/net.example.com/v1/namespaces/default/vpcs', vpc);
    const dryRun = at('root:consumer', '/apis/net.example.com/v1/namespaces/default/vpcs/a?dryRun=All');
    while (reviews.length === 0) await admin.send('DELETE', dryRun);

    const refused = await deleteVpc();

    expect([refused.status, refused.body.message]).toEqual([
      403,
      'admission webhook "guard.rules.example.com" denied the request: still referenced by VM/vm',
    ]);
    expect(reviews.at(-1)).toMatchObject({ operation: 'DELETE', name: 'a', namespace: 'default', object: null });
    expect(reviews.at(-1)?.oldObject.metadata.annotations).toEqual({ 'kcp.io/cluster': await clusterOf('consumer') });
  });

  it('given the annotation that a match condition names, when it is deleted, then nobody is asked and it goes', async () => {
    const url = at('root:consumer', '/apis/net.example.com/v1/namespaces/default/vpcs/a');
    await admin.send('PATCH', url, { metadata: { annotations: { 'example.com/skip': 'true' } } });
    const before = reviews.length;

    const gone = await deleteVpc();

    expect([gone.status, reviews.length]).toEqual([200, before]);
  });

  it('given a workspace whose content is refused, when it is deleted, then it goes once the webhook agrees, asked as the API server', async () => {
    const vpc = { apiVersion: 'net.example.com/v1', kind: 'VPC', metadata: { name: 'b' }, spec: {} };
    await post('root:consumer', '/apis/net.example.com/v1/namespaces/default/vpcs', vpc);
    const before = reviews.length;
    const workspace = at('root', '/apis/tenancy.kcp.io/v1alpha1/workspaces/consumer');

    await admin.send('DELETE', workspace);
    const held = await admin.until(workspace, ({ body: { status } }) => JSON.stringify(status).includes('SomeResourcesRemain'));
    while (reviews.length === before) await admin.send('GET', workspace);
    inUse = false;
    await admin.until(workspace, ({ status }) => status === 404);

    expect(held.body.status?.['phase']).toBe('Deleting');
    for (const review of reviews.slice(before)) {
      expect(review).toMatchObject({ operation: 'DELETE', userInfo: { username: 'system:apiserver' } });
      expect(review).not.toHaveProperty('name');
    }
  });
});
