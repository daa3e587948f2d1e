import { createHash } from 'node:crypto';
import { isKcpError, listAll, systemClock, type ClusterClient } from '@dep-ctrl/kcp-client';
import { clusterOf, type GroupVersionResource, type KubeObject, type LogicalClusterName } from '@dep-ctrl/kcp-names';
import { API_BINDINGS, API_EXPORTS, API_RESOURCE_SCHEMAS, LOGICAL_CLUSTERS } from '@dep-ctrl/kcp-objects';
import { EXPORT_NAME, GUARDS, RULES } from '@dep-ctrl/rule-registry';
import { WEBHOOK_CONFIGURATIONS } from '@dep-ctrl/webhook-installer';
import { bindDepCtrl } from '../bind/bind-dep-ctrl.js';
import { bootstrapCommand } from '../commands/bootstrap-command.js';
import { DEV_PATHS } from '../dev/dev-paths.js';
import { vmDependencies } from '../dev/provider-manifests.js';
import { connectTo, type EmbeddedWorld } from './embedded-world.js';
import { makeReferringMachine } from './referring-machine.js';
import { runCli } from './run-cli.js';

const { depCtrl, network, compute } = DEV_PATHS;
const options = () => ({ signal: AbortSignal.timeout(60_000), clock: systemClock });

const RBAC = { group: 'rbac.authorization.k8s.io', version: 'v1' };
/** The types of what `bootstrap` makes. */
export const BOOTSTRAPPED_TYPES: readonly GroupVersionResource[] = [
  API_RESOURCE_SCHEMAS,
  API_EXPORTS,
  { ...RBAC, resource: 'clusterroles' },
  { ...RBAC, resource: 'clusterrolebindings' },
  { ...RBAC, resource: 'roles' },
  { ...RBAC, resource: 'rolebindings' },
  { group: '', version: 'v1', resource: 'serviceaccounts' },
  { group: '', version: 'v1', resource: 'secrets' },
];
const TYPES = [...BOOTSTRAPPED_TYPES, API_BINDINGS, RULES, GUARDS, WEBHOOK_CONFIGURATIONS];

/** Installs dep-ctrl with its rights on the shard, two bound providers with a rule, and a team whose machine refers to its VPC. */
export async function install(world: EmbeddedWorld): Promise<void> {
  await runCli(bootstrapCommand, ['--kubeconfig', world.adminKubeconfig, '--shard-kubeconfig', world.adminKubeconfig]);
  await makeReferringMachine(world.admin);
  for (const path of [network, compute]) await bindDepCtrl(world.admin.cluster(path), { path: depCtrl, name: EXPORT_NAME }, options());
  await world.admin.cluster(compute).create(RULES, vmDependencies(network), options());
}

/** What people and commands wrote into the workspaces of dep-ctrl and of providers and into the shard, without what is another each time. */
export async function stateOf({ kcp, admin }: EmbeddedWorld): Promise<readonly string[]> {
  const shard = connectTo(kcp.kubeconfig({ user: 'shard-admin' }), { context: 'system:admin' });
  try {
    const paths = [depCtrl, network, compute];
    const clusters = await Promise.all(paths.map(async (path) => [await clusterAt(admin.cluster(path)), path] as const));
    const places = [...paths.map((path) => [path, admin.cluster(path)] as const), ['system:admin', shard.ownWorkspace()] as const];
    const lists = await Promise.all(
      places.map(async ([place, client]) => (await objectsIn(client, clusters)).map((text) => `${place}: ${text}`)),
    );
    return lists.flat().sort();
  } finally {
    await shard.close();
  }
}

async function objectsIn(client: ClusterClient, clusters: Named): Promise<readonly string[]> {
  const lists = await Promise.all(
    TYPES.map(async (type) => {
      try {
        const { objects } = await listAll(client, type, {}, options());
        return objects.filter((object) => !isOfKcp(object)).map((object) => `${type.resource} ${inShort(object, clusters)}`);
      } catch (error) {
        if (isKcpError(error, 'forbidden', 'not-found', 'not-served')) return [];
        throw error;
      }
    }),
  );
  return lists.flat();
}

/** A token is another each time, and so are marks of time and place. The content is shortened, for people who compare. */
function inShort({ metadata, ...object }: KubeObject, clusters: Named): string {
  const { name = '', namespace, labels = {}, finalizers = [], deletionTimestamp } = metadata;
  const { status: _, data, secrets: __, ...rest } = object as Readonly<Record<string, unknown>>;
  const filled = typeof data === 'object' && data !== null ? Object.keys(data) : [];
  const own = Object.entries(labels).filter(([key]) => !key.includes('internal.apis.kcp.io'));
  const content = withPaths(JSON.stringify([own, finalizers, filled, rest]), clusters);
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 8);
  const going = deletionTimestamp === undefined ? '' : ' (being deleted)';
  return withPaths(`${namespace === undefined ? '' : `${namespace}/`}${name}${going} ${hash}`, clusters);
}

/** Logical clusters by their paths. */
type Named = readonly (readonly [LogicalClusterName | undefined, string])[];

function withPaths(text: string, clusters: Named): string {
  return clusters.reduce((so, [cluster, path]) => (cluster === undefined ? so : so.replaceAll(cluster, path)), text);
}

/** What kcp binds in every workspace has another name each time. */
function isOfKcp({ metadata: { name = '' } }: KubeObject): boolean {
  return /^(?:tenancy|topology)\.kcp\.io-/.test(name);
}

async function clusterAt(client: ClusterClient): Promise<LogicalClusterName | undefined> {
  try {
    const cluster = clusterOf(await client.get(LOGICAL_CLUSTERS, { name: 'cluster' }, options()));
    return cluster.ok ? cluster.value : undefined;
  } catch (error) {
    if (isKcpError(error, 'forbidden', 'not-found', 'not-served')) return undefined;
    throw error;
  }
}
