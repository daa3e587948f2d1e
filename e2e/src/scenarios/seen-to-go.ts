// What a watch sees of objects that go. kcp numbers everything that happens on a shard: the order is its own, not that in which the events came.
// Watches are to see the end before the workspace is let go: kcp may end them then.
import { equal } from 'node:assert/strict';
import type { WatchEvent } from '../https/watch.js';
import { eventually } from '../stage/eventually.js';
import { SKIP_ANNOTATION } from './skip-protection.js';
import type { World } from './world.js';

/** Objects of some lists, watched. */
export interface SeenToGo {
  /** The names of those that went, the first one first, once so many are gone. */
  names(count: number): Promise<readonly string[]>;
  /** Those that carried the skip annotation at any time, sorted. */
  annotated(): readonly string[];
  close(): void;
}

/** Watches lists from now on. */
export async function watchGoing({ kcp }: World, ...lists: readonly string[]): Promise<SeenToGo> {
  const watches = await Promise.all(lists.map((list) => kcp.admin.watch(`${list}?watch=true`)));
  const events = (): readonly WatchEvent[] => watches.flatMap((watch) => watch.events);
  return {
    names: (count) =>
      eventually(`${count} objects are seen to go`, () => {
        const seen = events();
        const gone = seen.filter(({ type }) => type === 'DELETED');
        equal(gone.length, count, `seen: ${seen.map(({ type, object }) => `${type} ${object.metadata.name ?? ''}`).join(', ')}`);
        const inOrder = gone.toSorted((a, b) => numberOf(a.object.metadata) - numberOf(b.object.metadata));
        return Promise.resolve(inOrder.map(({ object }) => object.metadata.name ?? ''));
      }),
    annotated: () => {
      const skipping = events().filter(({ object }) => SKIP_ANNOTATION in (object.metadata.annotations ?? {}));
      return [...new Set(skipping.map(({ object }) => object.metadata.name ?? ''))].toSorted();
    },
    close: () => watches.forEach((watch) => watch.close()),
  };
}

function numberOf({ resourceVersion }: { readonly resourceVersion?: string }): number {
  return Number(resourceVersion);
}
