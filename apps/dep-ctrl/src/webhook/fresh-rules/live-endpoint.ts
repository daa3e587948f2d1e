// Reads the endpoints of the export live, beside the watches.
import { MOST_PAGE_BYTES, type Connection, type Observed, type VirtualWorkspaceUrl, type WildcardClient } from '@dep-ctrl/kcp-client';
import { clusterOf, type GroupVersionResource } from '@dep-ctrl/kcp-names';
import { keptOf, parseKept } from '../../rules/kept-objects.js';
import { WATCHED_TYPES } from '../../rules/watched-types.js';

/** The kinds that decide which rules guard which types. */
export const DECIDING_KINDS = ['rules', 'guards', 'bindings'] as const;

/** One of them. */
export type DecidingKind = (typeof DECIDING_KINDS)[number];

/** All objects of these kinds at an endpoint. */
export type EndpointContent = Readonly<Record<DecidingKind, readonly Observed[]>>;

/** What bounds a live read. */
export interface LiveRead {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

// As the watches list: any number of objects, a few megabytes at a time.
const PAGES = { maxPageBytes: MOST_PAGE_BYTES, maxBytes: Number.MAX_SAFE_INTEGER, onTooLarge: 'shrink' } as const;

/** Reads an endpoint. Rejects if any part cannot be read. */
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
