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

/** Builds address and description. Throws KcpError `invalid` for names that would change what the address means. */
export function resourceRequest(
  verb: string,
  location: ClusterLocation,
  type: GroupVersionResource,
  ref: ResourceRef,
  query: Query = {},
): ResourceRequest {
  const asked = describe(verb, location, type, ref);
  const cluster = location.address === undefined ? '' : `/clusters/${location.address}`;
  const api = type.group === '' ? `/api/${type.version}` : `/apis/${apiVersionOf(type)}`;
  const segment = (value: string | undefined): string => {
    if (value === undefined) return '';
    // An empty name would address the collection, dots another one.
    if (value !== '' && value !== '.' && value !== '..') return `/${encodeURIComponent(value)}`;
    throw new KcpError({ code: 'invalid', asked, at: location.baseUrl, problem: `${quote(value)} is no name` });
  };
  const namespace = ref.namespace === undefined ? '' : `/namespaces${segment(ref.namespace)}`;
  const path = `${cluster}${api}${namespace}/${type.resource}${segment(ref.name)}${segment(ref.subresource)}`;
  const { group, resource } = type;
  const name = ref.subresource === undefined ? ref.name : undefined;
  return { url: `${location.baseUrl}${path}${queryString(query)}`, asked, object: { group, resource, namespace: ref.namespace, name } };
}

function describe(
  verb: string,
  { address }: ClusterLocation,
  type: GroupVersionResource,
  { namespace, name, subresource }: ResourceRef,
): string {
  const resource = printGroupResource(type);
  const object = name === undefined ? '' : ` ${quote(name)}`;
  const inNamespace = namespace === undefined ? '' : ` in namespace ${quote(namespace)}`;
  const inCluster = address === undefined ? '' : address === '*' ? ' in all clusters' : ` in ${quote(address)}`;
  return `${verb} ${resource}${subresource === undefined ? '' : `/${subresource}`}${object}${inNamespace}${inCluster}`;
}

function queryString(query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value));
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}
