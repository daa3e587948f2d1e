// `/services/apiexport/CLUSTER/EXPORT/clusters/TARGET/…`: reads and writes of an exporter in the workspaces that bound the export.
import { apiVersionOf, type KubeObject, type LogicalClusterName } from '@dep-ctrl/kcp-names';
import { WARRANT_EXTRA } from '../authentication/effective-users.js';
import { accessDenied } from '../authorization/denial.js';
import { isMasters, type UserInfo } from '../authentication/user.js';
import {
  ApiError,
  badRequest,
  methodNotSupported,
  notFound,
  pageNotFound,
  type PlainError,
  resourceNotServed,
} from '../http/api-status.js';
import type { IncomingRequest } from '../http/incoming-request.js';
import { jsonReply, type Reply } from '../http/reply.js';
import { readRequestInfo, type RequestInfo, type ResourceRequestInfo } from '../http/request-info.js';
import { isRecord, stringAt } from '../json/json.js';
import { readClaims, type PermissionClaim } from '../kcp/kinds/permission-claims.js';
import { API_BINDINGS, API_EXPORTS } from '../kcp/kinds/system-resources.js';
import { apiGroup, apiGroupList, apiResourceList, apiVersions } from '../machinery/resources/discovery.js';
import { checkUntyped } from '../machinery/requests/decode-object.js';
import { decodeBody } from '../machinery/requests/read-body.js';
import { matchesLabels } from '../machinery/resources/label-selector.js';
import { isCustom, versionOf, type ResourceVersion } from '../machinery/resources/resource-definition.js';
import { attributesOf } from '../server/cluster-request.js';
import { VERSION_INFO } from '../server/version-info.js';
import { fitToSelector } from './claim-selector.js';
import { exportMissing } from './export-missing.js';
import { isBoundHere, readServedExport, type ExportedType, type ServedExport } from './export-api.js';
import { mayReadContent, mayUseExport } from './export-authorization.js';
import { patchThrough } from './patch-through.js';
import type { ServicePath } from './service-path.js';
import type { VirtualWorkspaceOptions } from './virtual-workspaces.js';

/** One request that has reached the virtual workspace of an export. */
interface ExportRequest {
  readonly served: ServedExport;
  readonly target: LogicalClusterName | '*';
  readonly user: UserInfo;
  readonly rest: string;
  readonly http: IncomingRequest;
}

type SingleRequest = ExportRequest & { readonly target: LogicalClusterName };

type Forward = (method: string, body: Buffer, change?: { readonly query?: URLSearchParams; readonly path?: string }) => Promise<Reply>;

/** Serves the virtual workspaces of all exports. */
export class ExportVirtualWorkspace {
  readonly #options: VirtualWorkspaceOptions;

  constructor(options: VirtualWorkspaceOptions) {
    this.#options = options;
  }

  /** Answers one request. */
  async handle(path: ServicePath, http: IncomingRequest, user: UserInfo): Promise<Reply> {
    const { view, catalog } = this.#options;
    const [cluster = '', name = ''] = path.subject;
    const stored = view.find(API_EXPORTS.bucket, cluster as LogicalClusterName, name);
    const info = readRequestInfo(http.method, path.rest, http.query);
    if (stored === undefined) throw this.#missing({ cluster: cluster as LogicalClusterName, name }, path, http, { user, info });
    const served = readServedExport(view, catalog, stored);
    const target = path.target as LogicalClusterName | '*';
    if (!isMasters(user) && !mayUseExport(this.#options, served, target, user, info)) throw accessDenied(user, attributesOf(info));
    const request = { served, target, user, rest: path.rest, http };
    return info.kind === 'path' ? this.#path(request) : this.#resource(request, info);
  }

  // For one cluster the export is looked up before anybody is asked; for all of them the exporter's grant is asked first.
  #missing(
    named: { readonly cluster: LogicalClusterName; readonly name: string },
    { target }: ServicePath,
    { path }: IncomingRequest,
    { user, info }: { readonly user: UserInfo; readonly info: RequestInfo },
  ): ApiError | PlainError {
    if (isMasters(user)) return pageNotFound();
    const looksFirst = target !== '*' && info.kind === 'resource';
    if (!looksFirst && !mayReadContent(this.#options.authorizer, named, user, info.verb)) return accessDenied(user, attributesOf(info));
    return exportMissing(path, named.name);
  }

  #path({ served, rest, http }: ExportRequest): Reply {
    const path = rest.replace(/\/$/, '');
    const definitions = served.types.map((type) => shownVerbs(type));
    const [root, group, version] = path.slice(1).split('/');
    if (path === '/version') return jsonReply(200, VERSION_INFO);
    if (path === '') return jsonReply(200, { paths: ['/api', '/api/v1', '/apis', '/apis/', '/openapi', '/version'] });
    if (root === 'api' && group === undefined) return jsonReply(200, apiVersions(this.#options.address()));
    if (root === 'api' && group !== undefined) return jsonReply(200, apiResourceList(definitions, '', group));
    if (root === 'openapi') return this.#options.openApi(definitions, path, http) ?? refusePath();
    if (root !== 'apis') throw pageNotFound();
    if (group === undefined) return jsonReply(200, apiGroupList(definitions));
    const found = apiGroup(definitions, group);
    if (found === undefined) throw pageNotFound();
    return jsonReply(200, version === undefined ? found : apiResourceList(definitions, group, version));
  }

  async #resource(request: ExportRequest, info: ResourceRequestInfo): Promise<Reply> {
    const type = request.served.types.find(({ definition }) => definition.group === info.group && definition.resource === info.resource);
    const version = type === undefined ? undefined : versionOf(type.definition, info.version);
    if (type === undefined || version === undefined) throw pageNotFound();
    refuseWithoutNamespace(info, type);
    if (info.subresource !== undefined && (info.subresource !== 'status' || !version.hasStatus)) {
      throw notFound(type.definition, info.name ?? '');
    }
    const { target } = request;
    const isRead = ['list', 'watch', 'get'].includes(info.verb);
    if (target === '*') refuseInWildcard(this.#options, info, type);
    if (type.from === 'bindings' && !isRead) throw methodNotSupported(type.definition, info.verb);
    return isRead || target === '*' ? this.#read(request, info, type, version) : this.#write({ ...request, target }, info, type, version);
  }

  #read(
    { target, user, http, served }: ExportRequest,
    info: ResourceRequestInfo,
    type: ExportedType,
    version: ResourceVersion,
  ): Promise<Reply> {
    const { resources } = this.#options;
    const { definition, visible } = type;
    // Bindings of the exporter are shown to it even where other rights are missing: kcp itself reads for it.
    return resources.handle({
      info,
      definition,
      version,
      cluster: target,
      user,
      http,
      visible,
      closeOn: (close) => this.#closeOnChange(served, close),
    });
  }

  /** Writes are made in the target workspace as the caller, with kcp's warrant for what the caller may not do there itself. */
  async #write(request: SingleRequest, info: ResourceRequestInfo, type: ExportedType, version: ResourceVersion): Promise<Reply> {
    const { target, http } = request;
    const claim = type.from === 'claim' ? bindingClaim(this.#options, request.served, target, type) : undefined;
    const forward: Forward = (method, body, { query = http.query, path = request.rest } = {}) =>
      this.#options.server.handle({
        cluster: target,
        user: warranted(request.user, target),
        method,
        path,
        http: {
          query,
          headers: { ...http.headers, 'content-type': 'application/json' },
          body: () => Promise.resolve(body),
          signal: http.signal,
        },
      });
    if (info.verb === 'deletecollection') return this.#deleteCollection(request, type, forward);
    if (info.verb === 'create') return forward('POST', await this.#fitted(http, type, version, claim));
    const name = info.name ?? '';
    if (name === '') throw badRequest('name must be provided');
    const current = this.#visible(target, info, type, name);
    if (info.verb === 'patch') {
      const create = (body: Buffer): Promise<Reply> => forward('POST', body, { path: request.rest.replace(/\/[^/]+$/, '') });
      return patchThrough({ type, version, current, http, name, claim, forward, create });
    }
    if (current === undefined) throw notFound(type.definition, name);
    if (info.verb === 'delete') return forward('DELETE', await http.body());
    return forward('PUT', await this.#fitted(http, type, version, claim));
  }

  async #deleteCollection({ http }: ExportRequest, { visible }: ExportedType, forward: Forward): Promise<Reply> {
    const query = new URLSearchParams(http.query);
    const required = visible.map(({ key, values }) => `${key} in (${values.join(',')})`);
    const selector = [query.get('labelSelector') ?? '', ...required].filter((one) => one !== '').join(',');
    if (selector !== '') query.set('labelSelector', selector);
    return forward('DELETE', await http.body(), { query });
  }

  /** Built-in types too are untyped here. */
  async #fitted(
    http: IncomingRequest,
    { definition }: ExportedType,
    version: ResourceVersion,
    claim: PermissionClaim | undefined,
  ): Promise<Buffer> {
    const body = await http.body();
    const { value } = decodeBody(body, http.headers['content-type'], definition.kind);
    checkUntyped(value, definition, apiVersionOf({ group: definition.group, version: version.name }));
    if (claim === undefined || !isRecord(value) || !isRecord(value['metadata'])) return Buffer.from(JSON.stringify(value));
    return Buffer.from(JSON.stringify(fitToSelector(value as unknown as KubeObject, claim)));
  }

  #visible(
    target: LogicalClusterName,
    info: ResourceRequestInfo,
    { definition, visible }: ExportedType,
    name: string,
  ): KubeObject | undefined {
    const namespace = definition.namespaced ? (info.namespace ?? '') : '';
    const object = this.#options.view.store.bucket(definition.bucket).get({ cluster: target, namespace, name })?.object;
    return object !== undefined && matchesLabels(visible, object.metadata.labels) ? object : undefined;
  }

  // Watches end when the export changes what it serves: clients have to list again.
  #closeOnChange(served: ServedExport, close: () => void): () => void {
    const { view } = this.#options;
    const before = JSON.stringify(served.stored.object['spec']);
    const check = (): void => {
      const now = view.find(API_EXPORTS.bucket, served.cluster, served.name);
      if (JSON.stringify(now?.object['spec']) !== before) close();
    };
    const offs = [view.store.bucket(API_EXPORTS.bucket).subscribe(check), view.cache.bucket(API_EXPORTS.bucket).subscribe(check)];
    return () => {
      for (const off of offs) off();
    };
  }
}

// The shard behind has no such address, and what it says of that is passed on: a Status that names nothing.
function refuseWithoutNamespace({ name, verb, namespace }: ResourceRequestInfo, { definition }: ExportedType): void {
  if (!definition.namespaced || namespace !== undefined || ['list', 'watch', 'deletecollection'].includes(verb)) return;
  if (name === undefined && !isCustom(definition)) return;
  throw isCustom(definition)
    ? new ApiError({ ...resourceNotServed().body, details: { causes: [NOT_ANSWERED_BY_AN_API] } })
    : resourceNotServed();
}

const NOT_ANSWERED_BY_AN_API = { reason: 'UnexpectedServerResponse', message: '404 page not found' };

// The wildcard is for lists and watches, over all namespaces, of types that a workspace on this shard has bound.
function refuseInWildcard({ view }: VirtualWorkspaceOptions, info: ResourceRequestInfo, type: ExportedType): void {
  if (info.verb !== 'list' && info.verb !== 'watch') throw resourceNotServed();
  if (info.namespace !== undefined && type.definition.namespaced) throw crossNamespace(info.namespace);
  if (type.from === 'own' && !isBoundHere(view, type)) throw resourceNotServed();
}

/** The caller with kcp's own authority in one cluster added: RBAC passes, and webhooks still see the caller. */
function warranted(user: UserInfo, target: LogicalClusterName): UserInfo {
  const warrant = JSON.stringify({
    user: 'system:serviceaccount:default:rest',
    groups: ['system:kcp:admin'],
    extra: { 'authentication.kcp.io/cluster-name': [target] },
  });
  return { ...user, extra: { ...user.extra, [WARRANT_EXTRA]: [...(user.extra?.[WARRANT_EXTRA] ?? []), warrant] } };
}

function bindingClaim(
  { view }: VirtualWorkspaceOptions,
  served: ServedExport,
  target: LogicalClusterName,
  { definition }: ExportedType,
): PermissionClaim | undefined {
  const binding = view.store
    .bucket(API_BINDINGS.bucket)
    .list({ cluster: target })
    .find(
      ({ object }) =>
        stringAt(object, 'spec', 'reference', 'export', 'name') === served.name &&
        stringAt(object, 'status', 'apiExportClusterName') === served.cluster,
    );
  return readClaims(binding?.object).find(
    ({ accepted, group, resource }) => accepted && group === definition.group && resource === definition.resource,
  );
}

function shownVerbs({ definition, from }: ExportedType): ExportedType['definition'] {
  if (from !== 'bindings') return definition;
  return { ...definition, verbs: ['get', 'list', 'watch'] };
}

function crossNamespace(namespace: string): ApiError {
  return new ApiError({
    code: 400,
    message: `cross-cluster LIST and WATCH are required to be cross-namespace, not scoped to namespace ${namespace}`,
  });
}

function refusePath(): never {
  throw pageNotFound();
}
