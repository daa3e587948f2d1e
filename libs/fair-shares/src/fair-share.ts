/** How much there is. */
export interface ShareBounds {
  readonly inAll: number;
  /** How much of it one sharer may hold. Default: all. */
  readonly mostEach?: number;
}

/**
 * Something of which sharers (workspaces, providers) hold a part. A sharer that gets none is refused at once. No sharer may hold more than is left: a
 * single sharer at most a half, each of many as much as is left for the next one.
 */
export class FairShare {
  readonly #inAll: number;
  readonly #mostEach: number;
  readonly #held = new Map<string, number>();
  #heldInAll = 0;

  constructor({ inAll, mostEach = inAll }: ShareBounds) {
    this.#inAll = inAll;
    this.#mostEach = mostEach;
  }

  /** Takes so much more, or answers that it is not to be had. */
  take(sharer: string, amount: number): boolean {
    const held = (this.#held.get(sharer) ?? 0) + amount;
    const left = this.#inAll - this.#heldInAll - amount;
    if (held > Math.min(this.#mostEach, left)) return false;
    this.#held.set(sharer, held);
    this.#heldInAll += amount;
    return true;
  }

  /** How much it holds. */
  heldBy(sharer: string): number {
    return this.#held.get(sharer) ?? 0;
  }

  /** Gives so much back. */
  give(sharer: string, amount: number): void {
    const held = (this.#held.get(sharer) ?? 0) - amount;
    if (held > 0) this.#held.set(sharer, held);
    else this.#held.delete(sharer);
    this.#heldInAll -= amount;
  }
}
