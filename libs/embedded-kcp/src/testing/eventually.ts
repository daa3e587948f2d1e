import { setTimeout as pause } from 'node:timers/promises';

/**
 * Repeats a check until it stops throwing, and answers with what it answered: kcp does much after it has answered. Gives up after `withinMs`
 * (default 10 s) with what the check threw last.
 */
export async function eventually<T>(
  what: string,
  check: () => T | Promise<T>,
  { withinMs = 10_000 }: { readonly withinMs?: number } = {},
): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (let pauseMs = 2; ; pauseMs = Math.min(pauseMs * 2, 50)) {
    try {
      return await check();
    } catch (cause) {
      const last = cause instanceof Error ? cause.message : String(cause);
      if (performance.now() + pauseMs > deadline) throw new Error(`not within ${withinMs} ms: ${what}: ${last}`, { cause });
    }
    await pause(pauseMs);
  }
}
