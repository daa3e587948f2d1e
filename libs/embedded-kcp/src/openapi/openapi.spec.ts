import { describe, expect, it } from '@jest/globals';
import { builtInSchema } from '../built-in-schemas/built-in-schemas.js';
import { recordAt, type JsonRecord } from '../json/json.js';
import { STORED_VERBS, type ResourceDefinition } from '../machinery/resources/resource-definition.js';
import { openApiReply, type OpenApiRequest } from './openapi-replies.js';
import { openApiV2Document } from './openapi-v2.js';
import { openApiV3Document } from './openapi-v3.js';

const configmaps: ResourceDefinition = {
  group: '',
  resource: 'configmaps',
  singular: 'configmap',
  kind: 'ConfigMap',
  listKind: 'ConfigMapList',
  namespaced: true,
  versions: [{ name: 'v1', hasStatus: false, schema: builtInSchema('v1', 'ConfigMap') as JsonRecord }],
  storageVersion: 'v1',
  bucket: 'configmaps',
  origin: { kind: 'builtin' },
  verbs: STORED_VERBS,
};

const vpcs: ResourceDefinition = {
  group: 'network.example.com',
  resource: 'vpcs',
  singular: 'vpc',
  kind: 'VPC',
  listKind: 'VPCList',
  namespaced: true,
  versions: [
    {
      name: 'v1alpha1',
      hasStatus: true,
      schema: {
        type: 'object',
        properties: { spec: { type: 'object', properties: { cidr: { type: 'string', nullable: true } } }, metadata: { type: 'object' } },
      },
    },
  ],
  storageVersion: 'v1alpha1',
  bucket: 'vpcs',
  origin: { kind: 'crd' },
  verbs: STORED_VERBS,
};

const both = [configmaps, vpcs];

function ask(
  path: string,
  more: Partial<OpenApiRequest> = {},
): { status: number; headers: Readonly<Record<string, unknown>>; body: unknown } {
  const [pathname = '', search = ''] = path.split('?');
  const reply = openApiReply(both, {
    path: pathname,
    query: new URLSearchParams(search),
    accept: undefined,
    ifNoneMatch: undefined,
    ...more,
  });
  if (reply === undefined) throw new Error(`nothing at ${path}`);
  const text = Buffer.concat(reply.body).toString();
  return { status: reply.status, headers: reply.headers, body: text === '' ? undefined : JSON.parse(text) };
}

function* references(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, below] of Object.entries(value)) {
    if (key === '$ref') yield below as string;
    else yield* references(below);
  }
}

describe(openApiV3Document, () => {
  it('given a built-in, when documented, then kubectl finds its kind, its patches and what a write takes', () => {
    const document = openApiV3Document(both, '', 'v1');
    const patch = recordAt(document, 'paths', '/api/v1/namespaces/{namespace}/configmaps/{name}', 'patch');

    expect(patch['x-kubernetes-group-version-kind']).toEqual({ group: '', version: 'v1', kind: 'ConfigMap' });
    expect(Object.keys(recordAt(patch, 'requestBody', 'content'))).toContain('application/strategic-merge-patch+json');
    expect((patch['parameters'] as readonly { name: string }[]).map(({ name }) => name)).toEqual([
      'dryRun',
      'fieldManager',
      'fieldValidation',
      'force',
    ]);
    expect(recordAt(document, 'components', 'schemas', 'io.k8s.api.core.v1.ConfigMap')['x-kubernetes-group-version-kind']).toEqual([
      { group: '', version: 'v1', kind: 'ConfigMap' },
    ]);
  });

  it('given a custom resource, when documented, then it takes no strategic patch and its metadata is spelled out', () => {
    const document = openApiV3Document(both, 'network.example.com', 'v1alpha1');
    const one = recordAt(document, 'paths', '/apis/network.example.com/v1alpha1/namespaces/{namespace}/vpcs/{name}');

    expect(Object.keys(recordAt(one, 'patch', 'requestBody', 'content'))).not.toContain('application/strategic-merge-patch+json');
    expect(recordAt(document, 'components', 'schemas', 'com.example.network.v1alpha1.VPC', 'properties', 'metadata')['allOf']).toEqual([
      { $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' },
    ]);
    expect(Object.keys(recordAt(document, 'paths'))).toEqual([
      '/apis/network.example.com/v1alpha1/namespaces/{namespace}/vpcs',
      '/apis/network.example.com/v1alpha1/namespaces/{namespace}/vpcs/{name}',
      '/apis/network.example.com/v1alpha1/namespaces/{namespace}/vpcs/{name}/status',
      '/apis/network.example.com/v1alpha1/vpcs',
    ]);
  });

  it.each([
    { given: 'v3', document: openApiV3Document(both, '', 'v1'), prefix: '#/components/schemas/', at: ['components', 'schemas'] },
    { given: 'v2', document: openApiV2Document(both), prefix: '#/definitions/', at: ['definitions'] },
  ])('given a $given document, when every reference is followed, then each leads to a schema', ({ document, prefix, at }) => {
    const schemas = recordAt(document, ...at);
    const all = [...references(document)];

    expect(all.length).toBeGreaterThan(10);
    expect(all.filter((reference) => !reference.startsWith(prefix) || !Object.hasOwn(schemas, reference.slice(prefix.length)))).toEqual([]);
  });
});

describe(openApiV2Document, () => {
  it('given a nullable field, when documented, then v2 hears nothing of it', () => {
    expect(JSON.stringify(openApiV2Document(both))).not.toContain('nullable');
  });

  it('given a write, when documented, then its body is a parameter', () => {
    const post = recordAt(openApiV2Document(both), 'paths', '/api/v1/namespaces/{namespace}/configmaps', 'post');

    expect(post['parameters']).toContainEqual({
      name: 'body',
      in: 'body',
      required: true,
      schema: { $ref: '#/definitions/io.k8s.api.core.v1.ConfigMap' },
    });
  });
});

describe(openApiReply, () => {
  it('given the index, when its addresses are followed, then each is a document that may be kept', () => {
    const { paths } = ask('/openapi/v3').body as { paths: Readonly<Record<string, { serverRelativeURL: string }>> };

    expect(Object.keys(paths)).toEqual(['api/v1', 'apis/network.example.com/v1alpha1']);
    for (const { serverRelativeURL } of Object.values(paths)) {
      expect(ask(serverRelativeURL)).toMatchObject({
        status: 200,
        headers: { 'cache-control': 'public, immutable' },
        body: { openapi: '3.0.0' },
      });
    }
  });

  it('given a stale hash, when asked, then the client is sent to the present one', () => {
    const { status, headers } = ask('/openapi/v3/api/v1?hash=OLD');

    expect(status).toBe(301);
    expect(ask(headers['location'] as string).status).toBe(200);
  });

  it('given the tag of the document, when asked, then it is not sent again', () => {
    const { headers } = ask('/openapi/v3/api/v1');

    expect(ask('/openapi/v3/api/v1', { ifNoneMatch: headers['etag'] as string }).status).toBe(304);
  });

  it.each([
    { given: 'no wish', accept: undefined, status: 200 },
    { given: 'JSON among others', accept: 'application/com.github.proto-openapi.spec.v3@v1.0+protobuf, application/json', status: 200 },
    { given: 'anything', accept: '*/*', status: 200 },
    { given: 'protobuf alone', accept: 'application/com.github.proto-openapi.spec.v3@v1.0+protobuf', status: 406 },
    { given: 'YAML', accept: 'application/yaml', status: 406 },
  ])('given $given, when asked, then the status is $status', ({ accept, status }) => {
    expect(ask('/openapi/v3/api/v1', { accept }).status).toBe(status);
    expect(ask('/openapi/v2', { accept }).status).toBe(status);
  });

  it('given a client that takes the older document as protobuf alone, then it gets one that says nothing', () => {
    const accept = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';

    expect(ask('/openapi/v2', { accept })).toMatchObject({
      status: 200,
      body: undefined,
      headers: { 'content-type': expect.stringMatching(/protobuf$/) },
    });
  });

  it('given an unknown group, when asked, then it is 200 with nothing in it, as in kcp', () => {
    expect(ask('/openapi/v3/apis/nope/v1')).toMatchObject({ status: 200, body: undefined });
  });
});
