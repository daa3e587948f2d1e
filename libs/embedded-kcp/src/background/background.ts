import { delayOf, type DelayName, type Delays } from './delays.js';

/** Called when background work fails: that is a bug of this server and must be seen. */
export type ReportFailure = (what: string, error: unknown) => void;

/** The timers of all work that the server does after it has answered. `stop` cancels them. */
export class Background {
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #report: ReportFailure;
  readonly #delays: Delays;
  #stopped = false;

  constructor(delays: Delays, report: ReportFailure) {
    this.#delays = delays;
    this.#report = report;
  }

  /** The delays that apply. */
  pause(name: DelayName): number {
    return delayOf(name, this.#delays);
  }

  /** Does something after a named pause. */
  after(name: DelayName, what: string, work: () => void | Promise<void>): void {
    this.afterMs(this.pause(name), what, work);
  }

  /**
   * Does something after some milliseconds, and then only when requests had their turn: Node runs timers that are due before it looks at a socket, and
   * work that always comes again would be due always.
   */
  afterMs(ms: number, what: string, work: () => void | Promise<void>): void {
    if (this.#stopped) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      setImmediate(() => this.run(what, work));
    }, ms);
    this.#timers.add(timer);
  }

  /** Does something now; what breaks is reported. */
  run(what: string, work: () => void | Promise<void>): void {
    if (this.#stopped) return;
    try {
      const done = work();
      if (done instanceof Promise) done.catch((error: unknown) => this.#failed(what, error));
    } catch (error) {
      this.#failed(what, error);
    }
  }

  /** Cancels what is pending and takes no more. */
  stop(): void {
    this.#stopped = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  #failed(what: string, error: unknown): void {
    if (!this.#stopped) this.#report(what, error);
  }
}
