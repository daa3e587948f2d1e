import { deepEqual, equal, match } from 'node:assert/strict';
import type { Answer } from '../https/answer.js';
import { vpc } from '../stage/example-types.js';
import { corner, type Corner } from '../stage/exports.js';
import type { Stage } from '../stage/stage.js';
import type { ConformanceCase } from './conformance-case.js';

interface Odd {
  readonly n: number;
  readonly what: string;
  /** `url` is of an object `a` that exists, `collection` of what it is in. */
  readonly ask: (kcp: Stage, collection: string, url: string) => Promise<Answer>;
  readonly builtIn: readonly [number, RegExp];
  /** Of a bound type, where it differs. */
  readonly bound?: readonly [number, RegExp];
  /** Before kcp 0.31 of both, where it differed. */
  readonly older?: readonly [number, RegExp];
}

const NOT_ALLOWED = [405, /^the server does not allow this method on the requested resource$/] as const;
const NO_NAME = [400, /^name must be provided$/] as const;
const NO_NUMBER = [400, /^strconv\.ParseInt: parsing "x": invalid syntax$/] as const;
const TABLE = { headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' } };
const patched = (kcp: Stage, url: string, body: object): Promise<Answer> => kcp.admin.patch('merge', url, body);

const ODD: readonly Odd[] = [
  {
    n: 1,
    what: 'a POST to a name',
    ask: (kcp, _, url) => kcp.admin.post(url, url.includes('/vpcs/') ? vpc('a') : { metadata: { name: 'a' } }),
    builtIn: NOT_ALLOWED,
    bound: [409, / "a" already exists$/],
  },
  { n: 2, what: 'a PUT to a collection', ask: (kcp, collection) => kcp.admin.put(collection, {}), builtIn: NOT_ALLOWED, bound: NO_NAME },
  { n: 3, what: 'a PATCH of a collection', ask: (kcp, collection) => patched(kcp, collection, {}), builtIn: NOT_ALLOWED, bound: NO_NAME },
  {
    n: 4,
    what: 'a delete within x seconds',
    ask: (kcp, _, url) => kcp.admin.delete(`${url}?gracePeriodSeconds=x`),
    builtIn: NO_NUMBER,
  },
  {
    n: 5,
    what: 'a delete by an unknown policy',
    ask: (kcp, _, url) => kcp.admin.delete(`${url}?propagationPolicy=Foo`),
    builtIn: [422, /: propagationPolicy: Unsupported value: "Foo": supported values: "Foreground", "Background", "Orphan", "nil"$/],
  },
  {
    n: 6,
    what: 'a delete with another body',
    ask: (kcp, _, url) => kcp.admin.delete(url, { kind: 'Foo', apiVersion: 'v1' }),
    builtIn: [400, /^no kind "Foo" is registered for version "v1"/],
    older: [500, /^no kind "Foo" is registered for version "v1"/],
  },
  {
    n: 7,
    what: 'a watch from nowhere',
    ask: (kcp, collection) => kcp.admin.get(`${collection}?watch=true&resourceVersion=x`),
    builtIn: [500, /^resourceVersion: Invalid value: "x": strconv\.ParseUint: parsing "x": invalid syntax$/],
  },
  {
    n: 8,
    what: 'an update of a version that is no number',
    ask: (kcp, _, url) => patched(kcp, url, { metadata: { resourceVersion: 'x' } }),
    builtIn: [500, /^strconv\.ParseUint: parsing "x": invalid syntax$/],
  },
  {
    n: 9,
    what: 'a Table of something else',
    ask: (kcp, collection) => kcp.admin.get(`${collection}?includeObject=Foo`, TABLE),
    builtIn: [
      400,
      /^Unable to convert to Table as requested: includeObject: Invalid value: "Foo": must be 'Metadata', 'Object', 'None', or empty$/,
    ],
  },
  {
    n: 10,
    what: 'an unknown field to select by',
    ask: (kcp, collection) => kcp.admin.get(`${collection}?fieldSelector=spec.x%3D1`),
    builtIn: [400, /^"spec\.x" is not a known field selector: only "metadata\.name", "metadata\.namespace"$/],
    bound: [400, /^field label not supported: spec\.x$/],
  },
  {
    n: 11,
    what: 'a continue token of one letter',
    ask: (kcp, collection) => kcp.admin.get(`${collection}?limit=1&continue=x`),
    builtIn: [400, /^invalid continue token: continue key is not valid: illegal base64 data at input byte 0$/],
  },
  {
    n: 12,
    what: 'a patch to another kind',
    ask: (kcp, _, url) => patched(kcp, url, { kind: 'Foo' }),
    builtIn: [422, /^ "" is invalid: patch: Invalid value: .*: no kind "Foo" is registered for version "v1"/],
    bound: [422, /^Foo\.network\.example\.com "a" is invalid: kind: Invalid value: "Foo": must be VPC$/],
  },
  {
    n: 13,
    what: 'a patch to another version',
    ask: (kcp, _, url) => patched(kcp, url, { apiVersion: 'foo/v1' }),
    builtIn: [422, /^ "" is invalid: patch: Invalid value: .*: no kind "ConfigMap" is registered for version "foo\/v1"/],
    bound: [422, /^VPC\.foo "a" is invalid: apiVersion: Invalid value: "foo\/v1": must be network\.example\.com\/v1$/],
  },
];

const METHODS = [
  { n: 16, at: '/version', path: '/version', code: 405 },
  { n: 17, at: 'the core group', path: '/api/v1', code: 405 },
  { n: 18, at: 'a built-in group', path: '/apis/rbac.authorization.k8s.io/v1', code: 405 },
  { n: 19, at: 'a bound group', path: '/apis/network.example.com/v1', code: 200 },
  { n: 20, at: 'an unknown type', path: '/apis/network.example.com/v1/none', code: 404 },
  { n: 21, at: 'an unknown path', path: '/none', code: 404 },
] as const;

async function check(kcp: Stage, { ask }: Odd, collection: string, [code, says]: readonly [number, RegExp]): Promise<void> {
  const { status, body, text } = await ask(kcp, collection, `${collection}/a`);

  equal(status, code, text);
  match(body.message ?? '', says);
}

const both = ({ configMaps, vpcs }: Corner): readonly [string, string] => [configMaps, vpcs];

/** G30: requests that make little sense, to a built-in and to a bound type. */
export const oddRequests: readonly ConformanceCase[] = [
  ...ODD.map((odd): ConformanceCase => ({
    id: `G30.${odd.n}`,
    title: `what kcp says to ${odd.what}`,
    run: async (kcp) => {
      const [configMaps, vpcs] = both(await corner(kcp));
      (await kcp.admin.post(configMaps, { metadata: { name: 'a' } })).expect(201);
      (await kcp.admin.post(vpcs, vpc('a'))).expect(201);

      const older = kcp.since('0.31') ? undefined : odd.older;
      await check(kcp, odd, configMaps, older ?? odd.builtIn);
      await check(kcp, odd, vpcs, older ?? odd.bound ?? odd.builtIn);
    },
  })),
  {
    id: 'G30.14',
    title: 'a refusal of something without a name has no name in its details',
    run: async (kcp) => {
      const { configMaps } = await corner(kcp);

      const unnamed = await kcp.admin.post(configMaps, { metadata: {} });
      const strange = await kcp.admin.post(`${configMaps}?dryRun=Some`, { metadata: { name: 'a' } });

      deepEqual(Object.keys(unnamed.body.details ?? {}).toSorted(), ['causes', 'kind']);
      deepEqual(Object.keys(strange.body.details ?? {}).toSorted(), ['causes', 'group', 'kind']);
    },
  },
  {
    id: 'G30.15',
    title: 'an object of the whole workspace may name a namespace, which is forgotten',
    run: async (kcp) => {
      const { workspace } = await corner(kcp);
      const metadata = { name: kcp.unique('r'), namespace: 'default' };

      const { body } = (await kcp.admin.post(`${workspace.at}/apis/rbac.authorization.k8s.io/v1/clusterroles`, { metadata })).expect(201);

      equal(body.metadata.namespace, undefined);
    },
  },
  ...METHODS.map(({ n, at, path, code }): ConformanceCase => ({
    id: `G30.${n}`,
    title: `OPTIONS of ${at} is ${code}`,
    run: async (kcp) => {
      const { workspace } = await corner(kcp);

      equal((await kcp.admin.send('OPTIONS', `${workspace.at}${path}`, undefined)).status, code);
    },
  })),
  {
    id: 'G30.22',
    title: 'a method that no resource has is 405, of a bound type with an empty verb',
    run: async (kcp) => {
      const { configMaps, vpcs } = await corner(kcp);

      const builtIn = (await kcp.admin.send('OPTIONS', configMaps, undefined)).expect(405);
      const bound = (await kcp.admin.send('OPTIONS', vpcs, undefined)).expect(405);

      match(builtIn.body.message ?? '', NOT_ALLOWED[1]);
      equal(bound.body.message, ' is not supported on resources of kind "vpcs.network.example.com"');
    },
  },
];
