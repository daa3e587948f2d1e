import type { ShardStore } from '../../storage/shard-store.js';

/** Waits until the store reaches a future revision; false: it did not in time. */
export async function awaitRevision(
  store: ShardStore,
  revision: number,
  { withinMs, signal }: { readonly withinMs: number; readonly signal: AbortSignal },
): Promise<boolean> {
  return new Promise((resolve) => {
    const done = (reached: boolean): void => {
      clearTimeout(timer);
      unsubscribe();
      signal.removeEventListener('abort', gone);
      resolve(reached);
    };
    const gone = (): void => done(false);
    const timer = setTimeout(gone, withinMs);
    const unsubscribe = store.subscribe(() => {
      if (store.revision >= revision) done(true);
    });
    signal.addEventListener('abort', gone, { once: true });
  });
}
