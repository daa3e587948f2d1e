import { deepEqual, equal, match } from 'node:assert/strict';
import { at, type Tree } from '../https/kube-body.js';
import { eventually } from '../stage/eventually.js';
import { NETWORK, version } from '../stage/example-types.js';
import { bind, makeExport, paths, served } from '../stage/exports.js';
import type { Stage } from '../stage/stage.js';
import type { ConformanceCase } from './conformance-case.js';

const GROUP = 'own.example.com';
const schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: { color: { type: 'string' }, size: { type: 'integer' }, ok: { type: 'boolean' }, deep: { type: 'object' } },
    },
  },
};
const selectable = (...names: readonly string[]): Tree => ({ selectableFields: names.map((name) => ({ jsonPath: `.spec.${name}` })) });

function definition(plural: string, more: Tree = {}): Tree {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${GROUP}` },
    spec: {
      group: GROUP,
      scope: 'Namespaced',
      names: { plural, kind: 'Gizmo' },
      versions: [{ ...version('v1', { openAPIV3Schema: schema }), ...more }],
    },
  };
}

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** Where gizmos of a workspace of their own are: three of them, of which one says everything; made once. */
async function gizmos(kcp: Stage): Promise<string> {
  return kcp.shared('a definition', async () => {
    const workspace = await kcp.workspace();
    (await kcp.admin.post(`${workspace.at}${DEFINITIONS}`, definition('gizmos', selectable('color', 'size', 'ok')))).expect(201);
    const path = `${workspace.at}/apis/${GROUP}/v1/namespaces/default/gizmos`;
    await served(kcp, path);
    const specs: Readonly<Record<string, Tree>> = { a: { color: 'red', size: 1, ok: true }, b: { color: 'blue' }, c: {} };
    for (const [name, spec] of Object.entries(specs)) {
      (await kcp.admin.post(path, { apiVersion: `${GROUP}/v1`, kind: 'Gizmo', metadata: { name }, spec })).expect(201);
    }
    return path;
  });
}

/** G28: CustomResourceDefinitions of a workspace, and the fields by which their objects can be selected. */
export const definitions: readonly ConformanceCase[] = [
  {
    id: 'G28.1',
    title: 'a CustomResourceDefinition is established and its type is served',
    run: async (kcp) => {
      const path = await gizmos(kcp);

      const found = (await kcp.admin.get(`${path.split('/apis/')[0] ?? ''}${DEFINITIONS}/gizmos.${GROUP}`)).expect(200).body;

      equal(found.metadata.finalizers, undefined);
      deepEqual(at(found, 'status', 'storedVersions'), ['v1']);
      equal((await kcp.admin.get(`${path}/a`)).status, 200);
    },
  },
  ...[
    { n: 2, selector: 'spec.color=red', names: ['a'] },
    { n: 3, selector: 'spec.color!=red', names: ['b', 'c'] },
    { n: 4, selector: 'spec.color=', names: ['c'] },
    { n: 5, selector: 'spec.size=1', names: ['a'] },
    { n: 6, selector: 'spec.ok=true,metadata.name=a', names: ['a'] },
  ].map(({ n, selector, names }): ConformanceCase => ({
    id: `G28.${n}`,
    title: `?fieldSelector=${selector} selects by a field that the definition names`,
    run: async (kcp) => {
      const path = await gizmos(kcp);

      const { body } = (await kcp.admin.get(`${path}?fieldSelector=${encodeURIComponent(selector)}`)).expect(200);

      deepEqual(
        body.items?.map(({ metadata }) => metadata.name),
        names,
      );
    },
  })),
  {
    id: 'G28.7',
    title: 'a field that no definition names cannot be selected by',
    run: async (kcp) => {
      const { status, body } = await kcp.admin.get(`${await gizmos(kcp)}?fieldSelector=spec.deep%3D1`);

      equal(status, 400);
      equal(body.message, 'field label not supported: spec.deep');
    },
  },
  {
    id: 'G28.8',
    title: 'an APIResourceSchema loses its selectable fields, so bound types have none',
    run: async (kcp) => {
      const types = [
        { plural: 'gizmos', kind: 'Gizmo', scope: 'Namespaced', versions: [version('v1', schema, selectable('color'))] },
      ] as const;
      const made = await makeExport(kcp, { types });
      const workspace = await kcp.workspace();
      await bind(kcp, workspace, made);
      const path = paths(workspace).vpcs.replace(/vpcs$/, 'gizmos');
      await served(kcp, path);

      const { status, body } = await kcp.admin.get(`${path}?fieldSelector=spec.color%3Dred`);

      equal(status, 400);
      equal(body.message, 'field label not supported: spec.color');
      const stored = await kcp.admin.get(`${made.workspace.at}/apis/apis.kcp.io/v1alpha1/apiresourceschemas/v1.gizmos.${NETWORK}`);
      equal(at(stored.body, 'spec', 'versions', 0, 'selectableFields'), undefined);
    },
  },
  {
    id: 'G28.9',
    title: 'a selectable field is one that is there and has a simple type',
    run: async (kcp) => {
      const { at: here } = await kcp.shared('any workspace', () => kcp.workspace({ shard: 0 }));
      const said = async (name: string): Promise<string> =>
        (await kcp.admin.post(`${here}${DEFINITIONS}?dryRun=All`, definition('others', selectable(name)))).expect(422).body.message ?? '';

      match(
        await said('colour'),
        /: spec\.selectableFields\[0\]\.jsonPath: Invalid value: "\.spec\.colour": is an invalid path: does not refer to a valid field$/,
      );
      match(
        await said('deep'),
        /: Invalid value: "\.spec\.deep": must point to a field of type string, boolean or integer\. Enum string fields/,
      );
    },
  },
  {
    id: 'G28.10',
    title: 'a deleted definition takes its objects along',
    run: async (kcp) => {
      const workspace = await kcp.workspace();
      (await kcp.admin.post(`${workspace.at}${DEFINITIONS}`, definition('gizmos'))).expect(201);
      const path = `${workspace.at}/apis/${GROUP}/v1/namespaces/default/gizmos`;
      await served(kcp, path);
      (await kcp.admin.post(path, { apiVersion: `${GROUP}/v1`, kind: 'Gizmo', metadata: { name: 'a' }, spec: {} })).expect(201);

      (await kcp.admin.delete(`${workspace.at}${DEFINITIONS}/gizmos.${GROUP}`)).expect(200);

      await eventually('the definition is gone', async () => {
        equal((await kcp.admin.get(`${workspace.at}${DEFINITIONS}/gizmos.${GROUP}`)).status, 404);
      });
      await eventually('its type is gone', async () => {
        equal((await kcp.admin.get(path)).status, 404);
      });
    },
  },
  {
    id: 'G28.11',
    title: 'a finalizer without a domain may stand on a webhook configuration, though not on a role',
    run: async (kcp) => {
      const { at: here } = await kcp.shared('any workspace', () => kcp.workspace({ shard: 0 }));
      const post = async (group: string, resource: string): Promise<number> =>
        (await kcp.admin.post(`${here}/apis/${group}/v1/${resource}?dryRun=All`, { metadata: { name: 'a', finalizers: ['abc'] } })).status;

      equal(await post('admissionregistration.k8s.io', 'validatingwebhookconfigurations'), 201);
      equal(await post('rbac.authorization.k8s.io', 'clusterroles'), 422);
    },
  },
];
