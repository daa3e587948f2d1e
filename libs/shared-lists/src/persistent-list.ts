// A list that survives passing failures: it waits when kcp asks it to, and tries again after a failure. Each time it starts anew and marks that. Only the
// reader's own deadline ends it.
import { isKcpError, type Clock, type KcpError, type Page, type Stoppable } from '@dep-ctrl/kcp-client';

/** Opens the list. */
export type OpenPages<P extends Page> = (options: Stoppable) => AsyncIterable<P>;

/** What bounds the patience of a list. */
export interface Persistence extends Stoppable {
  readonly clock: Clock;
}

// One hiccup is usual when a shard or a proxy restarts; more are for the caller to know.
const MAX_HICCUPS = 2;
const PAUSE_MS = 100;

/** The pages of the list; `restarted` means that what earlier pages said is void. */
export async function* persistentList<P extends Page>(open: OpenPages<P>, { clock, signal }: Persistence): AsyncGenerator<P> {
  let hiccups = 0;
  let isAnew = false;
  for (;;) {
    try {
      for await (const page of open({ signal })) {
        yield isAnew ? { ...page, restarted: true } : page;
        isAnew = false;
      }
      return;
    } catch (failure) {
      if (!isKcpError(failure) || signal.aborted) throw failure;
      if (failure.code === 'throttled') await clock.sleep(pauseOf(failure), { signal });
      else if (isHiccup(failure) && hiccups < MAX_HICCUPS) {
        hiccups += 1;
        await clock.sleep(pauseOf(failure), { signal });
      } else throw failure;
      isAnew = true;
    }
  }
}

/** One read that goes on over the same. */
export async function persistentRead<T>(read: () => Promise<T>, { clock, signal }: Persistence): Promise<T> {
  for (let hiccups = 0; ;) {
    try {
      return await read();
    } catch (failure) {
      if (!isKcpError(failure) || signal.aborted) throw failure;
      if (failure.code !== 'throttled' && (!isHiccup(failure) || hiccups >= MAX_HICCUPS)) throw failure;
      if (failure.code !== 'throttled') hiccups += 1;
      await clock.sleep(pauseOf(failure), { signal });
    }
  }
}

/** What passes within moments. A timeout has used the time up, and a type that is not served may never be. */
function isHiccup({ retryable, code }: KcpError): boolean {
  return retryable && code !== 'timeout' && code !== 'not-served';
}

function pauseOf({ retryAfterMs }: KcpError): number {
  return Math.max(retryAfterMs ?? 0, PAUSE_MS);
}
