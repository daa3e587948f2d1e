/** How many turns there are: few in all, and fewer for one author, so that no author takes all. */
export interface TurnLimits {
  readonly most: number;
  readonly mostOfOne: number;
}

/** Turns at reading. There is no queue: an object for which no turn is free is not read. */
export class ReadingTurns {
  readonly #limits: TurnLimits;
  readonly #taken = new Map<string, number>();
  #all = 0;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  /** Takes a turn for the author. The answer gives it back; undefined: there is none now. */
  take(author: string): (() => void) | undefined {
    const { most, mostOfOne } = this.#limits;
    const own = this.#taken.get(author) ?? 0;
    if (this.#all >= most || own >= mostOfOne) return undefined;
    this.#all += 1;
    this.#taken.set(author, own + 1);
    return () => this.#give(author);
  }

  #give(author: string): void {
    this.#all -= 1;
    const left = (this.#taken.get(author) ?? 0) - 1;
    if (left > 0) this.#taken.set(author, left);
    else this.#taken.delete(author);
  }
}
