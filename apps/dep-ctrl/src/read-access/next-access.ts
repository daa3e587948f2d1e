// What a ClusterRole should grant after a command, given what it grants now. Pure: what both commands promise about removing is decided here.
import type { GroupResource } from '@dep-ctrl/kcp-names';
import { mergeTypes, typesWithout, type ReadAccess } from './read-rules.js';

/** What `bootstrap` found out. */
export interface Derived {
  readonly wanted: 'listed' | 'wildcard';
  /** What bound providers export. */
  readonly types: readonly GroupResource[];
  /** Whether every bound provider could be read. What could not be read must not shrink anything. */
  readonly isWhole: boolean;
  /** What the ClusterRole granted before the providers were read; absent where there was none. `bind` may have added to it since. */
  readonly first: ReadAccess | undefined;
}

/** After `bootstrap`: removes only what was granted before the providers were read and none of them exports. */
export function accessAfterBootstrap(now: ReadAccess | undefined, { wanted, types, isWhole, first }: Derived): ReadAccess {
  if (wanted === 'wildcard') return { kind: 'wildcard' };
  if (now?.kind === 'wildcard' && !isWhole) return now;
  const granted = now?.kind === 'listed' ? now.types : [];
  const gone = isWhole && first?.kind === 'listed' ? typesWithout(first.types, types) : [];
  return { kind: 'listed', types: mergeTypes(typesWithout(granted, gone), types) };
}

/** After `bind`: adds. Undefined where there is nothing to write: everything may be read already, or bootstrap never made the ClusterRole. */
export function accessAfterBind(now: ReadAccess | undefined, types: readonly GroupResource[]): ReadAccess | undefined {
  return now?.kind === 'listed' ? { kind: 'listed', types: mergeTypes(now.types, types) } : undefined;
}
