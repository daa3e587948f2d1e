import { deepEqual, equal, match, ok } from 'node:assert/strict';
import type { Answer } from '../https/answer.js';
import type { Tree } from '../https/kube-body.js';
import { vpc } from '../stage/example-types.js';
import { corner } from '../stage/exports.js';
import type { ConformanceCase } from './conformance-case.js';

const ODD = { nope: 1, labelz: { a: 'b' } };
const oddMap = (name: string): Tree => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...ODD } });
const kept = ({ body }: Answer): readonly string[] => Object.keys(body.metadata).filter((key) => key in ODD);

/** G31: fields of metadata that no object has. */
export const unknownFields: readonly ConformanceCase[] = [
  {
    id: 'G31.1',
    title: 'unknown fields of the metadata are never stored, whatever fieldValidation says',
    run: async (kcp) => {
      const { configMaps, vpcs } = await corner(kcp);

      for (const how of ['Ignore', 'Warn']) {
        const name = how.toLowerCase();
        const builtIn = (await kcp.admin.post(`${configMaps}?fieldValidation=${how}`, oddMap(name))).expect(201);
        const bound = (await kcp.admin.post(`${vpcs}?fieldValidation=${how}`, vpc(name, {}, ODD))).expect(201);

        deepEqual([kept(builtIn), kept(bound)], [[], []]);
        const warned = how === 'Warn' ? 2 : 0;
        equal(builtIn.header('warning').split('unknown field').length - 1, warned);
        equal(bound.header('warning').split('unknown field').length - 1, warned);
      }
    },
  },
  {
    id: 'G31.2',
    title: 'with fieldValidation=Strict an unknown field of the metadata, or of an owner in it, is 400',
    run: async (kcp) => {
      const { configMaps, vpcs } = await corner(kcp);
      const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: 'u', odd: 1 };

      const builtIn = (await kcp.admin.post(`${configMaps}?fieldValidation=Strict`, oddMap('a'))).expect(400);
      const bound = (
        await kcp.admin.post(`${vpcs}?fieldValidation=Strict`, vpc('a', { odd: 1 }, { ...ODD, ownerReferences: [owner] }))
      ).expect(400);

      match(builtIn.body.message ?? '', /^ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: /);
      match(builtIn.body.message ?? '', /unknown field "metadata\.nope", unknown field "metadata\.labelz"$/);
      const fields = ['metadata.labelz', 'metadata.nope', 'metadata.ownerReferences[0].odd', 'spec.odd'];
      ok(bound.body.message?.endsWith(`strict decoding error: ${fields.map((field) => `unknown field "${field}"`).join(', ')}`));
    },
  },
  {
    id: 'G31.3',
    title: 'a patch that adds an unknown field is 422 with fieldValidation=Strict and changes nothing without it',
    run: async (kcp) => {
      const { configMaps, vpcs } = await corner(kcp);
      (await kcp.admin.post(configMaps, { metadata: { name: 'a' } })).expect(201);
      (await kcp.admin.post(vpcs, vpc('a'))).expect(201);

      for (const url of [`${configMaps}/a`, `${vpcs}/a`]) {
        const refused = (await kcp.admin.patch('merge', `${url}?fieldValidation=Strict`, { metadata: { nope: 1 } })).expect(422);

        match(
          refused.body.message ?? '',
          /^ "" is invalid: patch: Invalid value: .*: strict decoding error: unknown field "metadata\.nope"$/,
        );
      }
      // The first write that carries the annotation kcp.io/cluster stores it, and so is a change.
      const stored = (await kcp.admin.patch('merge', `${configMaps}/a`, {})).expect(200);
      const patched = (await kcp.admin.patch('merge', `${configMaps}/a`, { metadata: { nope: 1 } })).expect(200);
      equal(patched.body.metadata.resourceVersion, stored.body.metadata.resourceVersion);
      equal(patched.header('warning'), '299 - "unknown field \\"metadata.nope\\""');
    },
  },
];
