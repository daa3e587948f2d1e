/** One who waits. */
interface Waiting {
  readonly cluster: string;
  /** It goes on with what the next one of its workspace to give a slot back has begun. */
  readonly isHeir: boolean;
  readonly proceed: () => void;
}

/**
 * How many lists are read at a time, so that memory does not grow with the number of reviews. One workspace never takes all of them, and
 * of those who wait the one comes next whose workspace reads least: a workspace that is slow, or busy, does not keep the others waiting.
 */
export class ListSlots {
  readonly #mostEach: number;
  readonly #taken = new Map<string, number>();
  readonly #queue: Waiting[] = [];
  #free: number;

  constructor(count: number) {
    this.#free = count;
    this.#mostEach = Math.max(1, count - Math.ceil(count / 3));
  }

  /** Waits for a slot, an heir for the next one that its workspace gives back, and answers with how to give it back. Rejects with the signal's reason. */
  async take(
    cluster: string,
    { signal, isHeir = false }: { readonly signal: AbortSignal; readonly isHeir?: boolean },
  ): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#free > 0 && this.#takenBy(cluster) < this.#mostEach) this.#occupy(cluster);
    else await this.#wait(cluster, signal, isHeir);
    let isGiven = false;
    return () => {
      if (isGiven) return;
      isGiven = true;
      this.#give(cluster);
    };
  }

  #wait(cluster: string, signal: AbortSignal, isHeir: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const proceed = (): void => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      const waiting = { cluster, isHeir, proceed };
      const giveUp = (): void => {
        this.#queue.splice(this.#queue.indexOf(waiting), 1);
        reject(signal.reason as Error);
      };
      this.#queue.push(waiting);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }

  #give(cluster: string): void {
    const left = this.#takenBy(cluster) - 1;
    if (left > 0) this.#taken.set(cluster, left);
    else this.#taken.delete(cluster);
    this.#free += 1;
    const next = this.#queue.find((waiting) => waiting.isHeir && waiting.cluster === cluster) ?? this.#next();
    if (next === undefined) return;
    this.#queue.splice(this.#queue.indexOf(next), 1);
    this.#occupy(next.cluster);
    next.proceed();
  }

  /** Of those whose workspace may read one more: whose reads least, then who came first. */
  #next(): Waiting | undefined {
    let next: Waiting | undefined;
    let least = this.#mostEach;
    for (const waiting of this.#queue) {
      const taken = this.#takenBy(waiting.cluster);
      if (taken >= least) continue;
      next = waiting;
      least = taken;
    }
    return next;
  }

  #occupy(cluster: string): void {
    this.#free -= 1;
    this.#taken.set(cluster, this.#takenBy(cluster) + 1);
  }

  #takenBy(cluster: string): number {
    return this.#taken.get(cluster) ?? 0;
  }
}
