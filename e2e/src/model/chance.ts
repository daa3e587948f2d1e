/** Random choices that a seed repeats exactly. */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** In [0, 1). The generator is mulberry32: small, fast, good enough to find defects. */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number below the bound. */
  below(bound: number): number {
    return Math.floor(this.fraction() * bound);
  }

  /** True in so many of a hundred cases. */
  percent(share: number): boolean {
    return this.fraction() * 100 < share;
  }

  /** One of them. */
  pick<T>(choices: readonly T[]): T {
    const picked = choices[this.below(choices.length)];
    if (picked === undefined) throw new Error('there is nothing to choose from');
    return picked;
  }
}
