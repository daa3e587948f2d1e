/** How many slots there are. */
export interface SlotBounds {
  readonly count: number;
  /** How many of them a sharer may take at the moment; asked again whenever one is given back. Default: all. */
  readonly mostOf?: (sharer: string) => number;
}

/** How a request waits for a slot. */
export interface SlotRequest {
  readonly signal: AbortSignal;
  /** Among requests whose sharers have taken as many slots and were served as long ago, the lowest rank comes first. Default 0. */
  readonly rank?: number;
}

/** Above this number the sharer that was served longest ago is forgotten. */
const MOST_REMEMBERED = 1_000;

/** A request that waits. */
interface Waiting {
  readonly sharer: string;
  readonly rank: number;
  readonly proceed: (giveBack: () => void) => void;
}

/**
 * Slots that are shared out among sharers (workspaces, providers). No sharer may hold more slots than are free: two sharers that want all get a third
 * each, and a third is left for new ones. Of the waiting requests the next is one whose sharer has taken least.
 */
export class FairSlots {
  readonly #mostOf: (sharer: string) => number;
  readonly #taken = new Map<string, number>();
  readonly #queue: Waiting[] = [];
  /** By sharer that had to wait: when it was last given a slot, counted in slots. */
  readonly #served = new Map<string, number>();
  #given = 0;
  #free: number;

  constructor({ count, mostOf = () => count }: SlotBounds) {
    this.#free = count;
    this.#mostOf = mostOf;
  }

  /** Takes a slot and answers with how to give it back; undefined where one would have to wait. */
  takeAtOnce(sharer: string): (() => void) | undefined {
    return this.#isOpenTo(sharer) ? this.#occupy(sharer) : undefined;
  }

  /** Waits for a slot, and answers with how to give it back. Rejects with the signal's reason. */
  async take(sharer: string, { signal, rank = 0 }: SlotRequest): Promise<() => void> {
    signal.throwIfAborted();
    return this.takeAtOnce(sharer) ?? this.#wait({ sharer, rank }, signal);
  }

  #wait(asked: Omit<Waiting, 'proceed'>, signal: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const proceed = (giveBack: () => void): void => {
        signal.removeEventListener('abort', giveUp);
        resolve(giveBack);
      };
      const waiting = { ...asked, proceed };
      const giveUp = (): void => {
        this.#queue.splice(this.#queue.indexOf(waiting), 1);
        reject(signal.reason as Error);
      };
      this.#queue.push(waiting);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }

  #isOpenTo(sharer: string): boolean {
    return this.#takenBy(sharer) < Math.min(this.#mostOf(sharer), this.#free);
  }

  #occupy(sharer: string): () => void {
    this.#free -= 1;
    this.#taken.set(sharer, this.#takenBy(sharer) + 1);
    let isGiven = false;
    return () => {
      if (isGiven) return;
      isGiven = true;
      this.#give(sharer);
    };
  }

  #give(sharer: string): void {
    const left = this.#takenBy(sharer) - 1;
    if (left === 0) this.#taken.delete(sharer);
    else this.#taken.set(sharer, left);
    this.#free += 1;
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      this.#queue.splice(this.#queue.indexOf(next), 1);
      next.proceed(this.#occupy(next.sharer));
      this.#noteServed(next.sharer);
    }
  }

  #noteServed(sharer: string): void {
    this.#given += 1;
    this.#served.delete(sharer);
    this.#served.set(sharer, this.#given);
    for (const oldest of this.#served.keys()) {
      if (this.#served.size <= MOST_REMEMBERED) break;
      this.#served.delete(oldest);
    }
  }

  /**
   * Of the requests that may take a slot now, in this order: the sharer that has taken least, the sharer that was served longest ago, the lowest rank,
   * the request that came first.
   */
  #next(): Waiting | undefined {
    let next: Waiting | undefined;
    for (const waiting of this.#queue) {
      if (this.#isOpenTo(waiting.sharer) && (next === undefined || this.#isBefore(waiting, next))) next = waiting;
    }
    return next;
  }

  #isBefore(one: Waiting, other: Waiting): boolean {
    const taken = this.#takenBy(one.sharer) - this.#takenBy(other.sharer);
    const served = (this.#served.get(one.sharer) ?? 0) - (this.#served.get(other.sharer) ?? 0);
    return (taken || served || one.rank - other.rank) < 0;
  }

  #takenBy(sharer: string): number {
    return this.#taken.get(sharer) ?? 0;
  }
}
