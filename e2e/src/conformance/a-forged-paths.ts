import { deepEqual, equal, match, notEqual } from 'node:assert/strict';
import type { Caller } from '../https/caller.js';
import { at, type KubeBody, type Tree } from '../https/kube-body.js';
import { eventually } from '../stage/eventually.js';
import { NETWORK, ZONE, zone } from '../stage/example-types.js';
import {
  anyWorkspace,
  APIS,
  APIS_V1ALPHA1,
  bind,
  bindingTo,
  consumer,
  makeExport,
  paths,
  schemaOf,
  served,
  type Export,
} from '../stage/exports.js';
import type { Stage, Workspace } from '../stage/stage.js';
import { LOGICAL_CLUSTER, tenantOf } from '../stage/tenant.js';
import { deny, inForce, webhookConfiguration, webhookEntry } from '../stage/webhooks.js';
import type { ConformanceCase } from './conformance-case.js';

const PATH = 'kcp.io/path';
const CLUSTER = 'kcp.io/cluster';
/** A path where nothing is. */
const ELSEWHERE = 'root:elsewhere';

function pathSaid({ metadata }: KubeBody): string | undefined {
  return metadata.annotations?.[PATH];
}

async function claimPath(tenant: Caller, workspace: Workspace, path: string | null): Promise<KubeBody> {
  return (await tenant.patch('merge', workspace.at + LOGICAL_CLUSTER, { metadata: { annotations: { [PATH]: path } } })).expect(200).body;
}

/** Changes a label, so that kcp looks at the object again. */
async function touch(kcp: Stage, tenant: Caller, object: string): Promise<KubeBody> {
  return (await tenant.patch('merge', object, { metadata: { labels: { touched: kcp.unique('t') } } })).expect(200).body;
}

/** Touches an object until it says a path: kcp takes the path from a cache. */
async function touchedSays(kcp: Stage, tenant: Caller, object: string, path: string): Promise<void> {
  await eventually(`${object} says ${JSON.stringify(path)}`, async () => equal(pathSaid(await touch(kcp, tenant, object)), path));
}

function emptyExport(name: string, annotations: Tree = {}): Tree {
  return { apiVersion: 'apis.kcp.io/v1alpha2', kind: 'APIExport', metadata: { name, annotations }, spec: {} };
}

interface Collision {
  /** The honest provider's export, and a workspace that has bound it, with one zone `a`. */
  readonly honest: Export;
  readonly consumer: Workspace;
  readonly zones: string;
  /** A tenant's own workspace. */
  readonly own: Workspace;
  readonly tenant: Caller;
}

/** An export on some shard, and on the first one a consumer of it and a tenant. */
async function strangers(kcp: Stage, shard: number): Promise<Collision> {
  const near = { shard: 0 };
  const group = `${kcp.unique('x')}.example.com`;
  const workspace = await kcp.workspace({ shard });
  const honest = await makeExport(kcp, { name: group, group, types: [ZONE], workspace });
  const consumer = await kcp.workspace(near);
  await bind(kcp, consumer, honest);
  const zones = `${consumer.at}/apis/${group}/v1/zones`;
  await served(kcp, zones);
  (await kcp.admin.post(zones, { ...zone('a'), apiVersion: `${group}/v1` })).expect(201);
  const own = await kcp.workspace(near);
  return { honest, consumer, zones, own, tenant: await tenantOf(kcp, own) };
}

/** The tenant exports under the name of the honest export and says that its workspace is the provider's. */
async function collide({ honest, own, tenant }: Collision): Promise<string> {
  await claimPath(tenant, own, honest.workspace.path);
  const resources = [{ group: honest.name, name: 'zones', schema: `v1.zones.${honest.name}`, storage: { crd: {} } }];
  const object = { ...emptyExport(honest.name), spec: { resources } };
  const forged = `${own.at}${APIS}/apiexports/${honest.name}`;
  await eventually('the forged export says the path of the honest one', async () => {
    const made = await tenant.post(`${own.at}${APIS}/apiexports`, object);
    if (made.status !== 201) await tenant.delete(forged);
    equal(pathSaid(made.expect(201).body), honest.workspace.path);
  });
  return forged;
}

async function bindingOf(kcp: Stage, { honest, consumer }: Collision): Promise<KubeBody> {
  return (await kcp.admin.get(`${consumer.at}${APIS}/apibindings/${honest.name}`)).expect(200).body;
}

/** A: what a workspace says of its own path, and what kcp believes of it. */
export const forgedPaths: readonly ConformanceCase[] = [
  {
    id: 'A7.1',
    title: 'a workspace admin may write any text as the path of its LogicalCluster, which then says it; kcp.io/cluster stays true',
    run: async (kcp) => {
      const [own, other] = [await kcp.workspace(), await anyWorkspace(kcp)];
      const tenant = await tenantOf(kcp, own);

      for (const path of [ELSEWHERE, 'NOT A PATH!', '']) {
        equal(pathSaid(await claimPath(tenant, own, path)), path);
        equal(pathSaid((await tenant.get(own.at + LOGICAL_CLUSTER)).expect(200).body), path);
      }
      equal(pathSaid(await claimPath(tenant, own, null)), undefined);
      const forged = await tenant.patch('merge', own.at + LOGICAL_CLUSTER, { metadata: { annotations: { [CLUSTER]: other.cluster } } });
      equal(forged.expect(200).body.metadata.annotations?.[CLUSTER], own.cluster);
    },
  },
  {
    id: 'A7.2',
    title: 'the next update of a binding or an export copies the path that the LogicalCluster says; until then they keep the old one',
    run: async (kcp) => {
      const own = await consumer(kcp);
      const tenant = await tenantOf(kcp, own);
      const name = kcp.unique('own');
      (await tenant.post(`${own.at}${APIS}/apiexports`, emptyExport(name))).expect(201);
      const objects = [`${own.at}${APIS}/apibindings/${NETWORK}`, `${own.at}${APIS}/apiexports/${name}`];
      // kcp writes a new export itself, to give it an identity: that copies the path too.
      await eventually('the export has an identity', async () => {
        match(
          String(at((await tenant.get(`${own.at}${APIS}/apiexports/${name}`)).expect(200).body, 'status', 'identityHash')),
          /^[0-9a-f]{64}$/,
        );
      });
      const said = async (): Promise<readonly unknown[]> =>
        Promise.all(objects.map(async (object) => pathSaid((await tenant.get(object)).expect(200).body)));

      let before = own.path;
      for (const path of [ELSEWHERE, 'NOT A PATH!']) {
        await claimPath(tenant, own, path);
        deepEqual(await said(), [before, before]);

        for (const object of objects) await touchedSays(kcp, tenant, object, path);

        before = path;
      }
    },
  },
  {
    id: 'A7.3',
    title: 'an empty path and none at all are copied as the name of the cluster',
    run: async (kcp) => {
      const own = await consumer(kcp);
      const tenant = await tenantOf(kcp, own);
      const binding = `${own.at}${APIS}/apibindings/${NETWORK}`;

      for (const path of ['', null]) {
        await claimPath(tenant, own, ELSEWHERE);
        await touchedSays(kcp, tenant, binding, ELSEWHERE);
        await claimPath(tenant, own, path);

        await touchedSays(kcp, tenant, binding, own.cluster);
      }
    },
  },
  {
    id: 'A7.4',
    title: 'a new export gets the path that the LogicalCluster says, whatever its author writes',
    run: async (kcp) => {
      const [own, other] = [await kcp.workspace(), await anyWorkspace(kcp)];
      const tenant = await tenantOf(kcp, own);
      await claimPath(tenant, own, ELSEWHERE);

      await eventually('the path is copied', async () => {
        const object = emptyExport(kcp.unique('own'), { [PATH]: own.path, [CLUSTER]: other.cluster });
        const { annotations } = (await tenant.post(`${own.at}${APIS}/apiexports`, object)).expect(201).body.metadata;
        deepEqual(annotations, { [PATH]: ELSEWHERE, [CLUSTER]: own.cluster });
      });
    },
  },
  {
    id: 'A7.5',
    title:
      'an ordinary object gets no path; one that carries a path has it corrected to what the LogicalCluster says; kcp.io/cluster is always true',
    run: async (kcp) => {
      const [own, other] = [await consumer(kcp), await anyWorkspace(kcp)];
      const tenant = await tenantOf(kcp, own);
      const { zones, configMaps } = paths(own);
      await claimPath(tenant, own, ELSEWHERE);

      const plain = (await tenant.post(zones, zone('plain', { annotations: { [CLUSTER]: other.cluster } }))).expect(201).body;
      const builtIn = (await tenant.post(configMaps, { metadata: { name: 'plain', annotations: { [CLUSTER]: other.cluster } } })).body;

      for (const { metadata } of [plain, builtIn]) deepEqual(metadata.annotations, { [CLUSTER]: own.cluster });
      equal(pathSaid(await touch(kcp, tenant, `${zones}/plain`)), undefined);
      await eventually('a path is corrected', async () => {
        const { body } = await tenant.post(zones, zone(kcp.unique('z'), { annotations: { [PATH]: own.path } }));
        deepEqual(body.metadata.annotations, { [PATH]: ELSEWHERE, [CLUSTER]: own.cluster });
      });
    },
  },
  {
    id: 'A7.6',
    title: 'requests are routed by Workspace objects: a claimed path leads to its true workspace, the true path to the claimer',
    run: async (kcp) => {
      const [own, other] = [await kcp.workspace(), await kcp.workspace()];
      const tenant = await tenantOf(kcp, own);
      await claimPath(tenant, own, other.path);
      const clusterAt = async (path: string): Promise<unknown> =>
        (await kcp.admin.get(`/clusters/${path}${LOGICAL_CLUSTER}`)).expect(200).body.metadata.annotations?.[CLUSTER];

      equal(await clusterAt(other.path), other.cluster);
      equal(await clusterAt(own.path), own.cluster);
      equal((await tenant.get(`/clusters/${own.path}${LOGICAL_CLUSTER}`)).status, 200);
      equal((await tenant.get(`/clusters/${other.path}${LOGICAL_CLUSTER}`)).status, 403);
      await claimPath(tenant, own, `${other.path}:made-up`);
      const madeUp = await tenant.get(`/clusters/${other.path}:made-up${LOGICAL_CLUSTER}`);
      notEqual(madeUp.status, 200);
    },
  },
  {
    id: 'A7.7',
    title: 'a workspace below one that claims a path says a path below the claimed one and is reached by its true one',
    run: async (kcp) => {
      const [own, other] = [await kcp.workspace(), await kcp.workspace()];
      const tenant = await tenantOf(kcp, own);
      await claimPath(tenant, own, other.path);
      const type = { name: 'universal', path: 'root' };
      const workspaces = `${own.at}/apis/tenancy.kcp.io/v1alpha1/workspaces`;
      const object = { apiVersion: 'tenancy.kcp.io/v1alpha1', kind: 'Workspace', metadata: { name: 'child' }, spec: { type } };
      (await tenant.post(workspaces, object)).expect(201);

      const cluster = await eventually('the child is ready', async () => {
        const { body } = (await tenant.get(`${workspaces}/child`)).expect(200);
        equal(at(body, 'status', 'phase'), 'Ready');
        return String(body.spec?.['cluster']);
      });

      const said = await eventually('it can be read', async () => (await tenant.get(`/clusters/${cluster}${LOGICAL_CLUSTER}`)).expect(200));
      equal(pathSaid(said.body), `${other.path}:child`);
      equal((await tenant.get(`/clusters/${own.path}:child${LOGICAL_CLUSTER}`)).status, 200);
      notEqual((await tenant.get(`/clusters/${other.path}:child${LOGICAL_CLUSTER}`)).status, 200);
    },
  },
  {
    id: 'A7.8',
    title:
      'an export that claims the path and name of another one of its shard: who is not masters gets 500 for the bound types, and nobody can bind by path',
    run: async (kcp) => {
      const all = await strangers(kcp, 0);
      const { honest, zones, consumer, own, tenant } = all;
      const bob = await tenantOf(kcp, consumer, 'bob');
      await eventually('bob reads', async () => void (await bob.get(zones)).expect(200));
      const forged = await collide(all);
      const why = `multiple apiexports.apis.kcp.io found for ${honest.workspace.path}:${honest.name}`;

      const refused = await eventually('bob reads no more', async () => (await bob.get(zones)).expect(500));

      equal(refused.text.trim(), `Internal Server Error: ${JSON.stringify(zones)}: error getting API export: ${why}`);
      equal((await kcp.admin.get(zones)).status, 500);
      equal((await kcp.shard().masters.get(zones)).status, 200);
      equal((await bob.get(paths(consumer).configMaps)).status, 200);
      const asked = await kcp.admin.post(`${consumer.at}/apis/authorization.k8s.io/v1/subjectaccessreviews`, {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SubjectAccessReview',
        spec: { user: 'bob', resourceAttributes: { verb: 'list', group: honest.name, resource: 'zones' } },
      });
      const evaluationError = `error getting API export: ${why}`;
      deepEqual(asked.expect(201).body.status, { allowed: false, reason: 'access denied', evaluationError });
      await eventually('the binding says why', async () => {
        const { status } = await bindingOf(kcp, all);
        const conditions = at(status, 'conditions') as readonly Tree[];
        const invalid = conditions.find(({ type }) => type === 'APIExportValid');
        deepEqual([invalid?.['status'], invalid?.['reason']], ['False', 'InternalError']);
        match(String(invalid?.['message']), new RegExp(`${why}$`));
        deepEqual([at(status, 'phase'), at(status, 'apiExportClusterName')], ['Bound', honest.workspace.cluster]);
      });
      const another = await kcp.admin.post(`${own.at}${APIS}/apibindings`, bindingTo(honest, { name: 'by-path' }));
      equal(another.status, 403);
      const byCluster = bindingTo(
        { ...honest, workspace: { ...honest.workspace, path: honest.workspace.cluster } },
        { name: 'by-cluster' },
      );
      equal((await kcp.admin.post(`${own.at}${APIS}/apibindings`, byCluster)).status, 201);
      (await tenant.delete(forged)).expect(200);
      await eventually('bob reads again', async () => void (await bob.get(zones)).expect(200));
    },
  },
  {
    id: 'A7.9',
    title:
      'an export that claims the path and name of one of another shard takes over the bindings of its own shard: other webhooks, other objects',
    needs: ['two-shards'],
    run: async (kcp) => {
      const all = await strangers(kcp, 1);
      const { honest, zones, own, tenant } = all;
      const hook = kcp.webhooks.open(kcp.unique('guard'), deny('guarded'));
      const rule = { operations: ['DELETE'], apiGroups: [honest.name], apiVersions: ['*'], resources: ['zones'], scope: '*' };
      const entry = webhookEntry('guard.example.com', hook, { rules: [rule] });
      (await kcp.admin.post(paths(honest.workspace).webhooks, webhookConfiguration('guard', [entry]))).expect(201);
      await inForce(kcp, `${zones}/a`, 403);
      const exporter = async (): Promise<unknown> => at((await bindingOf(kcp, all)).status, 'apiExportClusterName');
      const identity = async (): Promise<unknown> => at((await bindingOf(kcp, all)).status, 'boundResources', 0, 'schema', 'identityHash');
      const forged = await collide(all);

      await eventually('the binding is led astray', async () => equal(await exporter(), own.cluster));

      // Its schema does not exist: the objects stay those of the honest export, only the webhooks are no longer asked.
      equal(await identity(), honest.identity);
      await inForce(kcp, `${zones}/a`, 200);
      (await tenant.post(`${own.at}${APIS_V1ALPHA1}/apiresourceschemas`, schemaOf(ZONE, honest.name))).expect(201);
      await eventually('the types are those of the other export', async () => notEqual(await identity(), honest.identity));
      await eventually('the objects are gone from sight', async () => deepEqual((await kcp.admin.get(zones)).expect(200).body.items, []));
      (await tenant.delete(forged)).expect(200);
      await eventually('the binding is back', async () =>
        deepEqual([await exporter(), await identity()], [honest.workspace.cluster, honest.identity]),
      );
      await eventually('so is the object', async () => equal((await kcp.admin.get(zones)).expect(200).body.items?.length, 1));
      await inForce(kcp, `${zones}/a`, 403);
    },
  },
  {
    id: 'A7.10',
    title: 'a workspace admin may write the name of any shard on its LogicalCluster',
    run: async (kcp) => {
      const own = await kcp.workspace();
      const tenant = await tenantOf(kcp, own);
      const claimed = { metadata: { annotations: { 'core.kcp.io/shard': 'elsewhere' } } };

      const { metadata } = (await tenant.patch('merge', own.at + LOGICAL_CLUSTER, claimed)).expect(200).body;

      // kcp 0.32 writes the true name back when it looks at the object again.
      equal(metadata.annotations?.['core.kcp.io/shard'], 'elsewhere');
    },
  },
];
