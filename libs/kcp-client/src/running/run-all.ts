import { isKcpError } from '../errors/kcp-error.js';

/** Something that works until it is told to stop. */
export interface Runnable {
  /** Resolves after the signal asked it to stop, or rejects with the signal's reason; rejects with anything else when it broke. */
  run(signal: AbortSignal): Promise<void>;
}

/**
 * Runs all parts until the signal aborts. When one breaks, or ends before it was asked to, the others are stopped too. Waits for all
 * of them, then rejects with an AggregateError of everything that broke.
 */
export async function runAll(runnables: readonly Runnable[], signal: AbortSignal): Promise<void> {
  const group = new AbortController();
  const stop = (): void => group.abort(signal.reason);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  const failures: unknown[] = [];
  try {
    await Promise.all(
      runnables.map(async (runnable) => {
        try {
          await runnable.run(group.signal);
          if (!group.signal.aborted) group.abort(new Error('a part ended before it was asked to'));
        } catch (failure) {
          if (group.signal.aborted && (failure === group.signal.reason || isKcpError(failure, 'aborted'))) return;
          failures.push(failure);
          group.abort(failure);
        }
      }),
    );
  } finally {
    signal.removeEventListener('abort', stop);
  }
  if (failures.length === 0) return;
  const [first] = failures;
  const reason = typeof first === 'object' && first !== null && 'message' in first ? String(first.message) : String(first);
  throw new AggregateError(failures, `${failures.length} of ${runnables.length} parts broke: ${reason}`);
}
