// The endpoint slices of the export, read beside the watch of them.
import { parseVirtualWorkspaceUrl, type ClusterClient, type VirtualWorkspaceUrl } from '@dep-ctrl/kcp-client';
import { elements, record } from '@dep-ctrl/kcp-names';
import { API_EXPORT_ENDPOINT_SLICES } from '@dep-ctrl/kcp-objects';

/** The endpoints that the slices of an export name. */
export interface SliceContent {
  readonly endpoints: ReadonlySet<VirtualWorkspaceUrl>;
  /** When the oldest slice was made, on kcp's clock. A new slice names no shard at first, and then each shard as it reports. */
  readonly madeMs: number;
}

/** What the slices of an export say. Rejects when there is none: that says nothing about what there was. */
export async function readSlices(
  { workspace, exportName }: { readonly workspace: Pick<ClusterClient, 'list'>; readonly exportName: string },
  { signal, timeoutMs }: { readonly signal: AbortSignal; readonly timeoutMs: number },
): Promise<SliceContent> {
  const endpoints = new Set<VirtualWorkspaceUrl>();
  let madeMs = Infinity;
  for await (const page of workspace.list(API_EXPORT_ENDPOINT_SLICES, { timeoutMs }, { signal })) {
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
