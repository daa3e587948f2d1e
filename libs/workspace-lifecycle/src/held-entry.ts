// What a LogicalCluster says about one entry of its lists, and what its list should be next. Pure.
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { elements, recordAt } from '@dep-ctrl/kcp-names';
import { LIFECYCLE_WORDS, type LifecycleKind } from './lifecycle-kind.js';

/** The list of one kind, as the status of a LogicalCluster has it. */
export function entriesOf(logicalCluster: KubeObject, kind: LifecycleKind): readonly string[] {
  return elements(recordAt(logicalCluster, 'status')[LIFECYCLE_WORDS[kind].list]).filter((one) => typeof one === 'string');
}

/** For what workspaces wait. */
export interface HeldFor {
  readonly kind: LifecycleKind;
  readonly entry: string;
  /** Whether the type says what may be done to the content. */
  readonly namesPermissions: boolean;
}

/**
 * Whether a workspace waits for this entry: it is listed, and the workspace is being deleted (or prepared, and not deleted meanwhile). kcp 0.30 and 0.31
 * leave the phase of dying workspaces Ready. Where the type names permissions, which is from 0.32 on, the content is 403 until the phase has changed, some
 * 100 ms after the delete: until then nobody is called.
 */
export function waitsFor(logicalCluster: KubeObject, { kind, entry, namesPermissions }: HeldFor): boolean {
  const isDying = logicalCluster.metadata.deletionTimestamp !== undefined;
  if (isDying !== (kind === 'terminating')) return false;
  if (isDying && namesPermissions && recordAt(logicalCluster, 'status')['phase'] === 'Ready') return false;
  return entriesOf(logicalCluster, kind).includes(entry);
}

/** How an entry goes off a list. */
export type Removal =
  /** It is not listed: nothing is to be written. */
  | { readonly kind: 'absent' }
  /** A JSON patch that removes this entry and fails if another one stands there by now. */
  | { readonly kind: 'remove'; readonly patch: readonly object[] };

/** What to write so that the list loses exactly this entry. */
export function planRemoval(entries: readonly string[], kind: LifecycleKind, entry: string): Removal {
  const index = entries.indexOf(entry);
  if (index === -1) return { kind: 'absent' };
  const path = `/status/${LIFECYCLE_WORDS[kind].list}/${index}`;
  return {
    kind: 'remove',
    patch: [
      { op: 'test', path, value: entry },
      { op: 'remove', path },
    ],
  };
}
