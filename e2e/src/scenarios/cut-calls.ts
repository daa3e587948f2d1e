// Where a process is killed between any two of its calls: the first so many are served, the next one gets no answer until the process is dead.
import { ok } from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Break } from '../faults/fault-proxy.js';
import { eventually } from '../stage/eventually.js';
import type { World } from './world.js';

/** Plays a round for every number of calls that may be served, until in one of them no call was left to cut. Answers how many calls were cut. */
export async function untilNoCallIsCut(round: (served: number) => Promise<boolean>): Promise<number> {
  let served = 0;
  while (await round(served)) served += 1;
  return served;
}

/** Tells how many calls were cut, and fails where they are too few: then it was something else that was killed. */
export function cutEnough(world: World, test: string, { cuts, least }: { readonly cuts: number; readonly least: number }): void {
  world.tell(test, `${cuts} calls cut`);
  ok(cuts >= least, `only ${cuts} calls were cut, of at least ${least}`);
}

/** Waits until a call was cut, or until all is done and no call has come for so long. Answers whether one was cut. */
export async function isCut(cut: Break, done: () => Promise<unknown>, quietMs = 0): Promise<boolean> {
  const isMet = async (): Promise<boolean> => (await cut.hits()) > 0;
  const over = new AbortController();
  let undone: Error | undefined = new Error('nobody has looked yet');
  // Beside it: what is looked at may itself wait for the call that was cut.
  const looking = (async () => {
    while (!over.signal.aborted && undone !== undefined) {
      undone = await done().then(
        () => undefined,
        (problem: unknown) => (problem instanceof Error ? problem : new Error(String(problem))),
      );
      await sleep(20);
    }
  })();
  try {
    await eventually('a call is cut, or all is done', async () => {
      if (undone !== undefined && !(await isMet())) throw undone;
    });
    const deadline = Date.now() + quietMs;
    while (!(await isMet()) && Date.now() < deadline) await sleep(5);
    return await isMet();
  } finally {
    over.abort();
    looking.catch(() => undefined);
  }
}
