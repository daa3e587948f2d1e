import { deepEqual, equal, ok } from 'node:assert/strict';
import { at } from '../https/kube-body.js';
import type { ConformanceCase } from './conformance-case.js';
import { vpc } from '../stage/example-types.js';
import { corner } from '../stage/exports.js';

const TABLE = { headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' } };
const METADATA_LIST = { headers: { accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io' } };
const METADATA = { headers: { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' } };

/** G: projections: Tables by printer columns, and metadata alone. */
export const tables: readonly ConformanceCase[] = [
  {
    id: 'G12.1',
    title: 'a Table has a column for the name and one for each printer column, jsonPath as the description where there is none',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);

      const { body } = (await kcp.admin.get(vpcs, TABLE)).expect(200);

      equal(body.kind, 'Table');
      equal(body.apiVersion, 'meta.k8s.io/v1');
      deepEqual(
        body.columnDefinitions?.map(({ name, type, priority }) => [name, type, priority]),
        [
          ['Name', 'string', 0],
          ['Ref', 'string', 0],
          ['Refs', 'string', 0],
          ['Size', 'integer', 0],
          ['Cidr', 'string', 1],
          ['Age', 'date', 0],
        ],
      );
      equal(body.columnDefinitions[0]?.['format'], 'name');
      equal(body.columnDefinitions[1]?.['description'], 'Custom resource definition column (in JSONPath format): .spec.ref.name');
      equal(body.columnDefinitions[4]?.['description'], 'addresses');
    },
  },
  {
    id: 'G12.2',
    title: 'includeObject=None leaves the object out, Metadata and no wish keep its metadata, Object keeps all',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);
      (await kcp.admin.post(vpcs, vpc('a', { ref: { name: 'x' } }))).expect(201);
      const row = async (query: string): Promise<unknown> => at((await kcp.admin.get(vpcs + query, TABLE)).expect(200).body, 'rows', 0);

      equal(at(await row('?includeObject=None'), 'object') ?? null, null);
      for (const query of ['', '?includeObject=Metadata']) {
        const metadata = at(await row(query), 'object');
        equal(at(metadata, 'kind'), 'PartialObjectMetadata');
        equal(at(metadata, 'metadata', 'name'), 'a');
        equal(at(metadata, 'spec'), undefined);
      }
      equal(at(await row('?includeObject=Object'), 'object', 'spec', 'ref', 'name'), 'x');
    },
  },
  {
    id: 'G12.3',
    title: 'cells: strings as they are, a missing one null, of an array only the first, an age for dates',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);
      const odd = 'a<b>&é\n';
      (await kcp.admin.post(vpcs, vpc('a', { ref: { name: odd }, refs: [{ name: 'r1' }, { name: 'r2' }], size: 7 }))).expect(201);
      (await kcp.admin.post(vpcs, vpc('b'))).expect(201);

      const { body } = (await kcp.admin.get(`${vpcs}?includeObject=None`, TABLE)).expect(200);

      const [full, empty] = (body.rows ?? []).map(({ cells }) => cells);
      deepEqual(full?.slice(0, 5), ['a', odd, 'r1', 7, null]);
      deepEqual(empty?.slice(0, 5), ['b', null, null, null, null]);
      ok(/^\d+s$/.test(String(full[5])), String(full[5]));
    },
  },
  {
    id: 'G12.4',
    title: 'Tables come in pages like lists, with the same resourceVersion and tokens',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);
      for (const name of ['a', 'b', 'c']) (await kcp.admin.post(vpcs, vpc(name))).expect(201);

      const first = (await kcp.admin.get(`${vpcs}?includeObject=None&limit=2`, TABLE)).expect(200).body;
      const token = encodeURIComponent(first.metadata.continue ?? '');
      const second = (await kcp.admin.get(`${vpcs}?includeObject=None&limit=2&continue=${token}`, TABLE)).expect(200).body;

      deepEqual(
        [first, second].map(({ rows }) => rows?.map(({ cells }) => cells[0])),
        [['a', 'b'], ['c']],
      );
      equal(first.metadata.remainingItemCount, 1);
      equal(first.metadata.resourceVersion, second.metadata.resourceVersion);
    },
  },
  {
    id: 'G12.5',
    title: 'a Table after a write always holds it',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);

      for (let n = 0; n < 10; n += 1) {
        (await kcp.admin.post(vpcs, vpc(`v${n}`))).expect(201);
        equal((await kcp.admin.get(`${vpcs}?includeObject=None`, TABLE)).expect(200).body.rows?.length, n + 1);
      }
    },
  },
  {
    id: 'G12.6',
    title: 'one object is a Table of one row',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);
      (await kcp.admin.post(vpcs, vpc('a', { size: 3 }))).expect(201);

      const { body } = (await kcp.admin.get(`${vpcs}/a`, TABLE)).expect(200);

      equal(body.kind, 'Table');
      deepEqual(
        body.rows?.map(({ cells }) => cells[0]),
        ['a'],
      );
    },
  },
  {
    id: 'G12.7',
    title: 'an unknown includeObject is 400',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);

      const { status } = await kcp.admin.get(`${vpcs}?includeObject=Some`, TABLE);

      equal(status, 400);
    },
  },
  {
    id: 'G12.8',
    title: 'of several accepted forms the first that is served is taken',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);
      const accept = 'application/json;as=Odd;v=v1;g=example.com, application/json;as=Table;v=v1;g=meta.k8s.io, application/json';

      equal((await kcp.admin.get(vpcs, { headers: { accept } })).expect(200).body.kind, 'Table');
    },
  },
  {
    id: 'G13.1',
    title: 'PartialObjectMetadataList holds metadata and nothing else',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);
      (await kcp.admin.post(vpcs, vpc('a', { size: 3 }, { labels: { l: 'm' } }))).expect(201);

      const { body } = (await kcp.admin.get(vpcs, METADATA_LIST)).expect(200);

      equal(body.kind, 'PartialObjectMetadataList');
      equal(body.apiVersion, 'meta.k8s.io/v1');
      equal(body.items?.[0]?.metadata.labels?.['l'], 'm');
      deepEqual(Object.keys(body.items[0]).sort(), ['apiVersion', 'kind', 'metadata']);
      equal(body.items[0].kind, 'PartialObjectMetadata');
    },
  },
  {
    id: 'G13.2',
    title: 'PartialObjectMetadata of one object',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);
      (await kcp.admin.post(vpcs, vpc('a', { size: 3 }))).expect(201);

      const { body } = (await kcp.admin.get(`${vpcs}/a`, METADATA)).expect(200);

      equal(body.kind, 'PartialObjectMetadata');
      equal(body.metadata.name, 'a');
      equal(body.spec, undefined);
    },
  },
  {
    id: 'G13.3',
    title: 'an Accept that nothing serves is 406',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);

      const { status, body } = await kcp.admin.get(vpcs, { headers: { accept: 'text/csv' } });

      equal(status, 406);
      equal(body.reason, 'NotAcceptable');
    },
  },
  {
    id: 'G13.4',
    title: 'the metadata of a list where there is one object, and of one object where there is a list, is 406',
    run: async (kcp) => {
      const { configMaps, vpcs } = await corner(kcp);
      (await kcp.admin.post(configMaps, { metadata: { name: 'a' } })).expect(201);

      const one = (await kcp.admin.get(`${configMaps}/a`, METADATA_LIST)).expect(406);
      const many = (await kcp.admin.get(configMaps, METADATA)).expect(406);
      const bound = (await kcp.admin.get(vpcs, METADATA)).expect(406);

      const refusal = 'you requested PartialObjectMetadata, but the requested object is a list';
      equal(one.body.message, 'you requested PartialObjectMetadataList, but the requested object is not a list (*core.ConfigMap)');
      equal(many.body.message, `${refusal} (*core.ConfigMapList)`);
      equal(bound.body.message, `${refusal} (*unstructured.UnstructuredList)`);
    },
  },
  {
    id: 'G13.5',
    title: 'the metadata of a list is 500 of one bound object, which is written all the same',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);

      const created = (await kcp.admin.post(vpcs, vpc('a'), METADATA_LIST)).expect(500);

      equal(created.body.message, 'content is not a list');
      (await kcp.admin.get(`${vpcs}/a`)).expect(200);
    },
  },
];
