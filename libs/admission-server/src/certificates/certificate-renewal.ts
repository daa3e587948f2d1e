// Decides which serving pair is in use. An unusable pair, or one that kcp would not accept whatever its CA, never replaces a usable one. A new pair is held back until every installed CA bundle verifies it and
// kcp has had time to load the bundles: otherwise every guarded delete would fail in between.
import type { Parsed } from '@dep-ctrl/kcp-names';
import { checkPair, isVerifiedBy, type CheckedPair, type ServingPair } from './serving-pair.js';

/** The pair that is served, and the one that is held back. */
export interface RenewalState {
  readonly served: CheckedPair | undefined;
  readonly pending: PendingPair | undefined;
  /** The problem that was last said, so that it is said once. */
  readonly problem: string | undefined;
}

/** A pair that is not served yet. */
interface PendingPair {
  readonly fingerprint: string;
  readonly sinceMs: number;
  /** Since when the installed bundles have verified it without a break. */
  readonly verifiedSinceMs: number | undefined;
}

/** What to do after a look at the source. */
export type RenewalEffect =
  | { readonly kind: 'serve'; readonly pair: CheckedPair }
  | { readonly kind: 'complain'; readonly problem: string }
  | { readonly kind: 'hold-back'; readonly pair: CheckedPair }
  | { readonly kind: 'nothing' };

/** The result of a look at the source. */
export interface RenewalInput {
  readonly read: Parsed<ServingPair>;
  /** Why kcp would not accept what was read, whatever its CA. */
  readonly misfit?: string | undefined;
  /** The CA bundles of the installed configurations; empty when none is installed or they are not known. */
  readonly installedBundles: readonly string[];
  readonly nowMs: number;
}

/** Nothing served yet. */
export const nothingServed: RenewalState = { served: undefined, pending: undefined, problem: undefined };

// Bundles follow the CA file within seconds. A webhook that runs without our controller must not wait for ever.
const MAX_HOLD_BACK_MS = 5 * 60_000;
// kcp goes by a new configuration some time after we have seen it: 0.3 s on a busy machine, more where another shard has to hear of it.
const SETTLE_MS = 5_000;

/** Decides what to serve. */
export function stepRenewal(
  state: RenewalState,
  { read, misfit, installedBundles, nowMs }: RenewalInput,
): { state: RenewalState; effect: RenewalEffect } {
  const checked = read.ok ? checkPair(read.value) : read;
  if (!checked.ok) return complaint(state, checked.problem);
  const pair = checked.value;
  const { served } = state;
  // Of one certificate there is one key.
  if (served?.certificate === pair.certificate) {
    return { state: { served, pending: undefined, problem: undefined }, effect: { kind: 'nothing' } };
  }
  const isUseless = served === undefined || served.expiresAtMs <= nowMs;
  if (!isUseless && misfit !== undefined) return complaint({ ...state, pending: undefined }, misfit);
  const before = state.pending?.fingerprint === pair.fingerprint ? state.pending : undefined;
  const pending = waiting(before, pair, { installedBundles, nowMs });
  if (isUseless || isOver(pending, nowMs) || isOutOfTrust(served, pending, installedBundles)) {
    return { state: { served: pair, pending: undefined, problem: undefined }, effect: { kind: 'serve', pair } };
  }
  const effect: RenewalEffect = before === undefined ? { kind: 'hold-back', pair } : { kind: 'nothing' };
  return { state: { served, pending, problem: undefined }, effect };
}

function complaint(state: RenewalState, problem: string): { state: RenewalState; effect: RenewalEffect } {
  return { state: { ...state, problem }, effect: problem === state.problem ? { kind: 'nothing' } : { kind: 'complain', problem } };
}

function waiting(
  before: PendingPair | undefined,
  pair: CheckedPair,
  { installedBundles, nowMs }: Pick<RenewalInput, 'installedBundles' | 'nowMs'>,
): PendingPair {
  const isVerified = installedBundles.every((bundle) => isVerifiedBy(pair, bundle));
  return {
    fingerprint: pair.fingerprint,
    sinceMs: before?.sinceMs ?? nowMs,
    verifiedSinceMs: isVerified ? (before?.verifiedSinceMs ?? nowMs) : undefined,
  };
}

function isOver({ sinceMs, verifiedSinceMs = Infinity }: PendingPair, nowMs: number): boolean {
  return nowMs - verifiedSinceMs >= SETTLE_MS || nowMs - sinceMs >= MAX_HOLD_BACK_MS;
}

/** Whether kcp verifies the new pair and no longer the one that is served: then every delete fails until they change. */
function isOutOfTrust(served: CheckedPair, { verifiedSinceMs }: PendingPair, installedBundles: readonly string[]): boolean {
  return verifiedSinceMs !== undefined && !installedBundles.every((bundle) => isVerifiedBy(served, bundle));
}
