import { apiVersionOf, printGroupResource, quote, type ClusterAddress, type GroupVersionResource } from '@dep-ctrl/kcp-names';
import type { RequestedObject } from '../errors/absence.js';
import { KcpError } from '../errors/kcp-error.js';

/** Where a client's requests go. Without an address they carry no `/clusters` part. */
export interface ClusterLocation {
  readonly baseUrl: string;
  readonly address?: ClusterAddress;
}

/** An object of a type, or the collection where there is no name. */
export interface ResourceRef {
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
}

/** Query parameters; those that are undefined are left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** The address and the description of one request, and what it is about. */
export interface ResourceRequest {
  readonly url: string;
  readonly asked: string;
  readonly object: RequestedObject;
}

/** The same for a path. */
export type PathRequest = Omit<ResourceRequest, 'object'> & Partial<Pick<ResourceRequest, 'object'>>;

/** Builds address and description. Throws KcpError `invalid` for names that would change what the address means. */
export function resourceRequest(
  verb: string,
  location: ClusterLocation,
  type: GroupVersionResource,
  ref: ResourceRef,
  query: Query = {},
): ResourceRequest {
  const asked = describe(verb, location, type, ref);
  const api = type.group === '' ? `/api/${type.version}` : `/apis/${apiVersionOf(type)}`;
  const segment = (value: string | undefined): string => {
    if (value === undefined) return '';
    // An empty name would address the collection, dots another one.
    if (value !== '' && value !== '.' && value !== '..') return `/${encodeURIComponent(value)}`;
    throw new KcpError({ code: 'invalid', asked, at: location.baseUrl, problem: `${quote(value)} is no name` });
  };
  const namespace = ref.namespace === undefined ? '' : `/namespaces${segment(ref.namespace)}`;
  const path = `${api}${namespace}/${type.resource}${segment(ref.name)}${segment(ref.subresource)}`;
  const { group, resource } = type;
  const name = ref.subresource === undefined ? ref.name : undefined;
  return { url: `${clusterUrl(location)}${path}${queryString(query)}`, asked, object: { group, resource, namespace: ref.namespace, name } };
}

/** The address that a cluster's paths follow, without a trailing slash. */
export function clusterUrl({ baseUrl, address }: ClusterLocation): string {
  return address === undefined ? baseUrl : `${baseUrl}/clusters/${address}`;
}

/** The address and the description of a request for a path of a cluster, query included, and what object it is about, if it is about one. */
export function pathRequest(verb: string, location: ClusterLocation, path: string): PathRequest {
  const [named = ''] = path.split('?');
  const object = objectAt(named);
  const request = { url: `${clusterUrl(location)}${path}`, asked: `${verb} ${named}${inCluster(location)}` };
  return object === undefined ? request : { ...request, object };
}

/** The object that a path of the API names; undefined for a path of anything else. A collection or a subresource has no name. */
function objectAt(path: string): RequestedObject | undefined {
  const [root, ...parts] = path.slice(1).split('/').map(decoded);
  const isCore = root === 'api';
  if (!isCore && root !== 'apis') return undefined;
  const group = isCore ? '' : parts[0];
  const [scope, owner, ...inNamespace] = parts.slice(isCore ? 1 : 2);
  const isNamespaced = scope === 'namespaces' && inNamespace.length > 0;
  const [resource, name, ...subresource] = isNamespaced ? inNamespace : [scope, owner, ...inNamespace];
  if (group === undefined || resource === undefined) return undefined;
  return { group, resource, namespace: isNamespaced ? owner : undefined, name: subresource.length === 0 ? name : undefined };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // kcp refuses it
  }
}

function describe(
  verb: string,
  location: ClusterLocation,
  type: GroupVersionResource,
  { namespace, name, subresource }: ResourceRef,
): string {
  const resource = printGroupResource(type);
  const object = name === undefined ? '' : ` ${quote(name)}`;
  const inNamespace = namespace === undefined ? '' : ` in namespace ${quote(namespace)}`;
  return `${verb} ${resource}${subresource === undefined ? '' : `/${subresource}`}${object}${inNamespace}${inCluster(location)}`;
}

function inCluster({ address }: ClusterLocation): string {
  return address === undefined ? '' : address === '*' ? ' in all clusters' : ` in ${quote(address)}`;
}

function queryString(query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value));
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}
