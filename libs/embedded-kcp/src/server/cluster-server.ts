// Serves requests inside logical clusters: authorizes them, finds the resource, and passes them to the handler of that resource.
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import { AmbiguousExport, type Authorizer } from '../authorization/authorizer.js';
import { accessDenied } from '../authorization/denial.js';
import type { ApiError } from '../http/api-status.js';
import {
  badRequest,
  internalError,
  methodNotSupported,
  notEmulated,
  notFound,
  pageNotFound,
  PlainError,
  resourceNotServed,
} from '../http/api-status.js';
import { jsonReply, bytesReply, type Reply } from '../http/reply.js';
import { readRequestInfo, type PathRequestInfo, type RequestInfo, type ResourceRequestInfo } from '../http/request-info.js';
import { aggregated, apiGroup, apiGroupList, apiResourceList, apiVersions, hasVersion } from '../machinery/resources/discovery.js';
import type { ResourceCatalog } from '../machinery/resources/resource-catalog.js';
import { isCustom, versionOf, type ResourceDefinition } from '../machinery/resources/resource-definition.js';
import { TENANCY_GROUP } from '../kcp/kinds/system-resources.js';
import { methodNotAllowed } from '../machinery/requests/method-not-allowed.js';
import type { ResourceHandler } from '../machinery/objects/resource-handler.js';
import { withWarnings } from '../http/warnings.js';
import type { ResourceRequest } from '../machinery/requests/resource-request.js';
import { attributesOf, type ClusterRequest } from './cluster-request.js';
import { gapOf } from './gaps.js';
import { VERSION_INFO } from './version-info.js';

/** Answers a request for a resource that is not simply stored: reviews, tokens, finalize. Undefined: it is stored. */
export type SpecialHandler = (request: ResourceRequest & { readonly cluster: LogicalClusterName }) => Promise<Reply> | undefined;

/** The parts that a cluster server needs. */
export interface ClusterServerOptions {
  readonly catalog: ResourceCatalog;
  readonly authorizer: Authorizer;
  readonly resources: ResourceHandler;
  readonly specials: readonly SpecialHandler[];
  /** Answers under /openapi, or undefined when there is nothing. */
  readonly openApi: (request: ClusterRequest) => Reply | undefined;
  /** Answers what is known of the issuer of tokens, or undefined for any other path. */
  readonly openId: (path: string, accept: string | undefined) => Reply | undefined;
  /** `host:port` for discovery. */
  readonly address: () => string;
}

/** The API of all logical clusters of one shard. */
export class ClusterServer {
  readonly #options: ClusterServerOptions;

  constructor(options: ClusterServerOptions) {
    this.#options = options;
  }

  /** Answers a request after asking whether its user may make it. */
  async handle(request: ClusterRequest): Promise<Reply> {
    const { authorizer } = this.#options;
    if (request.http.headers.upgrade !== undefined) throw notEmulated('connections that are upgraded, as watches over WebSocket are');
    const info = readRequestInfo(request.method, request.path, request.http.query);
    if (isOldWatch(info)) throw notEmulated('watches by path (/watch/...), deprecated since v1.11; ask for ?watch=true');
    if (!isOpenToAll(info.path) && !mayPass(authorizer, request, info)) throw accessDenied(request.user, attributesOf(info));
    return info.kind === 'path' ? this.#path(request, info) : this.#resource(request, info);
  }

  async #resource(request: ClusterRequest, info: ResourceRequestInfo): Promise<Reply> {
    const { catalog, resources, specials } = this.#options;
    const { cluster } = request;
    if (cluster === '') throw internalError('no cluster found in the context');
    if (info.group === TENANCY_GROUP && info.resource === 'workspaces' && info.name === '~') throw notEmulated('home workspaces');
    const definition = catalog.find(cluster, info.group, info.resource, info.identity);
    if (definition === undefined) throw this.#missing(cluster, info);
    const version = versionOf(definition, info.version);
    if (version === undefined) throw isCustom(definition) ? pageNotFound() : resourceNotServed();
    if (request.method === 'HEAD' && !isCustom(definition)) throw methodNotAllowed();
    const asked: ResourceRequest = { info, definition, version, cluster, user: request.user, http: request.http };
    if (cluster !== '*') {
      for (const special of specials) {
        const reply = special({ ...asked, cluster });
        if (reply !== undefined) return reply;
      }
    }
    refuseImpossible(asked);
    const reply = await resources.handle(asked);
    return version.deprecationWarning === undefined ? reply : withWarnings(reply, [version.deprecationWarning]);
  }

  #missing(cluster: LogicalClusterName | '*', { group, version, resource }: ResourceRequestInfo): ApiError | PlainError {
    const gap = gapOf(group, resource);
    if (gap !== undefined) return notEmulated(gap);
    const isBuiltIn = this.#options.catalog
      .all(cluster)
      .some((one) => one.group === group && one.origin.kind === 'builtin' && versionOf(one, version));
    return isBuiltIn ? resourceNotServed() : pageNotFound();
  }

  #path(request: ClusterRequest, { path }: PathRequestInfo): Reply {
    const { catalog, address, openApi, openId } = this.#options;
    const meant = readRequestInfo('GET', path, request.http.query);
    if (meant.kind === 'resource') throw this.#strangeMethod(request.cluster, meant);
    if (request.method !== 'GET' && this.#takesOnlyGet(request.cluster, path)) throw methodNotAllowed();
    if (path === '/version') return jsonReply(200, VERSION_INFO);
    if (/^\/(?:healthz|livez|readyz)(?:\/|$)/.test(path))
      return bytesReply(200, [Buffer.from('ok')], { 'content-type': 'text/plain; charset=utf-8' });
    if (/^\/(?:metrics|debug|configz|flagz|statusz)(?:\/|$)/.test(path)) {
      throw new PlainError(501, 'shard-level endpoint not available at workspace scope');
    }
    if (path.startsWith('/openapi/')) return openApi(request) ?? refusePath();
    if (request.cluster === '') throw pageNotFound();
    const known = openId(path, request.http.headers.accept);
    if (known !== undefined) return known;
    const definitions = catalog.all(request.cluster);
    if (path === '' || path === '/') return jsonReply(200, { paths: rootPaths(definitions) });
    return this.#discovery(request, definitions, path.replace(/\/$/, ''), address());
  }

  // OPTIONS, TRACE and the like: verbs of no resource.
  #strangeMethod(cluster: ClusterRequest['cluster'], info: ResourceRequestInfo): ApiError | PlainError {
    if (cluster === '') return pageNotFound();
    const definition = this.#options.catalog.find(cluster, info.group, info.resource, info.identity);
    if (definition === undefined) return this.#missing(cluster, info);
    return isCustom(definition) ? methodNotSupported(definition, '') : methodNotAllowed();
  }

  // Built-in groups have a route for each path, everything else answers whatever the method is.
  #takesOnlyGet(cluster: ClusterRequest['cluster'], path: string): boolean {
    if (/^\/(?:version|api(?:\/[^/]+)?|\.well-known\/openid-configuration|openid\/v1\/jwks)\/?$/.test(path)) return true;
    const [, group] = /^\/apis\/([^/]+)(?:\/[^/]+)?\/?$/.exec(path) ?? [];
    if (group === undefined || cluster === '') return false;
    return this.#options.catalog.all(cluster).some((one) => one.group === group && !isCustom(one));
  }

  #discovery({ http }: ClusterRequest, definitions: readonly ResourceDefinition[], path: string, address: string): Reply {
    const [root, group, version, ...rest] = path.slice(1).split('/');
    const isAggregated =
      /application\/json;[^,]*as=APIGroupDiscoveryList/.test(http.headers.accept ?? '') && /v=v2(?:;|,|$)/.test(http.headers.accept ?? '');
    const headers = isAggregated ? { 'content-type': 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' } : {};
    if (root === 'api') {
      if (group === undefined) return jsonReply(200, isAggregated ? aggregated(definitions, true) : apiVersions(address), headers);
      if (!hasVersion(definitions, '', group)) throw resourceNotServed();
      return jsonReply(200, apiResourceList(definitions, '', group));
    }
    if (root !== 'apis' || rest.length > 0) throw pageNotFound();
    if (group === undefined) return jsonReply(200, isAggregated ? aggregated(definitions, false) : apiGroupList(definitions), headers);
    if (version !== undefined) return jsonReply(200, apiResourceList(definitions, group, version));
    const found = apiGroup(definitions, group);
    if (found === undefined) throw pageNotFound();
    return jsonReply(200, found);
  }
}

// Checked before the machinery: combinations of place, method and subresource that no resource has.
function refuseImpossible({ info, definition, version, cluster }: ResourceRequest): void {
  const isOwnNamespace = definition.group === '' && definition.resource === 'namespaces';
  const { subresource, name = '', namespace, verb } = info;
  const isUnknown = (missing: () => ApiError): ApiError | PlainError => (isCustom(definition) ? missing() : resourceNotServed());
  const special = definition.subresources?.find((one) => one.name === subresource);
  const hasSubresource = subresource === undefined || special !== undefined || (subresource === 'status' && version.hasStatus);
  if (!hasSubresource) throw isUnknown(() => notFound(definition, name));
  if (isCustom(definition) && name === '' && (verb === 'update' || verb === 'patch')) throw badRequest('name must be provided');
  if (!(special ?? definition).verbs.includes(verb) || (!isCustom(definition) && isMisplaced(verb, info))) throw methodNotAllowed();
  if (!isOwnNamespace && (cluster !== '*' || namespace !== undefined)) refuseWrongPlace(definition, info);
}

// Of built-ins, new objects are posted to their collection, existing ones are changed under their name.
function isMisplaced(verb: string, { name, subresource }: ResourceRequestInfo): boolean {
  if (subresource !== undefined) return false;
  return verb === 'create' ? name !== undefined : (verb === 'update' || verb === 'patch') && name === undefined;
}

// A namespaced object needs its namespace, a cluster-scoped one takes none.
function refuseWrongPlace(definition: ResourceDefinition, { name, namespace, verb }: ResourceRequestInfo): void {
  const needsNamespace = verb !== 'list' && verb !== 'watch';
  const isWrong = definition.namespaced ? needsNamespace && namespace === undefined : namespace !== undefined;
  if (!isWrong) return;
  if (isCustom(definition)) throw pageNotFound();
  throw name === undefined && definition.namespaced ? methodNotAllowed() : resourceNotServed();
}

function refusePath(): never {
  throw pageNotFound();
}

function mayPass(authorizer: Authorizer, { user, cluster, path }: ClusterRequest, info: RequestInfo): boolean {
  try {
    return authorizer.allows(user, cluster, attributesOf(info));
  } catch (error) {
    if (!(error instanceof AmbiguousExport)) throw error;
    throw new PlainError(500, `Internal Server Error: ${JSON.stringify(`/clusters/${cluster}${path}`)}: ${error.message}`);
  }
}

function isOldWatch(info: RequestInfo): boolean {
  return info.kind === 'resource' && info.resource === 'watch' && info.namespace === undefined && info.name !== undefined;
}

function isOpenToAll(path: string): boolean {
  return path === '/healthz' || path === '/livez' || path === '/readyz';
}

function rootPaths(definitions: readonly ResourceDefinition[]): readonly string[] {
  const groups = definitions.flatMap(({ group, versions }) =>
    group === '' ? [] : [`/apis/${group}`, ...versions.map(({ name }) => `/apis/${group}/${name}`)],
  );
  return [
    ...new Set([
      '/api',
      '/api/v1',
      '/apis',
      '/apis/',
      ...groups,
      '/healthz',
      '/livez',
      '/.well-known/openid-configuration',
      '/openapi/v2',
      '/openapi/v3',
      '/openid/v1/jwks',
      '/readyz',
      '/version',
    ]),
  ].sort();
}
