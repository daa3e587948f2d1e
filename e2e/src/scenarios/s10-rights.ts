import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { at, type Tree } from '../https/kube-body.js';
import { eventually } from '../stage/eventually.js';
import { APIS, APIS_V1ALPHA1, bind, makeExport, schemaOf, served, type Export } from '../stage/exports.js';
import { version, type TypeToServe } from '../stage/example-types.js';
import { NETWORK, NETWORK_TYPES, network, refersTo } from './cloud-types.js';
import { RULES, vmRule } from './rules.js';
import { takesProduct, type Scenario } from './scenario.js';
import { credentialsOf } from './role-users.js';
import { tenantOf, type World } from './world.js';

const referring = {
  type: 'object',
  properties: { spec: { type: 'object', properties: { vpcRef: { type: 'object', properties: { name: { type: 'string' } } } } } },
};
const type = (plural: string, kind: string): TypeToServe => ({
  plural,
  kind,
  scope: 'Namespaced',
  versions: [version('v1', referring, { additionalPrinterColumns: [{ name: 'VPC', type: 'string', jsonPath: '.spec.vpcRef.name' }] })],
});
// The controller asks anew every 50 s; the rest is for a machine that does other things besides.
const HEALED_WITHIN_MS = 120_000;
const VOLUMES = type('volumes', 'Volume');
const SNAPSHOTS = type('snapshots', 'Snapshot');

/** S10.8: the webhook may read what bound providers export, and nothing else. */
export const rights: readonly Scenario[] = [
  {
    id: 'S10.8',
    title:
      'a type that a provider exports later is GrantMissing with the command, its deletes are refused with the command, and bind heals both; the webhook may read nothing else',
    slow: true,
    run: async (shared) => {
      // Of its own: other scenarios bootstrap the shared one again, which grants what is missing.
      const world = await shared.second();
      try {
        const { guarded, storage } = await twoProviders(world);
        const group = storage.name;
        await exportMore(world, storage);
        const workspace = await world.kcp.workspace();
        await Promise.all([bind(world.kcp, workspace, guarded), bind(world.kcp, workspace, storage)]);
        const { vpcs } = tenantOf(workspace, 'default');
        const snapshots = `${workspace.at}/apis/${group}/v1/namespaces/default/snapshots`;
        await Promise.all([served(world.kcp, vpcs), served(world.kcp, snapshots)]);
        await eventually('the rule is admitted', async () =>
          (await world.kcp.admin.post(storage.workspace.at + RULES, snapshotRule(storage, guarded))).expect(201),
        );
        const command = `dep-ctrl bind ${storage.workspace.path} --workspace ${world.product.path} --shard-kubeconfig FILE`;

        const ready = await readyOf(world, storage, ({ reason }) => reason === 'GrantMissing');
        equal(
          ready.message,
          `the webhook may not read snapshots.${group}, so deletes that this rule guards are refused: an admin of kcp's shards must run, with FILE once per shard: ${command}`,
        );
        await world.create(vpcs, network('VPC', 'used'), network('VPC', 'free'));
        await world.create(snapshots, { apiVersion: `${group}/v1`, kind: 'Snapshot', metadata: { name: 'user' }, spec: refersTo('used') });
        await eventually('a delete is refused with the command', async () => {
          const { message = '' } = (await world.kcp.admin.delete(`${vpcs}/free?dryRun=All`)).expect(403).body;
          match(
            message,
            new RegExp(`dep-ctrl may not read snapshots\\.${group} here; .*: dep-ctrl bind PATH --shard-kubeconfig FILE, where PATH`),
          );
          ok(!message.includes(storage.workspace.cluster), message);
        });

        const bound = await world.product.bind(storage.workspace.path);
        const granted = Date.now();

        equal(bound.code, 0, bound.stderr);
        match(bound.stdout, new RegExp(`; added snapshots\\.${group}\\n`));
        await world.refuses(`${vpcs}/used`);
        await world.allows(`${vpcs}/free`);
        await readyOf(world, storage, ({ status }) => status === 'True', HEALED_WITHIN_MS);
        world.tell('S10.8', `the status of the rule was Ready ${((Date.now() - granted) / 1000).toFixed(0)} s after the grant`);
        (await world.kcp.admin.delete(`${snapshots}/user`)).expect(200);
        await world.allows(`${vpcs}/used`);
        const webhook = world.kcp.shard(workspace.shard).with(credentialsOf(world, 'webhook'));
        (await webhook.get(snapshots)).expect(200);
        const inNamespace = ['secrets', 'configmaps', 'serviceaccounts', 'events'].map((kind) => `/api/v1/namespaces/default/${kind}`);
        const rbac = ['clusterroles', 'clusterrolebindings', 'roles', 'rolebindings'].map(
          (kind) => `/apis/rbac.authorization.k8s.io/v1/${kind}`,
        );
        for (const path of [...inNamespace, '/api/v1/namespaces', ...rbac]) (await webhook.get(workspace.at + path)).expect(403);
        (await webhook.delete(`${vpcs}/used?dryRun=All`)).expect(403);
      } finally {
        await world.product.stop();
      }
    },
  },
  {
    id: 'S10.9',
    title: 'where bootstrap ran with --read-access wildcard, a provider is guarded as soon as it is bound, and bind has nothing to grant',
    exclusive: takesProduct,
    slow: true,
    run: async (world) => {
      const own = await world.second({ readAccess: 'wildcard' });
      try {
        const cloud = await own.cloud();
        const { stdout } = await own.product.bind(cloud.compute.workspace.path);
        const lines = stdout.split('\n').filter((line) => line.startsWith('system:admin '));
        deepEqual(
          lines,
          world.kcp.backend.shards.map(
            ({ adminKubeconfig }) => `system:admin (${adminKubeconfig}): the webhook may read everything (--read-access wildcard)`,
          ),
        );
        await own.addRule(cloud, vmRule(cloud));
        await own.guarded(tenantOf(await own.consumer(cloud), 'default'));
      } finally {
        await own.product.stop();
      }
    },
  },
];

/** A provider whose resources are guarded, and one of volumes, whose type the webhook may read. */
async function twoProviders(world: World): Promise<{ readonly guarded: Export; readonly storage: Export }> {
  const group = `${world.kcp.unique('storage')}.example.com`;
  const [guarded, storage] = await Promise.all([
    makeExport(world.kcp, { name: NETWORK, group: NETWORK, types: NETWORK_TYPES }),
    makeExport(world.kcp, { name: group, group, types: [VOLUMES] }),
  ]);
  await Promise.all([world.bindOnly(guarded.workspace), world.bindOnly(storage.workspace)]);
  await world.grantReading(guarded.workspace, storage.workspace);
  return { guarded, storage };
}

async function exportMore({ kcp }: World, { workspace, name }: Export): Promise<void> {
  (await kcp.admin.post(`${workspace.at}${APIS_V1ALPHA1}/apiresourceschemas`, schemaOf(SNAPSHOTS, name))).expect(201);
  await eventually('the provider exports another type', async () => {
    const { body } = (await kcp.admin.get(`${workspace.at}${APIS}/apiexports/${name}`)).expect(200);
    const resources = at(body, 'spec', 'resources') as readonly Tree[];
    const more = { group: name, name: 'snapshots', schema: `v1.snapshots.${name}`, storage: { crd: {} } };
    const spec = { ...(at(body, 'spec') as Tree), resources: [...resources, more] };
    (await kcp.admin.put(`${workspace.at}${APIS}/apiexports/${name}`, { ...body, spec })).expect(200);
  });
}

function snapshotRule({ name }: Export, guarded: Export): Tree {
  return {
    apiVersion: 'dependencies.opendefense.cloud/v1alpha1',
    kind: 'DependencyRule',
    metadata: { name: 'snapshots' },
    spec: {
      dependent: { apiExportName: name, group: name, version: 'v1', kind: 'Snapshot', resource: 'snapshots' },
      dependencies: [
        {
          apiExportRef: { path: guarded.workspace.path, name: NETWORK },
          group: NETWORK,
          version: 'v1',
          resource: 'vpcs',
          fieldRef: { path: '.spec.vpcRef.name' },
        },
      ],
    },
  };
}

interface Ready {
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

async function readyOf({ kcp }: World, { workspace }: Export, isWanted: (ready: Ready) => boolean, withinMs?: number): Promise<Ready> {
  const said = async (): Promise<Ready> => {
    const { body } = (await kcp.admin.get(`${workspace.at}${RULES}/snapshots`)).expect(200);
    const conditions = (at(body, 'status', 'conditions') ?? []) as readonly (Ready & { readonly type: string })[];
    const ready = conditions.find((condition) => condition.type === 'Ready');
    if (ready === undefined || !isWanted(ready)) throw new Error(JSON.stringify(conditions));
    return ready;
  };
  return eventually('the rule says so', said, withinMs);
}
