import type { Installation } from '../configuration/installation.js';

/** How far a guarded workspace came, and when to look again without being told to. */
export interface Reconciled {
  /** Undefined: nothing of ours is wanted there. */
  readonly installation: Installation | undefined;
  readonly again: 'when-told' | 'in-a-moment' | 'in-seconds' | 'soon' | 'later';
}

/** Nothing is to be done before something changes. */
export const NOTHING_WANTED: Reconciled = { installation: undefined, again: 'when-told' };
