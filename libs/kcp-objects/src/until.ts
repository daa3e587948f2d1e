import type { Clock, Stoppable } from '@dep-ctrl/kcp-client';

// Much shorter than what kcp needs for any of the things we wait for, and cheap: one GET.
const PAUSE_MS = 40;

/** What a probe found: the value waited for, or why it is not there yet. */
export type Probed<T> = { readonly done: T } | { readonly waitingFor: string };

/** How long to wait, and until when at the latest. */
export interface Patience {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Asks again and again until `probe` is done; after `timeoutMs` throws and says what was still missing. */
export async function until<T>(
  what: string,
  probe: (options: Stoppable) => Promise<Probed<T>>,
  { clock, timeoutMs, signal }: Patience,
): Promise<T> {
  const start = clock.monotonic();
  for (;;) {
    const probed = await probe({ signal });
    if ('done' in probed) return probed.done;
    if (clock.monotonic() - start > timeoutMs) {
      throw new Error(`${what} did not happen within ${Math.round(timeoutMs / 1000)} s: ${probed.waitingFor}`);
    }
    await clock.sleep(PAUSE_MS, { signal });
  }
}
