import type { LogicalClusterName } from '@dep-ctrl/kcp-names';

/** How many rules are read about at a time: few in all, and fewer of one author, so that nobody takes all turns. */
export interface TurnLimits {
  readonly most: number;
  readonly mostOfOne: number;
}

/** Turns at reading. Nobody waits for one: what is not read is not said. */
export class ReadingTurns {
  readonly #limits: TurnLimits;
  readonly #taken = new Map<LogicalClusterName, number>();
  #all = 0;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  /** Takes a turn for the author in this workspace. The answer gives it back; undefined: there is none now. */
  take(author: LogicalClusterName): (() => void) | undefined {
    const { most, mostOfOne } = this.#limits;
    const own = this.#taken.get(author) ?? 0;
    if (this.#all >= most || own >= mostOfOne) return undefined;
    this.#all += 1;
    this.#taken.set(author, own + 1);
    return () => this.#give(author);
  }

  #give(author: LogicalClusterName): void {
    this.#all -= 1;
    const left = (this.#taken.get(author) ?? 0) - 1;
    if (left > 0) this.#taken.set(author, left);
    else this.#taken.delete(author);
  }
}
