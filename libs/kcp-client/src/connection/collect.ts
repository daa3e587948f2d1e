import type { GroupVersionResource, KubeObject } from '@dep-ctrl/kcp-names';
import { MOST_PAGE_BYTES, objectsOn, type ParsePage } from '../requests/list-page.js';
import type { WatchableClient } from './wildcard-client.js';

/** What is collected from a list. */
export interface Collecting<T> {
  /** What is kept of an object; undefined: nothing. */
  readonly take: (object: KubeObject) => T | undefined;
  /** The largest list to look through; a larger one is `too-large`. Default: any. */
  readonly maxBytes?: number;
  /** The largest page, and so the largest object. Default 4 MiB. */
  readonly maxPageBytes?: number;
  readonly labelSelector?: string | undefined;
  /** Parses large pages, such as in pieces between which other work goes on: what it leaves out is not there. Default: at one go. */
  readonly parseLarge?: ParsePage | undefined;
  readonly signal: AbortSignal;
}

const PAGES = { limit: 50, onTooLarge: 'shrink', onTimeout: 'shrink' } as const;

/**
 * Looks through a list in small pages, and keeps what `take` makes of its objects. For what others write: that may be as many objects, and as large ones, as kcp
 * takes from them. Throws KcpError.
 */
export async function collect<T>(
  client: Pick<WatchableClient, 'list'>,
  type: GroupVersionResource,
  { take, maxBytes = Number.MAX_SAFE_INTEGER, maxPageBytes = MOST_PAGE_BYTES, labelSelector, parseLarge, signal }: Collecting<T>,
): Promise<readonly T[]> {
  const taken: T[] = [];
  for await (const page of client.list(type, { ...PAGES, maxBytes, maxPageBytes, labelSelector }, { signal })) {
    for (const object of await objectsOn(page, parseLarge)) {
      const kept = take(object);
      if (kept !== undefined) taken.push(kept);
    }
  }
  return taken;
}
