import { equal, match } from 'node:assert/strict';
import type { ConformanceCase } from './conformance-case.js';
import { corner } from '../stage/exports.js';

interface Refused {
  readonly n: number;
  readonly what: string;
  readonly metadata?: object;
  readonly fields?: object;
  readonly says: RegExp;
  /** Before 0.31, where it differed. */
  readonly older?: RegExp;
}

const OWNER = { apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: 'b' };
const NAME_PART = /: name part must consist of alphanumeric characters, '-', '_' or '\.', and must start and end with an alphanumeric/;

const REFUSED: readonly Refused[] = [
  { n: 1, what: 'an annotation key with a space', metadata: { annotations: { 'a b': '' } }, says: NAME_PART },
  {
    n: 2,
    what: 'more than 256 KiB of annotations',
    metadata: { annotations: { a: 'x'.repeat(262_144) } },
    says: /: metadata\.annotations: Too long: may not be more than 262144 bytes$/,
  },
  { n: 3, what: 'a label key with a space', metadata: { labels: { 'a b': '' } }, says: NAME_PART },
  {
    n: 4,
    what: 'a label of 64 characters',
    metadata: { labels: { a: 'x'.repeat(64) } },
    says: /: metadata\.labels: Invalid value: "x+": must be no more than 63 bytes$/,
    older: /: metadata\.labels: Invalid value: "x+": must be no more than 63 characters$/,
  },
  {
    n: 5,
    what: 'a label key with two slashes',
    metadata: { labels: { 'a/b/c': '' } },
    says: /: a valid label key must consist of .* with an optional DNS subdomain prefix and '\/' \(e\.g\. 'example\.com\/MyName'\)$/,
    older: /: a qualified name must consist of .* with an optional DNS subdomain prefix and '\/' \(e\.g\. 'example\.com\/MyName'\)$/,
  },
  {
    n: 6,
    what: 'a finalizer without a domain',
    metadata: { finalizers: ['abc'] },
    says: /: metadata\.finalizers\[0\]: Invalid value: "abc": name is neither a standard finalizer name nor is it fully qualified$/,
  },
  {
    n: 7,
    what: 'an owner without a uid',
    metadata: { ownerReferences: [{ ...OWNER, uid: '' }] },
    says: /: metadata\.ownerReferences\.uid: Invalid value: "": must not be empty$/,
  },
  {
    n: 8,
    what: 'two controllers',
    metadata: {
      ownerReferences: [
        { ...OWNER, controller: true },
        { ...OWNER, name: 'c', controller: true },
      ],
    },
    says: /: Only one reference can have Controller set to true\. Found "true" in references for ConfigMap\/a and ConfigMap\/c$/,
  },
  {
    n: 9,
    what: 'a key that is no file name',
    fields: { data: { 'a b': '' } },
    says: /: data\[a b\]: Invalid value: "a b": a valid config key must consist of alphanumeric characters/,
  },
  {
    n: 10,
    what: 'a key in data and in binaryData',
    fields: { data: { a: '' }, binaryData: { a: '' } },
    says: /: data\[a\]: Invalid value: "a": duplicate of key present in binaryData$/,
  },
  {
    n: 11,
    what: 'more than 1 MiB of data',
    fields: { data: { a: 'x'.repeat(1_048_577) } },
    says: /: \[\]: Too long: may not be more than 1048576 bytes$/,
  },
];

/** G24, G25: what may be said of any object, what ConfigMaps and Secrets may hold, and which questions make no sense. */
export const rules: readonly ConformanceCase[] = [
  ...REFUSED.map(({ n, what, metadata, fields, says, older = says }): ConformanceCase => ({
    id: `G24.${n}`,
    title: `a ConfigMap with ${what} is 422`,
    run: async (kcp) => {
      const { configMaps } = await corner(kcp);

      const { status, body } = await kcp.admin.post(configMaps, { metadata: { name: 'a', ...metadata }, ...fields });

      equal(status, 422);
      match(body.message ?? '', /^ConfigMap "a" is invalid: /);
      match(body.message ?? '', kcp.since('0.31') ? says : older);
    },
  })),
  {
    id: 'G24.12',
    title: 'an annotation may have upper case letters in its domain, an owner may be named twice',
    run: async (kcp) => {
      const { configMaps } = await corner(kcp);
      const metadata = { name: 'a', annotations: { 'Example.com/B': 'any thing' }, ownerReferences: [OWNER, OWNER] };

      equal((await kcp.admin.post(`${configMaps}?dryRun=All`, { metadata })).status, 201);
    },
  },
  {
    id: 'G24.13',
    title: 'what was declared immutable keeps its data and stays immutable; its labels may change',
    run: async (kcp) => {
      const { configMaps } = await corner(kcp);
      (await kcp.admin.post(configMaps, { metadata: { name: 'a' }, data: { a: 'x' }, immutable: true })).expect(201);
      const patch = (body: object): ReturnType<typeof kcp.admin.patch> => kcp.admin.patch('merge', `${configMaps}/a`, body);

      const [changed, thawed, labelled] = [
        await patch({ data: { a: 'y' } }),
        await patch({ immutable: false }),
        await patch({ metadata: { labels: { a: 'b' } } }),
      ];

      equal(changed.body.message, 'ConfigMap "a" is invalid: data: Forbidden: field is immutable when `immutable` is set');
      equal(thawed.body.message, 'ConfigMap "a" is invalid: immutable: Forbidden: field is immutable when `immutable` is set');
      equal(labelled.status, 200);
    },
  },
  {
    id: 'G24.14',
    title: 'a Secret holds what its type promises, and its type does not change',
    run: async (kcp) => {
      const { configMaps } = await corner(kcp);
      const secrets = configMaps.replace(/configmaps$/, 'secrets');
      (await kcp.admin.post(secrets, { metadata: { name: 'a' } })).expect(201);

      const lacking = await kcp.admin.post(secrets, { metadata: { name: 'b' }, type: 'kubernetes.io/tls' });
      const changed = await kcp.admin.patch('merge', `${secrets}/a`, { type: 'x/y' });

      equal(lacking.body.message, 'Secret "b" is invalid: [data[tls.crt]: Required value, data[tls.key]: Required value]');
      equal(changed.body.message, 'Secret "a" is invalid: type: Invalid value: "x/y": field is immutable');
    },
  },
  ...[
    { n: 1, query: 'sendInitialEvents=true', says: 'sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list' },
    {
      n: 2,
      query: 'watch=true&resourceVersion=1&resourceVersionMatch=NotOlderThan',
      says: 'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
    },
    {
      n: 3,
      query: 'watch=true&continue=abc',
      says: 'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided',
    },
  ].map(({ n, query, says }): ConformanceCase => ({
    id: `G25.${n}`,
    title: `?${query} is 422`,
    run: async (kcp) => {
      const { configMaps } = await corner(kcp);

      const { status, body } = await kcp.admin.get(`${configMaps}?${query}`);

      equal(status, 422);
      equal(body.message, `ListOptions.meta.k8s.io "" is invalid: ${says}`);
    },
  })),
  {
    id: 'G25.4',
    title: 'watch=0 and watch=False are lists, a negative limit is none, a timeout that is no number is 400',
    run: async (kcp) => {
      const { configMaps } = await corner(kcp);

      for (const query of ['watch=0', 'watch=False', 'limit=-1']) {
        equal((await kcp.admin.get(`${configMaps}?${query}`)).expect(200).body.kind, 'ConfigMapList');
      }
      const { status, body } = await kcp.admin.get(`${configMaps}?timeoutSeconds=x`);

      equal(status, 400);
      equal(body.message, 'strconv.ParseInt: parsing "x": invalid syntax');
    },
  },
];
