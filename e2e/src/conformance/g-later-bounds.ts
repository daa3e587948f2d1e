import { deepEqual, match } from 'node:assert/strict';
import { at, type Tree } from '../https/kube-body.js';
import { eventually } from '../stage/eventually.js';
import { version, type TypeToServe } from '../stage/example-types.js';
import { APIS, APIS_V1ALPHA1, bind, makeExport, schemaOf, served } from '../stage/exports.js';
import type { ConformanceCase } from './conformance-case.js';

const GROUP = 'bounds.example.com';

function thing(mostItems: number): TypeToServe {
  const names = { type: 'array', items: { type: 'string' }, maxItems: mostItems };
  const root = {
    type: 'object',
    properties: {
      spec: { type: 'object', properties: { names, mode: { type: 'string' } } },
      status: { type: 'object', properties: { phase: { type: 'string' } } },
    },
  };
  return { plural: 'things', kind: 'Thing', scope: 'Cluster', versions: [version('v1', root)] };
}

/** G40: what becomes of an object when its schema gets a bound that it exceeds. */
export const laterBounds: readonly ConformanceCase[] = [
  {
    id: 'G40.1',
    title:
      'an object that exceeds a bound of a later schema can be labelled, and its status and the rest of its spec written; more is refused',
    run: async (kcp) => {
      const target = await makeExport(kcp, { name: GROUP, group: GROUP, types: [thing(9)] });
      const workspace = await kcp.workspace();
      await bind(kcp, workspace, target);
      const things = `${workspace.at}/apis/${GROUP}/v1/things`;
      await served(kcp, things);
      const object = { apiVersion: `${GROUP}/v1`, kind: 'Thing', metadata: { name: 'a' }, spec: { names: ['a', 'b', 'c'] } };
      (await kcp.admin.post(things, object)).expect(201);
      (await kcp.admin.post(`${target.workspace.at}${APIS_V1ALPHA1}/apiresourceschemas`, schemaOf(thing(2), GROUP, 'v2'))).expect(201);
      const resources = [{ group: GROUP, name: 'things', schema: `v2.things.${GROUP}`, storage: { crd: {} } }];
      (await kcp.admin.patch('merge', `${target.workspace.at}${APIS}/apiexports/${GROUP}`, { spec: { resources } })).expect(200);
      await eventually('the new schema is in force', async () => {
        const { text } = (await kcp.admin.post(`${things}?dryRun=All`, { ...object, metadata: { name: 'b' } })).expect(422);
        match(text, /spec\.names: Too many: 3: must have at most 2 items/);
      });

      const patch = async (path: string, body: Tree): Promise<number> => (await kcp.admin.patch('merge', path, body)).status;

      deepEqual(
        [
          await patch(`${things}/a`, { metadata: { labels: { a: 'b' }, finalizers: ['example.com/held'] } }),
          await patch(`${things}/a/status`, { status: { phase: 'Seen' } }),
          await patch(`${things}/a`, { spec: { mode: 'x' } }),
          await patch(`${things}/a`, { spec: { names: ['a', 'b', 'c', 'd'] } }),
          await patch(`${things}/a`, { metadata: { finalizers: null } }),
        ],
        [200, 200, 200, 422, 200],
      );
      const { body } = (await kcp.admin.get(`${things}/a`)).expect(200);
      deepEqual(at(body, 'spec', 'names'), ['a', 'b', 'c']);
    },
  },
];
