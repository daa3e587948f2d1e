import type { Touched } from '@dep-ctrl/rule-registry';
import type { SourceChange } from './registry-feed.js';

/** Passes changes on to the subscribers. */
export class SourceChanges {
  readonly #listeners = new Set<(change: SourceChange) => void>();

  /** Calls back after every change, until the returned function is called. */
  subscribe(listener: (change: SourceChange) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  tell(change: SourceChange): void {
    for (const listener of this.#listeners) listener(change);
  }

  tellTouched({ guarded, rules }: Touched): void {
    this.tell({ workspaces: guarded, rules });
  }
}
