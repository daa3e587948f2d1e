// Which serving pair is in use. A pair that does not fit never replaces one that does; a new one is held back while the CA bundles that
// are installed in kcp do not verify it yet, or every guarded delete would fail in between.
import { checkPair, isVerifiedBy, type CheckedPair, type ServingPair } from './serving-pair.js';
import type { Parsed } from '@dep-ctrl/kcp-names';

/** What is served, and what waits to be. */
export interface RenewalState {
  readonly served: CheckedPair | undefined;
  readonly pending: { readonly fingerprint: string; readonly sinceMs: number } | undefined;
  /** The problem that was last said, so that it is said once. */
  readonly problem: string | undefined;
}

/** What to do after a look at the source. */
export type RenewalEffect =
  | { readonly kind: 'serve'; readonly pair: CheckedPair }
  | { readonly kind: 'complain'; readonly problem: string }
  | { readonly kind: 'hold-back'; readonly pair: CheckedPair }
  | { readonly kind: 'nothing' };

/** What a look at the source saw. */
export interface RenewalInput {
  readonly read: Parsed<ServingPair>;
  /** The CA bundles of the installed configurations; empty when none is installed or nobody knows. */
  readonly installedBundles: readonly string[];
  readonly nowMs: number;
}

/** Nothing served yet. */
export const nothingServed: RenewalState = { served: undefined, pending: undefined, problem: undefined };

// Bundles follow the CA file within seconds; who runs without our controller must not wait for ever.
const MAX_HOLD_BACK_MS = 5 * 60_000;

/** Decides what to serve. */
export function stepRenewal(
  state: RenewalState,
  { read, installedBundles, nowMs }: RenewalInput,
): { state: RenewalState; effect: RenewalEffect } {
  const checked = read.ok ? checkPair(read.value) : read;
  if (!checked.ok) {
    const effect: RenewalEffect = checked.problem === state.problem ? { kind: 'nothing' } : { kind: 'complain', problem: checked.problem };
    return { state: { ...state, problem: checked.problem }, effect };
  }
  const pair = checked.value;
  const { served } = state;
  if (served?.certificate === pair.certificate && served.key === pair.key) {
    return { state: { served, pending: undefined, problem: undefined }, effect: { kind: 'nothing' } };
  }
  const isUseless = served === undefined || served.expiresAtMs <= nowMs;
  const pending = state.pending?.fingerprint === pair.fingerprint ? state.pending : { fingerprint: pair.fingerprint, sinceMs: nowMs };
  const hasWaited = nowMs - pending.sinceMs >= MAX_HOLD_BACK_MS;
  if (isUseless || hasWaited || installedBundles.every((bundle) => isVerifiedBy(pair, bundle))) {
    return { state: { served: pair, pending: undefined, problem: undefined }, effect: { kind: 'serve', pair } };
  }
  const effect: RenewalEffect = pending === state.pending ? { kind: 'nothing' } : { kind: 'hold-back', pair };
  return { state: { served, pending, problem: undefined }, effect };
}
