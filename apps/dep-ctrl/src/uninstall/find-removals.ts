// Finds our objects: behind every endpoint of the export and, with admin kubeconfigs of shards, anywhere on these shards, also in workspaces that have
// unbound.
import { isKcpError, listAll, parseVirtualWorkspaceUrl, type ClusterClient, type Connection, type Stoppable } from '@dep-ctrl/kcp-client';
import {
  clusterOf,
  hintedPath,
  parseLogicalClusterName,
  type GroupVersionResource,
  type KubeObject,
  type LogicalClusterName,
  type WorkspacePath,
} from '@dep-ctrl/kcp-names';
import { EXPORT_NAME, GUARD_NAME, GUARDS, PERMISSION_CLAIM, RULES } from '@dep-ctrl/rule-registry';
import { readClaim, WEBHOOK_CONFIGURATIONS } from '@dep-ctrl/webhook-installer';
import { API_BINDINGS, API_EXPORT_ENDPOINT_SLICES, getIfExists, WORKSPACE_TYPES } from '@dep-ctrl/kcp-objects';
import { isBindingOf } from '@dep-ctrl/exported-types';
import type { ShardAdmin } from '../command-line/connect.js';
import { ADMISSION_CONFIGURATION } from '../own-objects/admission-configuration.js';
import { OWNER_LABEL } from '../own-objects/configuration-labels.js';
import { PROTECTION_PLACE, PROTECTION_TYPES, protectionName } from '../own-objects/home-protection.js';
import { installedRights, type InstalledRight } from '../shard-rights/installed-rights.js';
import { isOwnType, TEARDOWN_TYPE } from '../teardown-type/teardown-type.js';
import { namedAsOurs, OF_TENANTS } from '../own-objects/tenant-lists.js';
import { planRemoval, type Removal } from './plan-removal.js';

/** Objects to remove in one place, and the client for it. */
export interface Place {
  readonly name: string;
  readonly removals: readonly Removal[];
  /** As the workspaces say themselves, until that is proven. */
  readonly paths: ReadonlyMap<LogicalClusterName, WorkspacePath>;
  /** Bindings to dep-ctrl. They belong to the workspace owners and stay. */
  readonly bindings: readonly BindingToUs[];
  /** Configurations of other installations, which may or may not be gone. */
  readonly foreign: readonly Foreign[];
  /** What is hidden from these credentials there, and so stays if it is there. */
  readonly hidden?: 'protection' | 'teardown-type';
  readonly client: (cluster: LogicalClusterName) => ClusterClient;
}

/** A binding to dep-ctrl. `hides`: it does not accept the claim, so kcp shows no configuration that may be in its workspace. */
export interface BindingToUs {
  readonly cluster: LogicalClusterName;
  readonly name: string;
  readonly hides: boolean;
}

/** A configuration of another installation; `owner`: the logical cluster that its label names. */
export interface Foreign {
  readonly cluster: LogicalClusterName;
  readonly owner: string;
}

/** The installation: the cluster that our labels name, and the URLs of the export's virtual workspaces; none if no workspace has bound it. */
export interface Installation {
  readonly owner: LogicalClusterName;
  readonly endpoints: readonly string[];
  /** Whether its workspace is still there. */
  readonly isThere: boolean;
}

/** Reads the installation from the endpoint slice of its export, which both roles may read too. */
export async function readInstallation(home: ClusterClient, options: Stoppable): Promise<Installation> {
  const slice = await home.get(API_EXPORT_ENDPOINT_SLICES, { name: EXPORT_NAME }, options);
  const owner = clusterOf(slice);
  if (!owner.ok) throw new Error(owner.problem);
  const { endpoints = [] } = (slice['status'] ?? {}) as { readonly endpoints?: readonly { readonly url: string }[] };
  return { owner: owner.value, isThere: true, endpoints: endpoints.map(({ url }) => url) };
}

/** The configuration in the workspace of dep-ctrl itself, which makes kcp check rules and guards. No endpoint shows it. */
export async function lookAtHome(home: ClusterClient, owner: LogicalClusterName, options: Stoppable): Promise<Place> {
  const found = await getIfExists(home, WEBHOOK_CONFIGURATIONS, { name: ADMISSION_CONFIGURATION }, options);
  const isOurs = found?.metadata.labels?.[OWNER_LABEL] === owner;
  return {
    name: home.address ?? owner,
    removals: isOurs ? [{ cluster: owner, action: 'delete-admission', object: found }] : [],
    paths: new Map(),
    bindings: [],
    foreign: [],
    client: () => home,
  };
}

/** The WorkspaceType of the ordered teardown in the workspace of dep-ctrl. It is listed, which the controller may do too. */
export async function lookAtTeardownType(home: ClusterClient, owner: LogicalClusterName, options: Stoppable): Promise<Place> {
  const place = { name: home.address ?? owner, removals: [], paths: new Map(), bindings: [], foreign: [], client: () => home };
  try {
    const { objects } = await listAll(home, WORKSPACE_TYPES, { fieldSelector: `metadata.name=${TEARDOWN_TYPE}` }, options);
    const removals = objects.filter(isOwnType).map((object): Removal => ({ cluster: owner, action: 'delete-type', object }));
    return { ...place, removals };
  } catch (error) {
    if (isKcpError(error, 'forbidden')) return { ...place, hidden: 'teardown-type' };
    throw error;
  }
}

/** The policy in root that keeps the workspace of dep-ctrl from being deleted. */
export async function lookAtProtection(connection: Connection, owner: LogicalClusterName, options: Stoppable): Promise<Place> {
  const root = connection.cluster(PROTECTION_PLACE);
  const removals: Removal[] = [];
  let hidden: Pick<Place, 'hidden'> = {};
  for (const [kind, type] of Object.entries(PROTECTION_TYPES)) {
    const found = await readUnlessForbidden(root, type, protectionName(owner), options);
    if (found === 'forbidden') hidden = { hidden: 'protection' };
    if (found === 'forbidden' || found?.metadata.labels?.[OWNER_LABEL] !== owner) continue;
    removals.push({ cluster: PROTECTION_PLACE, action: 'delete-protection', object: { ...found, kind } });
  }
  return { name: PROTECTION_PLACE, removals, paths: new Map(), bindings: [], foreign: [], ...hidden, client: () => root };
}

/** A user who may not read policies in root may not delete them either. Most who uninstall have no rights there, and most workspaces have no such policy. */
async function readUnlessForbidden(
  client: ClusterClient,
  type: GroupVersionResource,
  name: string,
  options: Stoppable,
): Promise<KubeObject | 'forbidden' | undefined> {
  try {
    return await getIfExists(client, type, { name }, options);
  } catch (error) {
    if (isKcpError(error, 'forbidden')) return 'forbidden';
    throw error;
  }
}

/** Our objects behind one endpoint. */
export async function lookBehind(connection: Connection, url: string, owner: LogicalClusterName, options: Stoppable): Promise<Place> {
  const parsedUrl = parseVirtualWorkspaceUrl(url);
  if (!parsedUrl.ok) throw new Error(parsedUrl.problem);
  const workspace = connection.virtualWorkspace(parsedUrl.value);
  const all = workspace.wildcard();
  const [configurations, guards, rules, bindings] = await Promise.all([
    namedAsOurs(all, options),
    listUnlessUnbound(all, GUARDS, options),
    listUnlessUnbound(all, RULES, options),
    listAll(all, API_BINDINGS, OF_TENANTS, options),
  ]);
  return {
    name: url,
    removals: planRemoval({ configurations, guards, rules }, owner),
    paths: pathsIn(bindings.objects),
    bindings: bindingsAt(
      bindings.objects.filter((each) => isBindingOf(each, EXPORT_NAME)),
      owner,
    ),
    foreign: [],
    client: (cluster) => workspace.cluster(cluster),
  };
}

/** Objects with our label on a shard, of any installation, in bound and unbound workspaces. */
export async function sweepShard(
  { connection, systemAdmin, file }: ShardAdmin,
  owner: LogicalClusterName,
  options: Stoppable,
): Promise<Place> {
  const rights = await installedRights(systemAdmin, options);
  const objects = await namedAsOurs(connection.wildcard(), options, { labelSelector: OWNER_LABEL });
  return {
    name: `shard of ${file}`,
    removals: [
      ...planRemoval({ configurations: objects, guards: [], rules: [] }, owner),
      ...rightRemovals(rights.filter(({ installation }) => installation === owner)),
    ],
    paths: new Map(),
    bindings: [],
    foreign: foreignAmong(objects, owner),
    client: (cluster) => connection.cluster(cluster),
  };
}

/** Rights in `system:admin`, as removals. Pure. */
export function rightRemovals(rights: readonly InstalledRight[]): readonly Removal[] {
  const cluster = parseLogicalClusterName('system:admin');
  if (!cluster.ok) throw new Error(cluster.problem);
  return rights.map(({ object }) => ({ cluster: cluster.value, action: 'delete-right', object }));
}

/** The configurations of other installations among those with a label of ours. Pure. */
export function foreignAmong(configurations: readonly KubeObject[], owner: LogicalClusterName): readonly Foreign[] {
  return configurations.flatMap((each) => {
    const cluster = clusterOf(each);
    const label = each.metadata.labels?.[OWNER_LABEL];
    // The configuration in an installation's own workspace is deleted with that workspace.
    if (each.metadata.name !== GUARD_NAME) return [];
    return cluster.ok && label !== undefined && label !== owner ? [{ cluster: cluster.value, owner: label }] : [];
  });
}

/** Where these bindings are. `owner`: they were read through the virtual workspace of its export, which shows only what their claims admit. */
export function bindingsAt(bindings: readonly KubeObject[], owner?: LogicalClusterName): readonly BindingToUs[] {
  return bindings.flatMap((binding) => {
    const cluster = clusterOf(binding);
    if (!cluster.ok) return [];
    return [{ cluster: cluster.value, name: binding.metadata.name ?? '', hides: owner !== undefined && isClaimRefused(binding, owner) }];
  });
}

function isClaimRefused(binding: KubeObject, owner: LogicalClusterName): boolean {
  const { state } = readClaim([binding], { cluster: owner, name: EXPORT_NAME }, PERMISSION_CLAIM, PERMISSION_CLAIM.verbs);
  return state === 'rejected' || state === 'not-answered' || state === 'verbs-missing';
}

// With no binding left on a shard nothing serves our types there, and no object of them exists.
async function listUnlessUnbound(...[all, type, options]: Parameters<typeof listOurs>): Promise<readonly KubeObject[]> {
  try {
    return await listOurs(all, type, options);
  } catch (error) {
    // A shard that starts says the same: only that it shows no binding is a proof.
    if (isKcpError(error, 'not-served') && (await listOurs(all, API_BINDINGS, options)).length === 0) return [];
    throw error;
  }
}

async function listOurs(all: Parameters<typeof listAll>[0], type: typeof GUARDS, options: Stoppable): Promise<readonly KubeObject[]> {
  return (await listAll(all, type, OF_TENANTS, options)).objects;
}

/** The paths that workspaces say of themselves, from the annotations of objects in them. */
export function pathsIn(bindings: readonly KubeObject[]): ReadonlyMap<LogicalClusterName, WorkspacePath> {
  const paths = new Map<LogicalClusterName, WorkspacePath>();
  for (const binding of bindings) {
    const cluster = clusterOf(binding);
    const path = hintedPath(binding);
    if (cluster.ok && path !== undefined) paths.set(cluster.value, path);
  }
  return paths;
}
