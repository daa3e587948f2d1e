import { deepEqual, equal, ok } from 'node:assert/strict';
import type { Watch } from '../https/watch.js';
import type { ConformanceCase } from './conformance-case.js';
import { vpc } from '../stage/example-types.js';
import { corner } from '../stage/exports.js';

const INITIAL = 'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';

function line(watch: Watch): readonly string[] {
  return watch.events.filter(({ type }) => type !== 'BOOKMARK').map(({ type, object }) => `${type} ${object.metadata.name ?? ''}`);
}

/** G: watches. */
export const watches: readonly ConformanceCase[] = [
  {
    id: 'G19.1',
    title: 'a watch from the version of a list tells every later change, in order, once',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);
      (await kcp.admin.post(vpcs, vpc('before'))).expect(201);
      const { resourceVersion = '' } = (await kcp.admin.get(vpcs)).expect(200).body.metadata;
      const watch = await kcp.admin.watch(`${vpcs}?watch=true&resourceVersion=${resourceVersion}`);

      (await kcp.admin.post(vpcs, vpc('a'))).expect(201);
      (await kcp.admin.patch('merge', `${vpcs}/a`, { spec: { size: 2 } })).expect(200);
      (await kcp.admin.delete(`${vpcs}/a`)).expect(200);
      (await kcp.admin.post(vpcs, vpc('end'))).expect(201);

      await watch.waitFor('the last object', ({ object }) => object.metadata.name === 'end');
      watch.close();
      deepEqual(line(watch), ['ADDED a', 'MODIFIED a', 'DELETED a', 'ADDED end']);
    },
  },
  {
    id: 'G19.2',
    title: 'a watch without a version begins with what is there, as ADDED',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);
      for (const name of ['a', 'b']) (await kcp.admin.post(vpcs, vpc(name))).expect(201);

      const watch = await kcp.admin.watch(`${vpcs}?watch=true`);
      await watch.waitFor('both', () => watch.events.length === 2);
      watch.close();

      deepEqual([...line(watch)].sort(), ['ADDED a', 'ADDED b']);
    },
  },
  {
    id: 'G19.3',
    title: 'a deleted object comes with its last state and the version of the delete',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);
      const created = (await kcp.admin.post(vpcs, vpc('a', { size: 3 }))).expect(201).body;
      const watch = await kcp.admin.watch(`${vpcs}?watch=true&resourceVersion=${created.metadata.resourceVersion ?? ''}`);

      (await kcp.admin.delete(`${vpcs}/a`)).expect(200);

      const { object } = await watch.waitFor('the end of a', ({ type }) => type === 'DELETED');
      watch.close();
      equal(object.spec?.['size'], 3);
      ok(Number(object.metadata.resourceVersion) > Number(created.metadata.resourceVersion));
    },
  },
  {
    id: 'G19.4',
    title: 'sendInitialEvents gives what is there and then a bookmark that says so',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);
      for (const name of ['a', 'b']) (await kcp.admin.post(vpcs, vpc(name))).expect(201);

      const watch = await kcp.admin.watch(`${vpcs}?${INITIAL}`);
      const bookmark = await watch.waitFor('the bookmark', ({ type }) => type === 'BOOKMARK');
      (await kcp.admin.post(vpcs, vpc('c'))).expect(201);
      await watch.waitFor('c', ({ object }) => object.metadata.name === 'c');
      watch.close();

      equal(bookmark.object.metadata.annotations?.['k8s.io/initial-events-end'], 'true');
      equal(bookmark.object.kind, 'VPC');
      ok(Number(bookmark.object.metadata.resourceVersion) > 0);
      deepEqual(
        watch.events.map(({ type }) => type),
        ['ADDED', 'ADDED', 'BOOKMARK', 'ADDED'],
      );
    },
  },
  {
    id: 'G19.5',
    title: 'sendInitialEvents without resourceVersionMatch is 422',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);

      const refused = await kcp.admin.get(`${vpcs}?watch=true&sendInitialEvents=true`);

      equal(refused.status, 422);
    },
  },
  {
    id: 'G19.6',
    title: 'a watch with a selector says DELETED when an object stops matching and ADDED when it begins to',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);
      (await kcp.admin.post(vpcs, vpc('a', {}, { labels: { l: 'yes' } }))).expect(201);
      (await kcp.admin.post(vpcs, vpc('other'))).expect(201);
      const { resourceVersion = '' } = (await kcp.admin.get(vpcs)).expect(200).body.metadata;
      const watch = await kcp.admin.watch(`${vpcs}?watch=true&labelSelector=l%3Dyes&resourceVersion=${resourceVersion}`);

      (await kcp.admin.patch('merge', `${vpcs}/a`, { metadata: { labels: { l: 'no' } } })).expect(200);
      (await kcp.admin.patch('merge', `${vpcs}/other`, { metadata: { labels: { l: 'yes' } } })).expect(200);

      await watch.waitFor('the other', ({ object }) => object.metadata.name === 'other');
      watch.close();
      deepEqual(line(watch), ['DELETED a', 'ADDED other']);
    },
  },
  {
    id: 'G19.7',
    title: 'a watch of one object by field selector tells of that one only',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);
      const { resourceVersion = '' } = (await kcp.admin.get(vpcs)).expect(200).body.metadata;
      const watch = await kcp.admin.watch(`${vpcs}?watch=true&fieldSelector=metadata.name%3Db&resourceVersion=${resourceVersion}`);

      for (const name of ['a', 'b', 'c']) (await kcp.admin.post(vpcs, vpc(name))).expect(201);
      (await kcp.admin.delete(`${vpcs}/b`)).expect(200);

      await watch.waitFor('the end of b', ({ type }) => type === 'DELETED');
      watch.close();
      deepEqual(line(watch), ['ADDED b', 'DELETED b']);
    },
  },
  {
    id: 'G19.8',
    title: 'timeoutSeconds ends a watch cleanly',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);

      const watch = await kcp.admin.watch(`${vpcs}?watch=true&timeoutSeconds=1`);

      await watch.waitForEnd(10_000);
      deepEqual(watch.events, []);
    },
  },
  {
    id: 'G19.9',
    title: 'a watch from a version that is gone is 200 with one ERROR event of code 410 and ends',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);

      const watch = await kcp.admin.watch(`${vpcs}?watch=true&resourceVersion=1`);

      const { object } = await watch.waitFor('the error', ({ type }) => type === 'ERROR');
      equal(object.code, 410);
      equal(object.reason, 'Expired');
      equal(object.kind, 'Status');
      await watch.waitForEnd();
    },
  },
  {
    id: 'G19.10',
    title: 'a watch from a version of the future is open and silent',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);
      const { resourceVersion } = (await kcp.admin.get(vpcs)).expect(200).body.metadata;

      const watch = await kcp.admin.watch(`${vpcs}?watch=true&timeoutSeconds=2&resourceVersion=${Number(resourceVersion) + 1_000_000}`);
      (await kcp.admin.post(vpcs, vpc('a'))).expect(201);

      await watch.waitForEnd(20_000);
      deepEqual(line(watch), []);
    },
  },
  {
    id: 'G19.11',
    title: 'a watch as Table tells rows, and columns with the first event only',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);
      const { resourceVersion = '' } = (await kcp.admin.get(vpcs)).expect(200).body.metadata;
      const headers = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
      const watch = await kcp.admin.watch(`${vpcs}?watch=true&resourceVersion=${resourceVersion}`, { headers });

      for (const name of ['a', 'b']) (await kcp.admin.post(vpcs, vpc(name))).expect(201);

      await watch.waitFor('two rows', () => watch.events.length === 2);
      watch.close();
      deepEqual(
        watch.events.map(({ object }) => object.rows?.[0]?.cells[0]),
        ['a', 'b'],
      );
      deepEqual(
        watch.events.map(({ object }) => (object.columnDefinitions ?? []).length > 0),
        [true, false],
      );
    },
  },
  {
    id: 'G19.12',
    title: 'a watch as metadata tells metadata',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);
      const headers = { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' };
      const watch = await kcp.admin.watch(`${vpcs}?watch=true`, { headers });

      (await kcp.admin.post(vpcs, vpc('a', { size: 1 }))).expect(201);

      const { object } = await watch.waitFor('a', ({ type }) => type === 'ADDED');
      watch.close();
      equal(object.kind, 'PartialObjectMetadata');
      equal(object.spec, undefined);
    },
  },
];
