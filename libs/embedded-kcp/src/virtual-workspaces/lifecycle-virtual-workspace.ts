// `/services/initializingworkspaces/ENTRY/…` and `/services/terminatingworkspaces/ENTRY/…`: for controllers that prepare or clear
// workspaces of one type. They show the logical clusters that wait for the entry, let the entry be removed, and give access to the content until then.
import type { KubeObject, LogicalClusterName } from '@dep-ctrl/kcp-names';
import { accessDenied } from '../authorization/denial.js';
import { ruleAllows } from '../authorization/rbac.js';
import { LOOPBACK, type UserInfo } from '../authentication/user.js';
import { invalid, pageNotFound, PlainError, resourceNotServed } from '../http/api-status.js';
import type { IncomingRequest } from '../http/incoming-request.js';
import { jsonReply, type Reply } from '../http/reply.js';
import { readRequestInfo, type ResourceRequestInfo } from '../http/request-info.js';
import { arrayAt, isRecord, recordAt, stringAt, stringsAt, valueAt } from '../json/json.js';
import { lifecycleLabel } from '../kcp/kinds/lifecycle-labels.js';
import { CORE_GROUP, LOGICAL_CLUSTERS } from '../kcp/kinds/system-resources.js';
import { readObject } from '../machinery/requests/read-object.js';
import { apiGroup, apiGroupList, apiResourceList } from '../machinery/resources/discovery.js';
import { methodNotAllowed } from '../machinery/requests/method-not-allowed.js';
import { applyPatch, readPatch } from '../machinery/requests/read-patch.js';
import { versionOf, type ResourceDefinition } from '../machinery/resources/resource-definition.js';
import { attributesOf } from '../server/cluster-request.js';
import { LifecycleAuthorization } from './lifecycle-authorization.js';
import { describeAsked, LIFECYCLES, type Lifecycle } from './lifecycle-rules.js';
import type { ServicePath } from './service-path.js';
import type { VirtualWorkspaceOptions } from './virtual-workspaces.js';

interface LifecycleRequest {
  readonly lifecycle: Lifecycle;
  /** `CLUSTER:TYPE`. */
  readonly entry: string;
  readonly target: LogicalClusterName | '*';
  readonly rest: string;
  readonly user: UserInfo;
  readonly http: IncomingRequest;
}

/** Serves both kinds of lifecycle virtual workspaces. */
export class LifecycleVirtualWorkspace {
  readonly #options: VirtualWorkspaceOptions;
  readonly #authorization: LifecycleAuthorization;
  readonly #workspaceTypes: ResourceDefinition;

  constructor(options: VirtualWorkspaceOptions, workspaceTypes: ResourceDefinition) {
    this.#options = options;
    this.#authorization = new LifecycleAuthorization(options);
    this.#workspaceTypes = workspaceTypes;
  }

  /** Answers one request. */
  async handle(path: ServicePath, http: IncomingRequest, user: UserInfo): Promise<Reply> {
    const lifecycle = LIFECYCLES[path.kind];
    const [entry = ''] = path.subject;
    if (lifecycle === undefined) throw pageNotFound();
    const info = readRequestInfo(http.method, path.rest, http.query);
    const asked = { lifecycle, ...splitEntry(entry), user, isWildcard: path.target === '*', path: http.path };
    if (!this.#authorization.allows(asked)) throw accessDenied(user, attributesOf(info));
    const request = { lifecycle, entry, target: path.target as LogicalClusterName | '*', rest: path.rest, user, http };
    if (info.kind === 'resource' && info.group === CORE_GROUP && info.resource === 'logicalclusters')
      return this.#logicalClusters(request, info);
    if (request.target === '*' || info.kind === 'path') return discovery(path.rest);
    return this.#content({ ...request, target: request.target });
  }

  #logicalClusters(request: LifecycleRequest, info: ResourceRequestInfo): Promise<Reply> | Reply {
    const version = versionOf(LOGICAL_CLUSTERS, info.version);
    if (version === undefined) throw pageNotFound();
    const { lifecycle, entry, target, http, user } = request;
    if (info.verb === 'list' || info.verb === 'watch' || info.verb === 'get') {
      const [key, value] = lifecycleLabel(lifecycle.list, entry);
      return this.#options.resources.handle({
        info,
        definition: LOGICAL_CLUSTERS,
        version,
        cluster: target,
        user,
        http,
        visible: [{ key, operator: 'in', values: [value] }],
        shows: lifecycle.isActive,
      });
    }
    if (target === '*') throw resourceNotServed();
    if (info.subresource !== 'status' || (info.verb !== 'update' && info.verb !== 'patch')) throw methodNotAllowed();
    return this.#changeStatus({ ...request, target }, info);
  }

  /** A status write may take the own entry off the list, or leave the list alone. */
  async #changeStatus(request: LifecycleRequest & { readonly target: LogicalClusterName }, info: ResourceRequestInfo): Promise<Reply> {
    const { lifecycle, entry, target, http, rest } = request;
    const version = versionOf(LOGICAL_CLUSTERS, info.version);
    const current = this.#options.view.logicalCluster(target)?.object;
    if (version === undefined || current === undefined || !isListed(current, lifecycle, entry)) throw resourceNotServed();
    const next =
      info.verb === 'patch'
        ? applyPatch(current, readPatch(await http.body(), http.headers['content-type'], LOGICAL_CLUSTERS), version)
        : (
            await readObject(
              { info, definition: LOGICAL_CLUSTERS, version, cluster: target, user: request.user, http },
              { dryRun: false, fieldManager: '', fieldValidation: 'Ignore', force: false },
            )
          ).object;
    const [before, after] = [stringsAt(current, 'status', lifecycle.list), stringsAt(next, 'status', lifecycle.list)];
    if (!lifecycle.admits(before, after, entry)) {
      throw invalid({ group: CORE_GROUP, kind: 'LogicalCluster' }, 'cluster', [
        {
          reason: 'FieldValueInvalid',
          message: `Invalid value: ${JSON.stringify(after)}: only removing the ${JSON.stringify(entry)} ${lifecycle.noun} is supported`,
          field: `status.${lifecycle.list}`,
        },
      ]);
    }
    const resourceVersion = stringAt(next, 'metadata', 'resourceVersion') ?? current.metadata.resourceVersion;
    const merged = {
      ...current,
      metadata: { ...current.metadata, resourceVersion },
      status: { ...recordAt(current, 'status'), [lifecycle.list]: after },
    };
    return this.#options.server.handle({
      cluster: target,
      user: LOOPBACK,
      method: 'PUT',
      path: rest,
      http: {
        query: http.query,
        headers: { 'content-type': 'application/json' },
        body: () => Promise.resolve(Buffer.from(JSON.stringify(merged))),
        signal: http.signal,
      },
    });
  }

  /** Everything else is the workspace itself, as the type's permissions allow, or as its creator where the type names none. */
  #content({ lifecycle, entry, target, rest, user, http }: LifecycleRequest & { readonly target: LogicalClusterName }): Promise<Reply> {
    const current = this.#options.view.logicalCluster(target)?.object;
    const { noun } = lifecycle;
    if (current === undefined) {
      const missing = `logicalclusters.core.kcp.io "cluster" not found`;
      throw new PlainError(500, `error getting logicalcluster ${target}|cluster: ${missing}`);
    }
    if (!lifecycle.isActive(current) || !isListed(current, lifecycle, entry)) {
      throw new PlainError(403, `${noun} ${JSON.stringify(entry)} cannot access this workspace`);
    }
    const { cluster, name } = splitEntry(entry);
    const type = this.#options.view.find(this.#workspaceTypes.bucket, cluster, name)?.object;
    if (type === undefined) {
      const missing = `workspacetypes.tenancy.kcp.io "${cluster}|${name}" not found`;
      const refused = 'WorkspaceType not found in local or cached indexer; refusing to fall back to owner impersonation';
      throw new PlainError(503, `${noun} ${JSON.stringify(entry)}: ${refused}: ${missing}`);
    }
    const forward = (as: UserInfo): Promise<Reply> =>
      this.#options.server.handle({ cluster: target, user: as, method: http.method, path: rest, http });
    const rules = arrayAt(type, 'spec', lifecycle.permissions);
    if (rules.length === 0) return forward(creatorOf(current, entry, noun));
    const wanted = attributesOf(readRequestInfo(http.method, rest, http.query));
    if (!rules.some((rule) => ruleAllows(rule, wanted))) {
      throw new PlainError(
        403,
        `${noun} ${JSON.stringify(entry)} denied by ${lifecycle.permissions}: no rule allows ${describeAsked(wanted)}`,
      );
    }
    return forward({ ...user, groups: [`system:kcp:${noun}:${entry}`, ...user.groups] });
  }
}

function isListed(logicalCluster: KubeObject, { list }: Lifecycle, entry: string): boolean {
  return stringsAt(logicalCluster, 'status', list).includes(entry);
}

function creatorOf(logicalCluster: KubeObject, entry: string, noun: string): UserInfo {
  const createdBy = valueAt(logicalCluster, 'spec', 'createdBy');
  if (!isRecord(createdBy)) throw new PlainError(500, `${noun} ${JSON.stringify(entry)}: LogicalCluster had no createdBy recorded`);
  return { username: stringAt(createdBy, 'username') ?? '', groups: stringsAt(createdBy, 'groups') };
}

function discovery(rest: string): Reply {
  const path = rest.replace(/\/$/, '');
  if (path === '/apis') return jsonReply(200, apiGroupList([LOGICAL_CLUSTERS]));
  if (path === `/apis/${CORE_GROUP}`) return jsonReply(200, apiGroup([LOGICAL_CLUSTERS], CORE_GROUP));
  if (path === `/apis/${CORE_GROUP}/v1alpha1`) return jsonReply(200, apiResourceList([LOGICAL_CLUSTERS], CORE_GROUP, 'v1alpha1'));
  throw pageNotFound();
}

function splitEntry(entry: string): { readonly cluster: LogicalClusterName; readonly name: string } {
  const colon = entry.lastIndexOf(':');
  return { cluster: entry.slice(0, colon) as LogicalClusterName, name: entry.slice(colon + 1) };
}
