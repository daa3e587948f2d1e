// The types that the ClusterRole grants after `bootstrap` or `bind`, given those that it grants now. Pure: decides which types are removed.
import type { GroupResource } from '@dep-ctrl/kcp-names';
import { listedTypes, mergeTypes, typesWithout, type ReadAccess } from './read-rules.js';

/** The result of `bootstrap`'s reads. */
export interface Derived {
  readonly wanted: 'listed' | 'wildcard';
  /** What bound providers export. */
  readonly types: readonly GroupResource[];
  /** Whether every bound provider could be read. If not, no type is removed. */
  readonly isWhole: boolean;
  /** What the ClusterRole granted before the providers were read; absent if there was none. `bind` may have added types since. */
  readonly first: ReadAccess | undefined;
}

/** After `bootstrap`: removes only types that were granted before the providers were read and that none of them exports. */
export function accessAfterBootstrap(now: ReadAccess | undefined, { wanted, types, isWhole, first }: Derived): ReadAccess {
  if (wanted === 'wildcard') return { kind: 'wildcard' };
  if (now?.kind === 'wildcard' && !isWhole) return now;
  const granted = listedTypes(now);
  const staying = isWhole ? typesWithout(granted, typesWithout(listedTypes(first), types)) : granted;
  return { kind: 'listed', types: mergeTypes(staying, types) };
}

/** After `bind`: adds types. Undefined if there is nothing to write: everything may be read already, or bootstrap never made the ClusterRole. */
export function accessAfterBind(now: ReadAccess | undefined, types: readonly GroupResource[]): ReadAccess | undefined {
  return now?.kind === 'listed' ? { kind: 'listed', types: mergeTypes(now.types, types) } : undefined;
}
