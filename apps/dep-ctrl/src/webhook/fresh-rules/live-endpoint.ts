// What the endpoints of the export say right now, read beside the watches.
import {
  parseVirtualWorkspaceUrl,
  type ClusterClient,
  type Connection,
  type Observed,
  type VirtualWorkspaceUrl,
  type WildcardClient,
} from '@dep-ctrl/kcp-client';
import { clusterOf, type GroupVersionResource } from '@dep-ctrl/kcp-names';
import { WATCHED_TYPES } from '../../rules/watched-types.js';
import { elements, record } from '../json-value.js';

/** What decides which rules guard what. */
export const DECIDING_KINDS = ['rules', 'guards', 'bindings'] as const;

/** One of them. */
export type DecidingKind = (typeof DECIDING_KINDS)[number];

/** All objects of an endpoint that decide. */
export type EndpointContent = Readonly<Record<DecidingKind, readonly Observed[]>>;

/** What bounds a live read. */
export interface LiveRead {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

const SLICES: GroupVersionResource = { group: 'apis.kcp.io', version: 'v1alpha1', resource: 'apiexportendpointslices' };

/** The endpoints that the slices of an export name. */
export interface SliceContent {
  readonly endpoints: ReadonlySet<VirtualWorkspaceUrl>;
  /** When the oldest slice was made, on kcp's clock. A new one names nobody at first, and then each shard as it reports. */
  readonly madeMs: number;
}

/** What the slices of an export say. Rejects when there is none: that says nothing about what there was. */
export async function readSlices(
  { workspace, exportName }: { readonly workspace: Pick<ClusterClient, 'list'>; readonly exportName: string },
  { signal, timeoutMs }: LiveRead,
): Promise<SliceContent> {
  const endpoints = new Set<VirtualWorkspaceUrl>();
  let madeMs = Infinity;
  for await (const page of workspace.list(SLICES, { timeoutMs }, { signal })) {
    for (const slice of page.objects()) {
      if (record(record(slice['spec'])?.['export'])?.['name'] !== exportName) continue;
      madeMs = Math.min(madeMs, Date.parse(slice.metadata.creationTimestamp ?? ''));
      for (const endpoint of elements(record(slice['status'])?.['endpoints'])) {
        const url = parseVirtualWorkspaceUrl(String(record(endpoint)?.['url']));
        if (url.ok) endpoints.add(url.value);
      }
    }
  }
  if (madeMs === Infinity) throw new Error(`there is no endpoint slice of ${exportName}`);
  return { endpoints, madeMs };
}

/** What an endpoint serves. Rejects when anything of it cannot be read. */
export async function readEndpoint(
  connection: Pick<Connection, 'virtualWorkspace'>,
  endpoint: VirtualWorkspaceUrl,
  options: LiveRead,
): Promise<EndpointContent> {
  const client = connection.virtualWorkspace(endpoint).wildcard();
  const [rules, guards, bindings] = await Promise.all(DECIDING_KINDS.map((kind) => readAll(client, WATCHED_TYPES[kind], options)));
  return { rules: rules ?? [], guards: guards ?? [], bindings: bindings ?? [] };
}

async function readAll(client: WildcardClient, type: GroupVersionResource, { signal, timeoutMs }: LiveRead): Promise<readonly Observed[]> {
  const observed: Observed[] = [];
  for await (const page of client.list(type, { timeoutMs }, { signal })) {
    // Where a shard serves nothing yet, kcp after 0.32 answers an empty list of no version.
    if (page.resourceVersion === '') throw new Error(`${type.resource} are not served there yet`);
    for (const object of page.objects()) {
      const cluster = clusterOf(object);
      if (!cluster.ok) throw new Error(`an object of ${type.resource} has no logical cluster: ${cluster.problem}`);
      observed.push({ cluster: cluster.value, object });
    }
  }
  return observed;
}
