import type { WatchSink } from '../http/reply.js';

/** What stands between a watch and its client. While anything freezes it, events pile up; once nothing does, they are sent in order. */
export class WatchGate implements WatchSink {
  readonly #sink: WatchSink;
  readonly #frozenBy = new Set<object>();
  readonly #held: ((to: WatchSink) => void)[] = [];

  constructor(sink: WatchSink) {
    this.#sink = sink;
  }

  readonly send = (parts: readonly Buffer[]): void => this.#pass((to) => to.send(parts));

  readonly end = (): void => this.#pass((to) => to.end());

  /** Keeps it silent until the same `by` thaws it. */
  freeze(by: object): void {
    this.#frozenBy.add(by);
  }

  thaw(by: object): void {
    this.#frozenBy.delete(by);
    if (this.#frozenBy.size > 0) return;
    for (const action of this.#held.splice(0)) action(this.#sink);
  }

  #pass(action: (to: WatchSink) => void): void {
    if (this.#frozenBy.size > 0) this.#held.push(action);
    else action(this.#sink);
  }
}
