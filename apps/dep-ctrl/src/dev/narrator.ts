import type { Clock } from '@dep-ctrl/kcp-client';

// People do not wait longer at a silent terminal.
const SILENCE_MS = 5_000;

/** Prints each step as it happens, with the seconds since the start. */
export class Narrator {
  readonly #write: (text: string) => void;
  readonly #clock: Clock;
  readonly #start: number;
  #lastLineAt: number;

  constructor({ write, clock }: { readonly write: (text: string) => void; readonly clock: Clock }) {
    this.#write = write;
    this.#clock = clock;
    this.#start = clock.monotonic();
    this.#lastLineAt = this.#start;
  }

  /** Does something that may take long, and after each silence says what is still being done. */
  async during<T>(doing: string | (() => string), work: () => Promise<T>): Promise<T> {
    const done = new AbortController();
    const telling = this.#tellStill(typeof doing === 'string' ? () => doing : doing, done.signal);
    try {
      return await work();
    } finally {
      done.abort();
      await telling;
    }
  }

  /** A fact that is true from now on. */
  tell(fact: string): void {
    this.#print(`${this.#elapsed()}  ${fact}`);
  }

  /** A command as a user would type it. */
  types(context: string, command: string): void {
    this.#print(`${this.#elapsed()}  ${context}$ ${command}`);
  }

  /** What the command answers, word for word. */
  answers(text: string): void {
    this.#print(text.replaceAll(/^/gm, `${' '.repeat(this.#elapsed().length)}  `));
  }

  /** Text of its own. */
  says(text: string): void {
    this.#print(text);
  }

  async #tellStill(doing: () => string, done: AbortSignal): Promise<void> {
    const isDone = () => done.aborted;
    while (!isDone()) {
      const silentFor = this.#clock.monotonic() - this.#lastLineAt;
      await this.#clock.sleep(Math.max(SILENCE_MS - silentFor, 0), { signal: done }).catch(() => undefined); // done
      if (!isDone() && this.#clock.monotonic() - this.#lastLineAt >= SILENCE_MS) this.tell(`still ${doing()}`);
    }
  }

  #print(text: string): void {
    this.#lastLineAt = this.#clock.monotonic();
    this.#write(`${text}\n`);
  }

  #elapsed(): string {
    return `${((this.#clock.monotonic() - this.#start) / 1000).toFixed(2)}s`.padStart(7);
  }
}
