import type { ShardStore } from '../../storage/shard-store.js';

/** Whether a store comes to a revision of the future in time: true as soon as it does. */
export async function reaches(
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
