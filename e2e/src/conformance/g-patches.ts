import { deepEqual, equal, match } from 'node:assert/strict';
import { at, type KubeBody, type Tree } from '../https/kube-body.js';
import type { ConformanceCase } from './conformance-case.js';
import { vpc } from '../stage/example-types.js';
import { corner } from '../stage/exports.js';

function managers(body: KubeBody): readonly string[] {
  return (body.metadata.managedFields ?? []).map(({ manager, operation }) => `${String(manager)} ${String(operation)}`).sort();
}

function applied(name: string, spec: Tree): Tree {
  return vpc(name, spec);
}

/** G: patches of the four kinds, and who owns which field. */
export const patches: readonly ConformanceCase[] = [
  {
    id: 'G15.1',
    title: 'a merge patch sets, replaces lists whole and removes with null',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);
      (await kcp.admin.post(vpcs, vpc('a', { size: 1, cidr: '10.0.0.0/8', refs: [{ name: 'x' }, { name: 'y' }] }))).expect(201);

      const { body } = (await kcp.admin.patch('merge', `${vpcs}/a`, { spec: { size: 2, cidr: null, refs: [{ name: 'z' }] } })).expect(200);

      deepEqual(body.spec, { size: 2, mode: 'routed', refs: [{ name: 'z' }] });
    },
  },
  {
    id: 'G15.2',
    title: 'a merge patch with a stale resourceVersion is 409, without one it always applies',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);
      (await kcp.admin.post(vpcs, vpc('a'))).expect(201);

      equal((await kcp.admin.patch('merge', `${vpcs}/a`, { metadata: { resourceVersion: '1' }, spec: { size: 2 } })).status, 409);
      equal((await kcp.admin.patch('merge', `${vpcs}/a`, { spec: { size: 2 } })).status, 200);
    },
  },
  {
    id: 'G15.3',
    title: 'a merge patch cannot change uid (422) or name (400)',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);
      (await kcp.admin.post(vpcs, vpc('a'))).expect(201);

      const uid = await kcp.admin.patch('merge', `${vpcs}/a`, { metadata: { uid: 'x' } });
      const name = await kcp.admin.patch('merge', `${vpcs}/a`, { metadata: { name: 'x' } });

      equal(uid.status, 422);
      match(uid.body.message ?? '', /metadata\.uid: Invalid value: "x": field is immutable/);
      equal(name.status, 400);
      equal(name.body.message, 'the name of the object (x) does not match the name on the URL (a)');
    },
  },
  {
    id: 'G15.4',
    title: 'a merge patch that is no JSON object is 400',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);
      (await kcp.admin.post(vpcs, vpc('a'))).expect(201);

      for (const patch of ['{bad', '[]']) {
        const { status, body } = await kcp.admin.patch('merge', `${vpcs}/a`, patch);
        equal(status, 400, patch);
        match(body.message ?? '', /^error decoding patch: /);
      }
    },
  },
  {
    id: 'G15.5',
    title: 'a patch of what does not exist is 404',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);

      equal((await kcp.admin.patch('merge', `${vpcs}/none`, {})).status, 404);
      equal((await kcp.admin.patch('json', `${vpcs}/none`, [])).status, 404);
    },
  },
  {
    id: 'G16.1',
    title: 'a JSON patch adds, replaces, removes, moves, copies and tests',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);
      (await kcp.admin.post(vpcs, vpc('a', { size: 1, labels: { x: '1' }, refs: [{ name: 'x' }] }))).expect(201);

      const { body } = (
        await kcp.admin.patch('json', `${vpcs}/a`, [
          { op: 'test', path: '/spec/size', value: 1 },
          { op: 'replace', path: '/spec/size', value: 2 },
          { op: 'add', path: '/spec/refs/-', value: { name: 'y' } },
          { op: 'copy', from: '/spec/labels/x', path: '/spec/labels/a~1b' },
          { op: 'move', from: '/spec/labels/x', path: '/spec/labels/z' },
          { op: 'remove', path: '/spec/refs/0' },
        ])
      ).expect(200);

      deepEqual(body.spec, { size: 2, mode: 'routed', refs: [{ name: 'y' }], labels: { 'a/b': '1', z: '1' } });
    },
  },
  ...[
    { n: 2, given: 'a test that does not hold', patch: [{ op: 'test', path: '/spec/size', value: 99 }] },
    { n: 3, given: 'a removal of what is not there', patch: [{ op: 'remove', path: '/spec/size' }] },
    { n: 4, given: 'an addition below what is not there', patch: [{ op: 'add', path: '/spec/ref/name', value: 'x' }] },
    { n: 5, given: 'an unknown operation', patch: [{ op: 'odd', path: '/spec' }] },
  ].map(({ n, given, patch }): ConformanceCase => ({
    id: `G16.${n}`,
    title: `a JSON patch with ${given} is 422 and changes nothing`,
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);
      (await kcp.admin.post(vpcs, vpc('a'))).expect(201);

      const { status, body } = await kcp.admin.patch('json', `${vpcs}/a`, patch);

      equal(status, 422);
      equal(body.message, 'the server rejected our request due to an error in our request');
      equal((await kcp.admin.get(`${vpcs}/a`)).body.metadata.generation, 1);
    },
  })),
  {
    id: 'G16.6',
    title: 'a JSON patch that is no array is 400',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);
      (await kcp.admin.post(vpcs, vpc('a'))).expect(201);

      equal((await kcp.admin.patch('json', `${vpcs}/a`, {})).status, 400);
    },
  },
  {
    id: 'G17.1',
    title: 'a strategic merge patch works on built-in types and is 415 on bound ones',
    run: async (kcp) => {
      const { vpcs, configMaps } = await corner(kcp);
      (await kcp.admin.post(configMaps, { metadata: { name: 'a' }, data: { a: '1', b: '2' } })).expect(201);
      (await kcp.admin.post(vpcs, vpc('a'))).expect(201);

      const { body } = (await kcp.admin.patch('strategic', `${configMaps}/a`, { data: { a: null, c: '3' } })).expect(200);
      const refused = await kcp.admin.patch('strategic', `${vpcs}/a`, {});

      deepEqual(body.data, { b: '2', c: '3' });
      equal(refused.status, 415);
      match(
        refused.body.message ?? '',
        /accepted media types include: application\/json-patch\+json, application\/merge-patch\+json, application\/apply-patch\+yaml/,
      );
    },
  },
  {
    id: 'G18.1',
    title: 'apply creates (201), owns what it names, and removes what it no longer names (200)',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);

      const first = (await kcp.admin.patch('apply', `${vpcs}/a?fieldManager=m`, applied('a', { size: 1, ref: { name: 'x' } }))).expect(
        201,
      ).body;
      const second = (await kcp.admin.patch('apply', `${vpcs}/a?fieldManager=m`, applied('a', { size: 1 }))).expect(200).body;

      deepEqual(managers(first), ['m Apply']);
      deepEqual(at(first, 'metadata', 'managedFields', 0, 'fieldsV1'), { 'f:spec': { 'f:ref': { 'f:name': {} }, 'f:size': {} } });
      deepEqual(second.spec, { size: 1, mode: 'routed' });
    },
  },
  {
    id: 'G18.2',
    title: 'apply of a field that another manager owns is 409 and names both; with force it changes hands',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);
      (await kcp.admin.patch('apply', `${vpcs}/a?fieldManager=one`, applied('a', { size: 1 }))).expect(201);

      const refused = await kcp.admin.patch('apply', `${vpcs}/a?fieldManager=two`, applied('a', { size: 2 }));
      const forced = (await kcp.admin.patch('apply', `${vpcs}/a?fieldManager=two&force=true`, applied('a', { size: 2 }))).expect(200).body;

      equal(refused.status, 409);
      equal(refused.body.reason, 'Conflict');
      equal(refused.body.message, 'Apply failed with 1 conflict: conflict with "one": .spec.size');
      deepEqual(refused.body.details?.causes, [{ reason: 'FieldManagerConflict', message: 'conflict with "one"', field: '.spec.size' }]);
      deepEqual(managers(forced), ['two Apply']);
    },
  },
  {
    id: 'G18.3',
    title: 'managers that apply the same value share the field',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);
      (await kcp.admin.patch('apply', `${vpcs}/a?fieldManager=one`, applied('a', { size: 1 }))).expect(201);

      const { body } = (await kcp.admin.patch('apply', `${vpcs}/a?fieldManager=two`, applied('a', { size: 1 }))).expect(200);

      deepEqual(managers(body), ['one Apply', 'two Apply']);
    },
  },
  {
    id: 'G18.4',
    title: 'a list with map keys is merged by its keys when it is applied',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);
      (await kcp.admin.patch('apply', `${vpcs}/a?fieldManager=one`, applied('a', { ports: [{ name: 'http', number: 80 }] }))).expect(201);

      const { body } = (
        await kcp.admin.patch('apply', `${vpcs}/a?fieldManager=two`, applied('a', { ports: [{ name: 'https', number: 443 }] }))
      ).expect(200);

      deepEqual(body.spec?.['ports'], [
        { name: 'http', number: 80 },
        { name: 'https', number: 443 },
      ]);
    },
  },
  {
    id: 'G18.5',
    title: 'apply without a manager is 422, with another name than the path 400',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);

      const nobody = await kcp.admin.patch('apply', `${vpcs}/a`, applied('a', {}));
      const otherName = await kcp.admin.patch('apply', `${vpcs}/a?fieldManager=m`, applied('b', {}));

      equal(nobody.status, 422);
      match(nobody.body.message ?? '', /fieldManager: Required value: is required for apply patch/);
      equal(otherName.status, 400);
      equal(otherName.body.message, 'the name of the object (b) does not match the name on the URL (a)');
    },
  },
  {
    id: 'G18.6',
    title: 'force without apply is 422',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);
      (await kcp.admin.post(vpcs, vpc('a'))).expect(201);

      const { status, body } = await kcp.admin.patch('merge', `${vpcs}/a?force=true`, {});

      equal(status, 422);
      match(body.message ?? '', /force: Forbidden: may not be specified for non-apply patch/);
    },
  },
  {
    id: 'G18.7',
    title: 'a manager is named by fieldManager, else by the user agent up to its first slash',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);

      const named = (await kcp.admin.post(`${vpcs}?fieldManager=me`, vpc('a'))).expect(201).body;
      const agent = (await kcp.admin.post(vpcs, vpc('b'), { headers: { 'user-agent': 'tool/1.2 (linux)' } })).expect(201).body;

      deepEqual(managers(named), ['me Update']);
      deepEqual(managers(agent), ['tool Update']);
    },
  },
  {
    id: 'G18.8',
    title: 'an update takes the changed fields over from whoever applied them',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);
      (await kcp.admin.patch('apply', `${vpcs}/a?fieldManager=one`, applied('a', { size: 1, cidr: '1' }))).expect(201);

      const { body } = (await kcp.admin.patch('merge', `${vpcs}/a?fieldManager=two`, { spec: { size: 2 } })).expect(200);

      const owned = (body.metadata.managedFields ?? []).map(({ manager, fieldsV1 }) => [manager, fieldsV1]);
      deepEqual(Object.fromEntries(owned), {
        one: { 'f:spec': { 'f:cidr': {} } },
        two: { 'f:spec': { 'f:size': {} } },
      });
    },
  },
  {
    id: 'G18.9',
    title: 'apply of the status belongs to a manager of its own subresource',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);
      (await kcp.admin.post(`${vpcs}?fieldManager=user`, vpc('a', { size: 1 }))).expect(201);

      const status = { ...vpc('a'), spec: undefined, status: { phase: 'Up' } };
      const { body } = (await kcp.admin.patch('apply', `${vpcs}/a/status?fieldManager=ctl&force=true`, status)).expect(200);

      const entry = body.metadata.managedFields?.find(({ manager }) => manager === 'ctl');
      deepEqual([entry?.['operation'], entry?.['subresource']], ['Apply', 'status']);
      deepEqual(body.status, { phase: 'Up' });
      equal(body.spec?.['size'], 1);
    },
  },
];
