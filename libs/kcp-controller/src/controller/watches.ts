import type { OwnerReference } from '@dep-ctrl/kcp-names';
import type { VirtualWorkspaceUrl } from '@dep-ctrl/kcp-client';
import type { ExportStore } from '../store/export-store.js';
import type { ObjectName, Stored, StoreChange } from '../store/stored.js';

/** The store whose objects are reconciled, as far as a watch looks at it. */
export type PrimaryStore = Pick<ExportStore<unknown>, 'get'>;

/** Another type whose changes are news for the objects of a controller. */
export interface Watch {
  readonly store: Pick<ExportStore<unknown>, 'whenSynced' | 'awaits'>;
  /** Tells the names that a change concerns, and the endpoints that have listed. What the mapping throws is told to `failed`. */
  follow(primary: PrimaryStore, to: WatchListener): () => void;
}

/** What a watch tells. */
export interface WatchListener {
  concerns(name: ObjectName): void;
  listed(endpoint: VirtualWorkspaceUrl): void;
  failed(error: unknown): void;
}

/** Objects of another type, and the names of the objects that each concerns. Both its last version and the new one are mapped. */
export function mapped<W, J extends string>(store: ExportStore<W, J>, map: (stored: Stored<W>) => readonly ObjectName[]): Watch {
  return watch(store, (stored) => map(stored));
}

/** Objects of another type that have owner references to the objects of the controller: in the same workspace, and the same namespace if those have one. */
export function owned<W, J extends string>(store: ExportStore<W, J>): Watch {
  return watch(store, ({ cluster, metadata: { namespace, ownerReferences } }, primary) =>
    (ownerReferences ?? []).flatMap((reference) => owners(primary, reference, { cluster, namespace })),
  );
}

/** An owner is in the namespace of what it owns, or in none. Nobody else has its uid. */
function owners(
  primary: PrimaryStore,
  { name, uid }: OwnerReference,
  { cluster, namespace }: Omit<ObjectName, 'name'>,
): readonly ObjectName[] {
  const names: readonly ObjectName[] = [
    { cluster, name },
    { cluster, namespace, name },
  ];
  return names.filter((each) => primary.get(each)?.metadata.uid === uid).slice(0, 1);
}

function watch<W, J extends string>(
  store: ExportStore<W, J>,
  map: (stored: Stored<W>, primary: PrimaryStore) => readonly ObjectName[],
): Watch {
  return {
    store,
    follow(primary, to) {
      const concerned = (stored: Stored<W>): void => {
        try {
          for (const name of map(stored, primary)) to.concerns(name);
        } catch (error) {
          to.failed(error);
        }
      };
      return store.subscribe({
        changed: (changes) => {
          for (const change of changes) for (const stored of versions(change)) concerned(stored);
        },
        listed: (endpoint) => to.listed(endpoint),
      });
    },
  };
}

function versions<W>(change: StoreChange<W>): readonly Stored<W>[] {
  const before = change.before === undefined ? [] : [change.before];
  return change.kind === 'stored' ? [...before, change.now] : before;
}
