import type { Clock } from '@dep-ctrl/kcp-client';

/** Tells what happens, while it happens: one line per step, with the seconds since the start. */
export class Narrator {
  readonly #write: (text: string) => void;
  readonly #clock: Clock;
  readonly #start: number;

  constructor({ write, clock }: { readonly write: (text: string) => void; readonly clock: Clock }) {
    this.#write = write;
    this.#clock = clock;
    this.#start = clock.monotonic();
  }

  /** A fact that is true from now on. */
  tell(fact: string): void {
    this.#write(`${this.#elapsed()}  ${fact}\n`);
  }

  /** A command as a user would type it. */
  types(context: string, command: string): void {
    this.#write(`${this.#elapsed()}  ${context}$ ${command}\n`);
  }

  /** What the command answers, word for word. */
  answers(text: string): void {
    this.#write(text.replaceAll(/^/gm, `${' '.repeat(this.#elapsed().length)}  `) + '\n');
  }

  /** Text of its own. */
  says(text: string): void {
    this.#write(`${text}\n`);
  }

  #elapsed(): string {
    return `${((this.#clock.monotonic() - this.#start) / 1000).toFixed(2)}s`.padStart(7);
  }
}
