import { deepEqual, equal } from 'node:assert/strict';
import type { Answer } from '../https/answer.js';
import type { Tree } from '../https/kube-body.js';
import { vpc } from '../stage/example-types.js';
import { corner, type Corner } from '../stage/exports.js';
import type { Stage } from '../stage/stage.js';
import type { ConformanceCase } from './conformance-case.js';

const deletionTimestamp = '2020-01-01T00:00:00Z';
const KINDS: Readonly<Record<string, { readonly of: (place: Corner) => string; readonly object: (metadata: Tree) => Tree }>> = {
  'a ConfigMap': { of: ({ configMaps }) => configMaps, object: (metadata) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata }) },
  'a bound object': { of: ({ vpcs }) => vpcs, object: (metadata) => vpc('a', {}, metadata) },
};

type Write = (kcp: Stage, url: string, object: Tree) => Promise<Answer>;
const WRITES: Readonly<Record<string, Write>> = {
  'a merge patch': (kcp, url) => kcp.admin.patch('merge', url, { metadata: { deletionTimestamp } }),
  'a json patch': (kcp, url) =>
    kcp.admin.patch('json', url, [{ op: 'add', path: '/metadata/deletionTimestamp', value: deletionTimestamp }]),
  'an apply': (kcp, url, object) => kcp.admin.patch('apply', `${url}?fieldManager=x`, object),
  'a PUT': async (kcp, url) => {
    const { body } = await kcp.admin.get(url);
    return kcp.admin.put(url, { ...body, metadata: { ...body.metadata, deletionTimestamp } });
  },
};

/** G29: only a delete marks an object as deleted. */
export const deletionMarks: readonly ConformanceCase[] = [
  ...Object.entries(KINDS).flatMap(([kind, { of, object }], k) =>
    Object.entries(WRITES).map(([write, send], w): ConformanceCase => ({
      id: `G29.${1 + k * 4 + w}`,
      title: `${write} does not mark ${kind} as deleted`,
      run: async (kcp) => {
        const path = of(await corner(kcp));
        (await kcp.admin.post(path, object({ name: 'a' }))).expect(201);

        const { status, body } = await send(kcp, `${path}/a`, object({ name: 'a', deletionTimestamp }));

        equal(status, 422);
        const cause = {
          reason: 'FieldValueInvalid',
          message: `Invalid value: "${deletionTimestamp}": field is immutable`,
          field: 'metadata.deletionTimestamp',
        };
        deepEqual(body.details?.causes, [cause, cause]);
        equal(body.message?.endsWith(` "a" is invalid: ${cause.field}: ${cause.message}`), true, body.message);
      },
    })),
  ),
  {
    id: 'G29.9',
    title: 'on a create the mark is ignored, on an object that is being deleted it does not change',
    run: async (kcp) => {
      const { configMaps, vpcs } = await corner(kcp);
      for (const path of [configMaps, vpcs]) {
        const object = path === vpcs ? vpc('a') : { metadata: { name: 'a' } };
        const finalizers = ['example.com/hold'];
        const made = (await kcp.admin.post(path, { ...object, metadata: { name: 'a', finalizers, deletionTimestamp } })).expect(201);
        equal(made.body.metadata.deletionTimestamp, undefined);

        const marked = (await kcp.admin.delete(`${path}/a`)).expect(200).body.metadata.deletionTimestamp;
        for (const value of [deletionTimestamp, null]) {
          const { body } = (await kcp.admin.patch('merge', `${path}/a`, { metadata: { deletionTimestamp: value } })).expect(200);
          equal(body.metadata.deletionTimestamp, marked);
        }
      }
    },
  },
];
