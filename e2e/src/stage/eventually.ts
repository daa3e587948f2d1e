import { setTimeout as sleep } from 'node:timers/promises';

/**
 * How long the cases of this run wait. kcp is eventually consistent nearly everywhere, and its own tests allow 30 s on machines of
 * their own; ours may be busy with other things. Only what fails takes so long.
 */
export const patience = {
  ms: 60_000,
  /** However long a case wants to wait. */
  mostMs: Infinity,
};

/** Repeats a check until it stops throwing, at first quickly, then every 200 ms; gives up with what it threw last. */
export async function eventually<T>(what: string, check: () => Promise<T>, wantedMs = patience.ms): Promise<T> {
  const withinMs = Math.min(wantedMs, patience.mostMs);
  const deadline = Date.now() + withinMs;
  for (let pause = 5; ; pause = Math.min(pause * 2, 200)) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() + pause > deadline) throw new Error(`not within ${withinMs} ms: ${what}: ${messageOf(error)}`, { cause: error });
    }
    await sleep(pause);
  }
}

/** Repeats a check that must hold the whole time. */
export async function always(what: string, check: () => Promise<void>, forMs: number): Promise<void> {
  const deadline = Date.now() + forMs;
  while (Date.now() < deadline) {
    try {
      await check();
    } catch (error) {
      throw new Error(`${what}: ${messageOf(error)}`, { cause: error });
    }
    await sleep(25);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
