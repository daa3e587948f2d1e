/*
 * What to do next for the objects that are left in a namespace. Pure. Whose order it is that counts is never asked: what is refused is tried again once
 * something else has gone. So it needs no rule of a provider, which consumers may not read.
 */
import type { GroupVersionResource } from '@dep-ctrl/kcp-names';

/** An object that is still there. */
export interface LeftObject {
  readonly type: GroupVersionResource;
  readonly name: string;
  readonly uid: string;
  /** Its delete was accepted. */
  readonly isTerminating: boolean;
  readonly finalizers: readonly string[];
}

/** What came of the deletes so far. */
export interface Attempts {
  /** Why a delete was refused, by the uid of its object. */
  readonly refused: ReadonlyMap<string, string>;
  /** How many objects were left when those were refused. */
  readonly leftThen: number;
}

/** Nothing was tried yet. */
export const NO_ATTEMPTS: Attempts = { refused: new Map(), leftThen: 0 };

/** What to do next. */
export type NextStep =
  | { readonly kind: 'delete'; readonly objects: readonly LeftObject[] }
  /** Finalizers hold what was deleted. */
  | { readonly kind: 'wait' }
  /** All that is left was refused, and nothing is on its way out that could change that. */
  | { readonly kind: 'stuck'; readonly refused: readonly LeftObject[] }
  | { readonly kind: 'done' };

/** Decides it, from what is left and what was tried. */
export function nextStep(left: readonly LeftObject[], { refused, leftThen }: Attempts): NextStep {
  if (left.length === 0) return { kind: 'done' };
  const staying = left.filter(({ isTerminating }) => !isTerminating);
  const objects = left.length < leftThen ? staying : staying.filter(({ uid }) => !refused.has(uid));
  if (objects.length > 0) return { kind: 'delete', objects };
  return staying.length === left.length ? { kind: 'stuck', refused: staying } : { kind: 'wait' };
}
