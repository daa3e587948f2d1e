// The authorization chain of a shard: masters pass; then access to the workspace, kcp's protected status, the exporter's maximal
// permission policy, and RBAC of the workspace and of the shard's system:admin.
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import { recordAt, stringAt, stringsAt, valueAt } from '../json/json.js';
import type { ResourceCatalog } from '../machinery/resources/resource-catalog.js';
import { API_EXPORTS, APIS_GROUP } from '../kcp/kinds/system-resources.js';
import { SYSTEM_ADMIN, type ShardView } from '../kcp/shards/shard-view.js';
import { effectiveUsers, globalServiceAccountName, isLocalServiceAccount } from '../authentication/effective-users.js';
import { isAllowedIn, type AccessAttributes } from './rbac.js';
import { isMasters, type UserInfo } from '../authentication/user.js';

/** Several exports claim to be the one that a binding names. A real kcp then answers no request for the types of that binding. */
export class AmbiguousExport extends Error {
  constructor(path: string, name: string) {
    super(`error getting API export: multiple apiexports.apis.kcp.io found for ${path}:${name}`);
    this.name = 'AmbiguousExport';
  }
}

/** Authorizes requests on one shard. */
export class Authorizer {
  readonly #view: ShardView;
  readonly #catalog: ResourceCatalog;

  constructor(view: ShardView, catalog: ResourceCatalog) {
    this.#view = view;
    this.#catalog = catalog;
  }

  /** Whether a user may do something in a cluster. */
  allows(user: UserInfo, cluster: LogicalClusterName | '*' | '', wanted: AccessAttributes): boolean {
    if (isMasters(user)) return true;
    if (cluster === '' || cluster === '*' || cluster.startsWith('system:')) return false;
    if (!this.hasAccess(user, cluster)) return false;
    if (isProtectedStatus(wanted)) return false;
    if (this.#isLifecycleWorker(user, cluster)) return true;
    return this.#maximalPolicyAllows(user, cluster, wanted) && this.rbacAllows(user, cluster, wanted);
  }

  /** Whether a user may enter a workspace at all: the verb `access` on the path `/`. */
  hasAccess(user: UserInfo, cluster: LogicalClusterName): boolean {
    if (isMasters(user)) return true;
    const logicalCluster = this.#view.logicalCluster(cluster);
    const phase = stringAt(logicalCluster?.object, 'status', 'phase') ?? 'Scheduling';
    if (logicalCluster === undefined || phase === 'Scheduling' || phase === 'Unavailable') return false;
    if (isLocalServiceAccount(user, cluster)) return true;
    if (user.groups.includes('system:kcp:logical-cluster-admin')) return true;
    if (this.#isLifecycleWorker(user, cluster)) return true;
    return this.rbacAllows(user, cluster, { kind: 'path', verb: 'access', path: '/' });
  }

  /** As hasAccess, and true for clusters of other shards when what is replicated of them says so: for bind, use and content. */
  reaches(user: UserInfo, cluster: LogicalClusterName): boolean {
    if (this.#view.logicalCluster(cluster) !== undefined) return this.hasAccess(user, cluster);
    return isLocalServiceAccount(user, cluster) || this.rbacAllows(user, cluster, { kind: 'path', verb: 'access', path: '/' });
  }

  /** RBAC of a cluster and of this shard's system:admin, without the other steps. Also for clusters of other shards, as far as replicated. */
  rbacAllows(user: UserInfo, cluster: LogicalClusterName, wanted: AccessAttributes): boolean {
    if (isMasters(user)) return true;
    const users = effectiveUsers(user, cluster);
    return isAllowedIn(this.#view, cluster, users, wanted) || isAllowedIn(this.#view, SYSTEM_ADMIN, users, wanted);
  }

  // The group that the lifecycle virtual workspaces lend: everything, as long as the entry is listed. Right after the delete the phase is Ready still, and the
  // group is worth nothing.
  #isLifecycleWorker({ groups }: UserInfo, cluster: LogicalClusterName): boolean {
    const status = recordAt(this.#view.logicalCluster(cluster)?.object, 'status');
    if (!LIFECYCLE_PHASES.has(stringAt(status, 'phase') ?? '')) return false;
    const entries = [
      ...stringsAt(status, 'initializers').map((one) => `system:kcp:initializer:${one}`),
      ...stringsAt(status, 'terminators').map((one) => `system:kcp:terminator:${one}`),
    ];
    return entries.some((one) => groups.includes(one));
  }

  // The exporter of a type limits what any user may do with it (maximal permission policy); users appear there under a prefix.
  #maximalPolicyAllows(user: UserInfo, cluster: LogicalClusterName, wanted: AccessAttributes): boolean {
    if (wanted.kind !== 'resource') return true;
    const origin = this.#catalog.find(cluster, wanted.group, wanted.resource)?.origin;
    if (origin?.kind !== 'bound') return true;
    const { exportPath, exportName } = origin;
    if (this.#view.isAmbiguous(API_EXPORTS.bucket, exportPath, exportName)) throw new AmbiguousExport(exportPath, exportName);
    const exported = this.#view.findByPath(API_EXPORTS.bucket, exportPath, exportName);
    if (exported === undefined || valueAt(exported.object, 'spec', 'maximalPermissionPolicy', 'local') === undefined) return true;
    const isLocal = isLocalServiceAccount(user, cluster);
    const users = effectiveUsers(user, cluster).map((one) => asBinder(one, user, { isLocal }));
    return isAllowedIn(this.#view, exported.cluster, users, wanted) || isAllowedIn(this.#view, SYSTEM_ADMIN, users, wanted);
  }
}

const LIFECYCLE_PHASES: ReadonlySet<string> = new Set(['Initializing', 'Terminating', 'Deleting']);

const BINDER = 'apis.kcp.io:binding:';

function asBinder(user: UserInfo, original: UserInfo, { isLocal }: { readonly isLocal: boolean }): UserInfo {
  const serviceAccount = globalServiceAccountName(original);
  // A ServiceAccount of elsewhere loses its groups on the way: no grant for a group reaches it (seen on v0.32.3).
  if (serviceAccount !== undefined && !isLocal) return { username: `${BINDER}${serviceAccount}`, groups: [] };
  return { username: `${BINDER}${user.username}`, groups: user.groups.map((group) => `${BINDER}${group}`) };
}

function isProtectedStatus(wanted: AccessAttributes): boolean {
  if (wanted.kind !== 'resource' || wanted.group !== APIS_GROUP || wanted.subresource !== 'status') return false;
  return ['apibindings', 'apiexports'].includes(wanted.resource);
}
