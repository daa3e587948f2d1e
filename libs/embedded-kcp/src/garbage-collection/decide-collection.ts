// Decides what happens to an object whose owners are deleted, from the states of its owners. Pure.
import type { KubeObject, OwnerReference } from '@dep-ctrl/kcp-names';

/** The state of an owner. */
export type OwnerState =
  /** It is there. */
  | 'solid'
  /** It is not there, or another object has its name. */
  | 'absent'
  /** It is being deleted and waits for its dependents. */
  | 'waiting'
  /** Not known: its kind is not served here. */
  | 'unknown';

/** What to do with a dependent. */
export type Collection =
  | { readonly kind: 'keep' }
  /** Other owners remain: only the references to those that go are dropped. */
  | { readonly kind: 'disown'; readonly owners: readonly string[] }
  | { readonly kind: 'delete'; readonly policy: 'Background' | 'Foreground' | 'Orphan' };

/** The finalizer of an owner that waits for its dependents. */
export const FOREGROUND = 'foregroundDeletion';
/** The finalizer of an owner whose dependents lose their reference to it and stay. */
export const ORPHAN = 'orphan';

/** Decides about a dependent by the states of its owners. `hasDependents`: it is itself an owner. */
export function decideCollection(
  dependent: KubeObject,
  stateOf: (owner: OwnerReference) => OwnerState,
  hasDependents: boolean,
): Collection {
  const owners = dependent.metadata.ownerReferences ?? [];
  const states = owners.map((owner) => ({ uid: owner.uid, state: stateOf(owner) }));
  const going = states.filter(({ state }) => state === 'absent' || state === 'waiting');
  if (going.length === 0) return { kind: 'keep' };
  if (going.length < states.length) return { kind: 'disown', owners: going.map(({ uid }) => uid) };
  if (hasDependents && going.some(({ state }) => state === 'waiting')) return { kind: 'delete', policy: 'Foreground' };
  const finalizers = dependent.metadata.finalizers ?? [];
  const policy = finalizers.includes(ORPHAN) ? 'Orphan' : finalizers.includes(FOREGROUND) ? 'Foreground' : 'Background';
  return { kind: 'delete', policy };
}

/** An object without the references to some owners. */
export function disowned(object: KubeObject, owners: readonly string[]): KubeObject {
  const left = (object.metadata.ownerReferences ?? []).filter(({ uid }) => !owners.includes(uid));
  const { ownerReferences: _all, ...metadata } = object.metadata;
  return { ...object, metadata: left.length === 0 ? metadata : { ...metadata, ownerReferences: left } };
}

/** An object without one finalizer. */
export function withoutFinalizer(object: KubeObject, finalizer: string): KubeObject {
  const left = (object.metadata.finalizers ?? []).filter((one) => one !== finalizer);
  const { finalizers: _all, ...metadata } = object.metadata;
  return { ...object, metadata: left.length === 0 ? metadata : { ...metadata, finalizers: left } };
}
