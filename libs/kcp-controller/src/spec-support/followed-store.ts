import type { ExportStore } from '../store/export-store.js';
import { isStored } from '../store/stored.js';
import { FedStores, type FedStoresOptions } from '../testing/index.js';
import { keepingLogger, parseWidget, WIDGETS, type Widget } from './widgets.js';

/** A store of widgets that is fed by hand, with what it told its subscriber. */
export function followedStore(options: FedStoresOptions = {}) {
  const logger = keepingLogger();
  const fed = new FedStores({ logger, ...options });
  const store = fed.store({ type: WIDGETS, parse: parseWidget, indexes: { color: ({ value }) => [value.color] } });
  const told: string[] = [];
  store.subscribe({
    changed: (changes) => {
      for (const change of changes) {
        if (change.kind === 'gone') told.push(`gone ${change.before.metadata.name!} ${change.because}`);
        else told.push(isStored(change.now) ? change.now.metadata.name! : `broken ${change.now.metadata.name!}`);
      }
    },
  });
  return { fed, store, told, logger };
}

/** The names in a store, sorted. */
export function names(store: ExportStore<Widget, 'color'>): readonly string[] {
  return store
    .list()
    .map(({ metadata }) => metadata.name!)
    .sort();
}
