import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { at, type KubeBody } from '../https/kube-body.js';
import type { ConformanceCase } from './conformance-case.js';
import { eventually, patience } from '../stage/eventually.js';
import { NETWORK, vpc } from '../stage/example-types.js';
import { corner, type Corner } from '../stage/exports.js';
import type { Stage } from '../stage/stage.js';

/** A corner with that many VPCs: v00, v01, ... */
async function vpcsIn(kcp: Stage, count: number): Promise<Corner> {
  const made = await corner(kcp);
  for (let n = 0; n < count; n += 1) {
    const labels = { parity: n % 2 === 0 ? 'even' : 'odd', ...(n === 0 ? { first: '' } : {}) };
    (await kcp.admin.post(made.vpcs, vpc(`v${String(n).padStart(2, '0')}`, { size: n + 1 }, { labels }))).expect(201);
  }
  return made;
}

function names(body: KubeBody): readonly (string | undefined)[] {
  return (body.items ?? []).map(({ metadata }) => metadata.name);
}

/** G: many objects: lists, pages, selectors. */
export const lists: readonly ConformanceCase[] = [
  {
    id: 'G7.1',
    title: 'a list has kind, resourceVersion and the objects in the order of their names',
    run: async (kcp) => {
      const { vpcs } = await vpcsIn(kcp, 3);

      const { body } = (await kcp.admin.get(vpcs)).expect(200);

      equal(body.kind, 'VPCList');
      equal(body.apiVersion, `${NETWORK}/v1`);
      match(body.metadata.resourceVersion ?? '', /^[1-9][0-9]*$/);
      equal(body.metadata.continue ?? '', '');
      deepEqual(names(body), ['v00', 'v01', 'v02']);
      equal(body.items?.[0]?.kind, 'VPC');
      equal(body.items[0].apiVersion, `${NETWORK}/v1`);
    },
  },
  {
    id: 'G7.2',
    title: 'items of a built-in list carry neither kind nor apiVersion',
    run: async (kcp) => {
      const { configMaps } = await corner(kcp);
      (await kcp.admin.post(configMaps, { metadata: { name: 'a' } })).expect(201);

      const { body } = (await kcp.admin.get(configMaps)).expect(200);

      equal(body.kind, 'ConfigMapList');
      ok(body.items?.every(({ kind, apiVersion }) => kind === undefined && apiVersion === undefined));
    },
  },
  {
    id: 'G7.3',
    title: 'a list after a write always holds it',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);

      for (let n = 0; n < 20; n += 1) {
        const written = (await kcp.admin.post(vpcs, vpc(`v${n}`))).expect(201).body;
        const { body } = (await kcp.admin.get(vpcs)).expect(200);
        ok(names(body).includes(`v${n}`), `v${n} is missing`);
        ok(Number(body.metadata.resourceVersion) >= Number(written.metadata.resourceVersion));
      }
    },
  },
  {
    id: 'G7.4',
    title: 'limit gives pages that go on with the token, keep one resourceVersion and say how many remain',
    run: async (kcp) => {
      const { vpcs } = await vpcsIn(kcp, 5);

      const first = (await kcp.admin.get(`${vpcs}?limit=2`)).expect(200).body;
      const token = encodeURIComponent(first.metadata.continue ?? '');
      const second = (await kcp.admin.get(`${vpcs}?limit=2&continue=${token}`)).expect(200).body;
      const third = (await kcp.admin.get(`${vpcs}?limit=2&continue=${encodeURIComponent(second.metadata.continue ?? '')}`)).expect(
        200,
      ).body;

      deepEqual([first, second, third].map(names), [['v00', 'v01'], ['v02', 'v03'], ['v04']]);
      deepEqual(
        [first, second, third].map(({ metadata }) => metadata.remainingItemCount),
        [3, 1, undefined],
      );
      equal(third.metadata.continue ?? '', '');
      equal(new Set([first, second, third].map(({ metadata }) => metadata.resourceVersion)).size, 1);
    },
  },
  {
    id: 'G7.5',
    title: 'later pages show the state of the first one, whatever happens meanwhile',
    run: async (kcp) => {
      const { vpcs } = await vpcsIn(kcp, 4);
      const first = (await kcp.admin.get(`${vpcs}?limit=2`)).expect(200).body;

      (await kcp.admin.delete(`${vpcs}/v03`)).expect(200);
      (await kcp.admin.post(vpcs, vpc('v99'))).expect(201);
      (await kcp.admin.patch('merge', `${vpcs}/v02`, { spec: { size: 77 } })).expect(200);
      const rest = (await kcp.admin.get(`${vpcs}?continue=${encodeURIComponent(first.metadata.continue ?? '')}`)).expect(200).body;

      deepEqual(names(rest), ['v02', 'v03']);
      equal(at(rest, 'items', 0, 'spec', 'size'), 3);
    },
  },
  {
    id: 'G7.6',
    title: 'a page with a selector does not say how many remain',
    run: async (kcp) => {
      const { vpcs } = await vpcsIn(kcp, 6);

      const { body } = (await kcp.admin.get(`${vpcs}?limit=1&labelSelector=parity%3Deven`)).expect(200);

      deepEqual(names(body), ['v00']);
      ok(body.metadata.continue);
      equal(body.metadata.remainingItemCount, undefined);
    },
  },
  {
    id: 'G7.7',
    title: 'a continue token that is none is 400',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);

      const { status, body } = await kcp.admin.get(`${vpcs}?limit=1&continue=garbage`);

      equal(status, 400);
      match(body.message ?? '', /continue key is not valid/);
    },
  },
  {
    id: 'G7.8',
    title: 'a continue token with a resourceVersion beside it is refused',
    run: async (kcp) => {
      const { vpcs } = await vpcsIn(kcp, 2);
      const first = (await kcp.admin.get(`${vpcs}?limit=1`)).expect(200).body;
      const token = encodeURIComponent(first.metadata.continue ?? '');

      const { status, body } = await kcp.admin.get(
        `${vpcs}?limit=1&continue=${token}&resourceVersion=${first.metadata.resourceVersion ?? ''}`,
      );

      equal(status, 400);
      match(body.message ?? '', /specifying resource version is not allowed when using continue/);
    },
  },
  {
    id: 'G7.9',
    title: 'a list across namespaces holds the objects of all of them in the order of namespace and name',
    run: async (kcp) => {
      const [one, two] = [await vpcsIn(kcp, 1), await vpcsIn(kcp, 2)];

      const { body } = (await kcp.admin.get(`${one.workspace.at}/apis/${NETWORK}/v1/vpcs`)).expect(200);

      const found = (body.items ?? [])
        .filter(({ metadata }) => metadata.namespace === one.namespace || metadata.namespace === two.namespace)
        .map(({ metadata }) => `${metadata.namespace ?? ''}/${metadata.name ?? ''}`);
      deepEqual(found, [`${one.namespace}/v00`, `${two.namespace}/v00`, `${two.namespace}/v01`].sort());
    },
  },
  ...[
    { n: 1, selector: 'parity=even', expected: ['v00', 'v02'] },
    { n: 2, selector: 'parity==odd', expected: ['v01', 'v03'] },
    { n: 3, selector: 'parity!=even', expected: ['v01', 'v03'] },
    { n: 4, selector: 'parity in (odd, none)', expected: ['v01', 'v03'] },
    { n: 5, selector: 'parity notin (odd)', expected: ['v00', 'v02'] },
    { n: 6, selector: 'first', expected: ['v00'] },
    { n: 7, selector: '!first', expected: ['v01', 'v02', 'v03'] },
    { n: 8, selector: 'parity=even,!first', expected: ['v02'] },
    { n: 9, selector: 'first=', expected: ['v00'] },
  ].map(({ n, selector, expected }): ConformanceCase => ({
    id: `G8.${n}`,
    title: `the label selector "${selector}" picks ${expected.join(' and ')} of four`,
    run: async (kcp) => {
      const { vpcs } = await vpcsIn(kcp, 4);

      const { body } = (await kcp.admin.get(`${vpcs}?labelSelector=${encodeURIComponent(selector)}`)).expect(200);

      deepEqual(names(body), expected);
    },
  })),
  {
    id: 'G8.10',
    title: 'a label selector that cannot be read is 400',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);

      const { status, body } = await kcp.admin.get(`${vpcs}?labelSelector=${encodeURIComponent('a in (b')}`);

      equal(status, 400);
      equal(body.reason, 'BadRequest');
      match(body.message ?? '', /unable to parse requirement: found '', expected: ',' or '\)'/);
    },
  },
  {
    id: 'G9.1',
    title: 'the field selector knows metadata.name and metadata.namespace of a bound type, with = and !=',
    run: async (kcp) => {
      const { vpcs, namespace } = await vpcsIn(kcp, 3);
      const select = async (selector: string): Promise<readonly unknown[]> =>
        names((await kcp.admin.get(`${vpcs}?fieldSelector=${encodeURIComponent(selector)}`)).expect(200).body);

      deepEqual(await select('metadata.name=v01'), ['v01']);
      deepEqual(await select('metadata.name!=v01'), ['v00', 'v02']);
      deepEqual(await select(`metadata.name=v01,metadata.namespace=${namespace}`), ['v01']);
      deepEqual(await select('metadata.name=none'), []);
    },
  },
  {
    id: 'G9.2',
    title: 'a field selector on anything else is 400',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);

      const { status, body } = await kcp.admin.get(`${vpcs}?fieldSelector=spec.size%3D1`);

      equal(status, 400);
      match(body.message ?? '', /field label not supported: spec\.size/);
    },
  },
  {
    id: 'G9.3',
    title: 'a field selector that cannot be read is 400',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);

      const { status, body } = await kcp.admin.get(`${vpcs}?fieldSelector=metadata.name`);

      equal(status, 400);
      match(body.message ?? '', /invalid selector: 'metadata\.name'; can't understand 'metadata\.name'/);
    },
  },
  {
    id: 'G10.1',
    title: 'deletecollection takes selectors and answers with the list of what went',
    run: async (kcp) => {
      const { vpcs } = await vpcsIn(kcp, 4);

      const { body } = (await kcp.admin.delete(`${vpcs}?labelSelector=parity%3Deven`)).expect(200);

      equal(body.kind, 'VPCList');
      deepEqual(names(body), ['v00', 'v02']);
      deepEqual(names((await kcp.admin.get(vpcs)).body), ['v01', 'v03']);
    },
  },
  {
    id: 'G10.2',
    title: 'deletecollection leaves what finalizers hold, marked as going',
    run: async (kcp) => {
      const { vpcs } = await vpcsIn(kcp, 1);
      (await kcp.admin.post(vpcs, vpc('held', {}, { finalizers: ['example.com/wait'] }))).expect(201);

      (await kcp.admin.delete(vpcs)).expect(200);

      const { body } = (await kcp.admin.get(vpcs)).expect(200);
      deepEqual(names(body), ['held']);
      ok(body.items?.[0]?.metadata.deletionTimestamp);
    },
  },
  {
    id: 'G11.1',
    title: 'resourceVersion=0 lists, and with resourceVersionMatch=Exact the state of that version is listed',
    run: async (kcp) => {
      const { vpcs } = await vpcsIn(kcp, 2);
      const { resourceVersion = '' } = (await kcp.admin.get(vpcs)).expect(200).body.metadata;
      (await kcp.admin.post(vpcs, vpc('later'))).expect(201);

      const exact = (await kcp.admin.get(`${vpcs}?resourceVersion=${resourceVersion}&resourceVersionMatch=Exact`)).expect(200).body;

      deepEqual(names(exact), ['v00', 'v01']);
      equal(exact.metadata.resourceVersion, resourceVersion);
      (await kcp.admin.get(`${vpcs}?resourceVersion=0`)).expect(200);
    },
  },
  {
    id: 'G11.2',
    title: 'a list not older than a version of the future is 504 with Retry-After and the cause ResourceVersionTooLarge',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);
      const { resourceVersion } = (await kcp.admin.get(vpcs)).expect(200).body.metadata;

      const answer = await kcp.admin.get(`${vpcs}?resourceVersion=${Number(resourceVersion) + 1_000_000}`);

      equal(answer.status, 504);
      equal(answer.body.reason, 'Timeout');
      match(answer.body.message ?? '', /^Timeout: Too large resource version: \d+, current: \d+$/);
      equal(answer.header('retry-after'), '1');
      equal(answer.body.details?.causes?.[0]?.reason, 'ResourceVersionTooLarge');
    },
  },
  {
    id: 'G11.3',
    title: 'a resourceVersion that is no number is 400, resourceVersionMatch without resourceVersion is 422',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);

      equal((await kcp.admin.get(`${vpcs}?resourceVersion=x`)).status, 400);
      equal((await kcp.admin.get(`${vpcs}?resourceVersionMatch=Exact`)).status, 422);
    },
  },
  {
    id: 'G11.4',
    title: 'once history is compacted, a list at an old version and an old continue token are 410 Expired',
    slow: true,
    exclusive: ({ forgetHistory }) => (forgetHistory === undefined ? undefined : 'everything'),
    run: async (kcp) => {
      const { vpcs } = await vpcsIn(kcp, 2);
      const first = (await kcp.admin.get(`${vpcs}?limit=1`)).expect(200).body;
      const token = encodeURIComponent(first.metadata.continue ?? '');
      (await kcp.admin.post(vpcs, vpc('later'))).expect(201);

      kcp.backend.forgetHistory?.();

      for (const query of ['resourceVersion=1&resourceVersionMatch=Exact', `limit=1&continue=${token}`]) {
        await eventually(
          'history is gone',
          async () => {
            const { status, body } = await kcp.admin.get(`${vpcs}?${query}`);
            equal(status, 410);
            equal(body.reason, 'Expired');
          },
          3 * patience.ms,
        );
      }
    },
  },
];
