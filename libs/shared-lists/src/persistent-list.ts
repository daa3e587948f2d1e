// A list that survives passing failures: it waits when kcp asks it to, tries again after a failure, and takes smaller pages if they are too large. Each time
// it starts anew and marks that. Only the reader's own deadline ends it.
import { isKcpError, type Clock, type KcpError, type Page, type Stoppable } from '@dep-ctrl/kcp-client';

/** Opens the list with so many objects per page. */
export type OpenPages<P extends Page> = (limit: number, options: Stoppable) => AsyncIterable<P>;

/** What bounds the patience of a list. */
export interface Persistence {
  readonly limit: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Told how many objects fit on a page where that are fewer. */
  readonly onShrunk?: (limit: number) => void;
}

// One hiccup is usual when a shard or a proxy restarts; more are for the caller to know.
const MAX_HICCUPS = 2;
const PAUSE_MS = 100;
const SHRINK = 8;
// At etcd's limit of 1.5 MiB per object two are 3 MiB: what a page may have, and some room for what kcp adds.
const FEWEST = 2;

/** The pages of the list; `restarted` means that what earlier pages said is void. */
export async function* persistentList<P extends Page>(
  open: OpenPages<P>,
  { limit, clock, signal, onShrunk }: Persistence,
): AsyncGenerator<P> {
  let pageLimit = limit;
  let hiccups = 0;
  let isAnew = false;
  for (;;) {
    try {
      for await (const page of open(pageLimit, { signal })) {
        yield isAnew ? { ...page, restarted: true } : page;
        isAnew = false;
      }
      return;
    } catch (failure) {
      if (!isKcpError(failure) || signal.aborted) throw failure;
      if (failure.code === 'too-large' && pageLimit > FEWEST) {
        pageLimit = Math.max(FEWEST, Math.floor(pageLimit / SHRINK));
        onShrunk?.(pageLimit);
      } else if (failure.code === 'throttled') await clock.sleep(pauseOf(failure), { signal });
      else if (isHiccup(failure) && hiccups < MAX_HICCUPS) {
        hiccups += 1;
        await clock.sleep(pauseOf(failure), { signal });
      } else throw failure;
      isAnew = true;
    }
  }
}

/** One read that goes on over the same. */
export async function persistentRead<T>(read: () => Promise<T>, { clock, signal }: Pick<Persistence, 'clock' | 'signal'>): Promise<T> {
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
