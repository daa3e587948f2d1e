import { apiVersionOf, printGroupResource, quote, type ClusterAddress, type GroupVersionResource } from '@dep-ctrl/kcp-names';
import { KcpError } from '../errors/kcp-error.js';

/** Where a client's requests go. Without an address they carry no `/clusters` part. */
export interface ClusterLocation {
  readonly baseUrl: string;
  readonly address?: ClusterAddress;
}

/** An object of a type, or the collection where there is no name. */
export interface ResourceRef {
  readonly namespace?: string;
  readonly name?: string;
  readonly subresource?: string;
}

/** Query parameters; those that are undefined are left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** The address and the description of one request. */
export interface ResourceRequest {
  readonly url: string;
  readonly asked: string;
}

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
  return { url: `${clusterUrl(location)}${path}${queryString(query)}`, asked };
}

/** The address that a cluster's paths follow, without a trailing slash. */
export function clusterUrl({ baseUrl, address }: ClusterLocation): string {
  return address === undefined ? baseUrl : `${baseUrl}/clusters/${address}`;
}

/** The address and the description of a request for a path of a cluster, query included. */
export function pathRequest(verb: string, location: ClusterLocation, path: string): ResourceRequest {
  const [named] = path.split('?');
  return { url: `${clusterUrl(location)}${path}`, asked: `${verb} ${String(named)}${inCluster(location)}` };
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
