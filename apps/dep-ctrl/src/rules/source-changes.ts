import { ruleKeyOf, type Touched } from '@dep-ctrl/rule-registry';
import type { StoreChange, StoreListener } from '@dep-ctrl/kcp-controller';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import type { Seen, WatchedObjects } from './watched-objects.js';

/** Tells subscribers which workspaces and rules to look at again. */
export class SourceChanges {
  readonly #listeners = new Set<(touched: Touched) => void>();

  /** Calls back after every change, until the returned function is called. */
  subscribe(listener: (touched: Touched) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  tell(touched: Touched): void {
    for (const listener of this.#listeners) listener(touched);
  }

  /** Tells of every object that is shown in another version: what kcp has is then not what was written. */
  follow({ rules, guards, bindings, configurations }: WatchedObjects): readonly (() => void)[] {
    const inWorkspaces = telling((changed) => this.tell({ guarded: new Set(changed.map(({ cluster }) => cluster)), rules: new Set() }));
    return [
      rules.subscribe(telling((changed) => this.tell({ guarded: new Set(), rules: new Set(changed.map(keyOf)) }))),
      ...[guards, bindings, configurations].map((store) => store.subscribe(inWorkspaces)),
    ];
  }
}

function telling(tell: (changed: readonly Seen[]) => void): StoreListener<KubeObject> {
  const shown = (change: StoreChange<KubeObject>) => (change.kind === 'stored' ? change.now : change.before);
  return { changed: (changes) => tell(changes.flatMap((change) => shown(change) ?? [])) };
}

function keyOf({ cluster, metadata: { name = '' } }: Seen) {
  return ruleKeyOf(cluster, name);
}
