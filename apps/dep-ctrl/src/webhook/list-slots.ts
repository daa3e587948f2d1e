/** How many lists are read at a time, so that memory does not grow with the number of reviews. First come, first served. */
export class ListSlots {
  #free: number;
  readonly #queue: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** Waits for a slot and answers with how to give it back. Rejects with the signal's reason. */
  async take({ signal }: { readonly signal: AbortSignal }): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#free > 0) this.#free -= 1;
    else await this.#wait(signal);
    let isGiven = false;
    return () => {
      if (isGiven) return;
      isGiven = true;
      this.#give();
    };
  }

  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const proceed = (): void => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = (): void => {
        this.#queue.splice(this.#queue.indexOf(proceed), 1);
        reject(signal.reason as Error);
      };
      this.#queue.push(proceed);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }

  #give(): void {
    const next = this.#queue.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}
