// The verb and the resource of a request, read from method, path and query only. The rules are those of Kubernetes' RequestInfo, so that authorization and
// dispatch cannot disagree.

/** The verbs of the API. */
export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';

/** A request for a resource. */
export interface ResourceRequestInfo {
  readonly kind: 'resource';
  readonly verb: Verb;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  /** The identity hash after a colon, on wildcard requests. */
  readonly identity?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly path: string;
}

/** A request for anything else: discovery, health, version, OpenAPI. */
export interface PathRequestInfo {
  readonly kind: 'path';
  /** The lower-case method: `get`. */
  readonly verb: string;
  readonly path: string;
}

/** What a request asks for. */
export type RequestInfo = ResourceRequestInfo | PathRequestInfo;

const VERB_OF_METHOD: Readonly<Record<string, Verb>> = {
  GET: 'get',
  HEAD: 'get',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

/** Reads what a request asks for. */
export function readRequestInfo(method: string, path: string, query: URLSearchParams): RequestInfo {
  const asPath: PathRequestInfo = { kind: 'path', verb: method.toLowerCase(), path };
  const parts = path.split('/').filter((part) => part !== '');
  const [group, version, ...rest] = parts[0] === 'api' ? ['', ...parts.slice(1)] : parts[0] === 'apis' ? parts.slice(1) : [];
  const verb = VERB_OF_METHOD[method];
  if (group === undefined || version === undefined || rest.length === 0 || verb === undefined) return asPath;
  const place = readPlace(rest);
  if (place === undefined) return asPath;
  const [resource = '', identity] = place.resource.split(':');
  const name = place.name ?? nameInFieldSelector(verb, query);
  return {
    kind: 'resource',
    verb: place.name === undefined ? collectionVerb(verb, query) : verb,
    group,
    version,
    resource,
    path,
    ...(identity === undefined ? {} : { identity }),
    ...(place.subresource === undefined ? {} : { subresource: place.subresource }),
    ...(place.namespace === undefined ? {} : { namespace: place.namespace }),
    ...(name === undefined ? {} : { name }),
  };
}

interface Place {
  readonly namespace?: string | undefined;
  readonly resource: string;
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
}

// Under /namespaces/NAME, `status` and `finalize` are subresources of the namespace; anything else is a namespaced resource.
function readPlace(parts: readonly string[]): Place | undefined {
  const [first, second, third, fourth, fifth] = parts;
  if (first === undefined) return undefined;
  if (first === 'namespaces' && second !== undefined) {
    if (third === undefined) return { resource: first, name: second, namespace: second };
    if (third === 'status' || third === 'finalize') return { resource: first, name: second, namespace: second, subresource: third };
    return { namespace: second, resource: third, name: fourth, subresource: fifth };
  }
  return { resource: first, name: second, subresource: third };
}

function collectionVerb(verb: Verb, query: URLSearchParams): Verb {
  if (verb === 'get') return isTrue(query.get('watch')) ? 'watch' : 'list';
  return verb === 'delete' ? 'deletecollection' : verb;
}

function nameInFieldSelector(verb: Verb, query: URLSearchParams): string | undefined {
  if (verb !== 'get' && verb !== 'delete') return undefined;
  return /(?:^|,)metadata\.name==?([^,=!]+)(?:,|$)/.exec(query.get('fieldSelector') ?? '')?.[1];
}

/** Reads a boolean of a query as the API server does: every text that is not plainly "no" means yes. */
export function isTrue(value: string | null): boolean {
  return value !== null && value !== '0' && value.toLowerCase() !== 'false';
}
