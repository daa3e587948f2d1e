import { setTimeout as sleep } from 'node:timers/promises';

/** What came of the requests of a load. */
export interface LoadResult<T> {
  readonly answers: readonly T[];
  /** Requests that got no answer at all. */
  readonly failures: readonly string[];
  /** For how long acts were begun. */
  readonly seconds: number;
}

/**
 * Begins an act so many times a second until `during` is over; then waits for those that have begun. It never has more of them under way than it begins in a
 * second: on a machine that cannot do as many, more would only wait for each other until kcp gives up, whatever the product does.
 */
export async function steadyLoad<T>(
  { perSecond, act }: { readonly perSecond: number; readonly act: (number: number) => Promise<T> },
  during: () => Promise<void>,
): Promise<LoadResult<T>> {
  const answers: T[] = [];
  const failures: string[] = [];
  const begun: Promise<void>[] = [];
  let underWay = 0;
  const begin = (number: number): Promise<void> =>
    act(number)
      .then(
        (answer) => void answers.push(answer),
        (error: unknown) => void failures.push(error instanceof Error ? error.message : String(error)),
      )
      .finally(() => {
        underWay -= 1;
      });
  const over = new AbortController();
  const begunMs = performance.now();
  let seconds = 0;
  const load = (async () => {
    const startMs = Date.now();
    for (let number = 0; !over.signal.aborted; number += 1) {
      if (underWay < perSecond) {
        underWay += 1;
        begun.push(begin(number));
      }
      await sleep(Math.max(0, startMs + ((number + 1) * 1_000) / perSecond - Date.now()));
    }
  })();
  try {
    await during();
  } finally {
    over.abort();
    seconds = (performance.now() - begunMs) / 1_000;
    await load;
    await Promise.all(begun);
  }
  return { answers, failures, seconds };
}
