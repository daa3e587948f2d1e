// Which endpoints an APIExport has, from what was seen of its endpoint slice. Pure. An endpoint is withdrawn only when the very slice
// that named it no longer does: a slice that is gone says nothing, and a new one of the same name fills up only as shards report. Only where the
// new one is of another logical cluster, the export that had the endpoints is gone for good: then they go as soon as the new one names some.
import { elements, record, text, type KubeObject, type LogicalClusterName, type Parsed } from '@dep-ctrl/kcp-names';
import type { Observed, ReflectorEvent } from '../watch/reflector-event.js';
import { parseVirtualWorkspaceUrl, type VirtualWorkspaceUrl } from '../http/server-url.js';

/** What the slice has said so far. */
export interface NamedEndpoints {
  readonly slice: 'unknown' | 'no-slice' | 'read';
  /** Each endpoint with the slice that named it last. */
  readonly endpoints: ReadonlyMap<VirtualWorkspaceUrl, NamedBy>;
}

/** Which slice named an endpoint. */
export interface NamedBy {
  readonly uid: string | undefined;
  readonly cluster: LogicalClusterName;
}

/** What followed from an event of the slice. */
export interface NamingStep {
  readonly named: NamedEndpoints;
  readonly appeared: readonly VirtualWorkspaceUrl[];
  readonly withdrawn: readonly VirtualWorkspaceUrl[];
  /** Entries of the slice that are no addresses. */
  readonly problems: readonly string[];
}

/** Before the slice was read. */
export const NOTHING_NAMED: NamedEndpoints = { slice: 'unknown', endpoints: new Map() };

/** What an event of the reflector that follows the slice means for the endpoints. */
export function nameEndpoints(before: NamedEndpoints, event: ReflectorEvent): NamingStep {
  switch (event.kind) {
    case 'replaced': {
      const slice = event.objects[0];
      return slice === undefined ? withoutSlice(before) : withSlice(before, slice);
    }
    case 'applied':
      return withSlice(before, event.object);
    case 'deleted':
      return withoutSlice(before);
    case 'undecodable':
      return { named: before, appeared: [], withdrawn: [], problems: [event.problem] };
    default:
      return event satisfies never;
  }
}

function withoutSlice({ endpoints }: NamedEndpoints): NamingStep {
  return { named: { slice: 'no-slice', endpoints }, appeared: [], withdrawn: [], problems: [] };
}

function withSlice(before: NamedEndpoints, { cluster, object: slice }: Observed): NamingStep {
  const { uid } = slice.metadata;
  const urls = endpointUrls(slice);
  const named = new Set(urls.flatMap((url) => (url.ok ? [url.value] : [])));
  const isForSliceToSay = (by: NamedBy): boolean => by.uid === uid || (by.cluster !== cluster && named.size > 0);
  const withdrawn = [...before.endpoints].flatMap(([url, namedBy]) => (!named.has(url) && isForSliceToSay(namedBy) ? [url] : []));
  const endpoints = new Map(before.endpoints);
  for (const url of withdrawn) endpoints.delete(url);
  for (const url of named) endpoints.set(url, { uid, cluster });
  return {
    named: { slice: 'read', endpoints },
    appeared: [...named].filter((url) => !before.endpoints.has(url)),
    withdrawn,
    problems: urls.flatMap((url) => (url.ok ? [] : [url.problem])),
  };
}

/** `status.endpoints[].url`; absent while no workspace binds the export. */
function endpointUrls({ status }: KubeObject): readonly Parsed<VirtualWorkspaceUrl>[] {
  return elements(record(status)?.['endpoints']).map((endpoint) => parseVirtualWorkspaceUrl(text(record(endpoint)?.['url']) ?? ''));
}
