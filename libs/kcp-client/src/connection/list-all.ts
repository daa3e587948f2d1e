import type { GroupVersionResource, KubeObject } from '@dep-ctrl/kcp-names';
import type { ListQuery } from '../requests/list-pages.js';
import type { WatchableClient } from './wildcard-client.js';

/** A list in one piece. */
export interface WholeList {
  readonly resourceVersion: string;
  readonly objects: readonly KubeObject[];
}

/** Collects all pages of a list; those before a restart are forgotten. Throws KcpError. */
export async function listAll(
  client: Pick<WatchableClient, 'list'>,
  type: GroupVersionResource,
  query: ListQuery,
  { signal }: { readonly signal: AbortSignal },
): Promise<WholeList> {
  let objects: KubeObject[] = [];
  let resourceVersion = '';
  for await (const page of client.list(type, query, { signal })) {
    if (page.restarted) objects = [];
    for (const object of page.objects()) objects.push(object);
    ({ resourceVersion } = page);
  }
  return { resourceVersion, objects };
}
