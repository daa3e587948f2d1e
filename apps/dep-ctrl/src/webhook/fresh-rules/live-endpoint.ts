// Reads the endpoints of the export live, beside the watches.
import {
  MOST_PAGE_BYTES,
  type CallOptions,
  type Connection,
  type Observed,
  type VirtualWorkspaceUrl,
  type WildcardClient,
} from '@dep-ctrl/kcp-client';
import { clusterOf, type GroupVersionResource } from '@dep-ctrl/kcp-names';
import { API_BINDINGS } from '@dep-ctrl/kcp-objects';
import { GUARDS, RULES } from '@dep-ctrl/rule-registry';
import { keptOf, parseKept } from '../../rules/kept-objects.js';

/** The types that decide which rules guard which types. */
export const DECIDING_TYPES = [RULES, GUARDS, API_BINDINGS] as const;

/** All objects of these types at an endpoint. */
export type EndpointContent = ReadonlyMap<GroupVersionResource, readonly Observed[]>;

// As the watches list: any number of objects, a few megabytes at a time.
const PAGES = { maxPageBytes: MOST_PAGE_BYTES, maxBytes: Number.MAX_SAFE_INTEGER, onTooLarge: 'shrink', onTimeout: 'shrink' } as const;

/** Reads an endpoint. Rejects if any part cannot be read. */
export async function readEndpoint(
  connection: Pick<Connection, 'virtualWorkspace'>,
  endpoint: VirtualWorkspaceUrl,
  options: CallOptions,
): Promise<EndpointContent> {
  const client = connection.virtualWorkspace(endpoint).wildcard();
  return new Map(await Promise.all(DECIDING_TYPES.map(async (type) => [type, await readAll(client, type, options)] as const)));
}

async function readAll(
  client: WildcardClient,
  type: GroupVersionResource,
  { signal, timeoutMs }: CallOptions,
): Promise<readonly Observed[]> {
  const observed: Observed[] = [];
  for await (const page of client.list(type, { timeoutMs, ...PAGES }, { signal })) {
    // Where a shard serves nothing yet, kcp after 0.32 answers an empty list of no version.
    if (page.resourceVersion === '') throw new Error(`${type.resource} are not served there yet`);
    for (const shown of await page.objectsBy((bytes) => parseKept(type, bytes, 'list'))) {
      const object = keptOf(type, shown);
      if (object === undefined) continue;
      const cluster = clusterOf(object);
      if (!cluster.ok) throw new Error(`an object of ${type.resource} has no logical cluster: ${cluster.problem}`);
      observed.push({ cluster: cluster.value, object });
    }
  }
  return observed;
}
