/**
 * Lets thousands wait for one signal with one listener on it: listeners of an EventTarget are searched one by one whenever one is
 * added, so that ten thousand of them would take seconds.
 */
export class AbortGroups {
  readonly #groups = new Map<AbortSignal, Set<() => void>>();

  /** Calls back when the signal aborts, until the returned function is called. */
  join(signal: AbortSignal, onAbort: () => void): () => void {
    const group = this.#groups.get(signal) ?? this.#start(signal);
    group.add(onAbort);
    return () => {
      group.delete(onAbort);
      if (group.size === 0) this.#end(signal);
    };
  }

  #start(signal: AbortSignal): Set<() => void> {
    const group = new Set<() => void>();
    this.#groups.set(signal, group);
    signal.addEventListener('abort', this.#onAbort, { once: true });
    return group;
  }

  #end(signal: AbortSignal): void {
    this.#groups.delete(signal);
    signal.removeEventListener('abort', this.#onAbort);
  }

  readonly #onAbort = (event: Event): void => {
    for (const onAbort of [...(this.#groups.get(event.target as AbortSignal) ?? [])]) onAbort();
  };
}
