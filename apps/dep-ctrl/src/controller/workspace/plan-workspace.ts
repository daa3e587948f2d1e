/*
 * What to do about one guarded workspace, decided from everything that is known about it. Pure: the whole policy of guards and
 * configurations is this function and its table. Nothing shrinks on absence: a rule that the guard names and that is not proven gone
 * keeps its resource guarded.
 */
import type { ClaimState } from '@dep-ctrl/webhook-installer';
import { GUARD_NAME, type GuardRuleEntry } from '@dep-ctrl/rule-registry';
import type { GuardedResource } from '../configuration/desired-webhooks.js';
import type { GuardSight } from '../guard/guard-objects.js';

/** Everything that is known about one guarded workspace. */
export interface WorkspaceFacts {
  /** `unread`: no endpoint has listed the bindings of this workspace, and not all have listed theirs. */
  readonly binding: ClaimState['state'] | 'unread';
  readonly guard: GuardSight;
  /** What a configuration of ours, or one that we would adopt, guards; undefined: there is none. */
  readonly configured: readonly GuardedResource[] | undefined;
  /** `bind` gave us that configuration of an earlier installation: it refuses everything until a person says that the rules are back. */
  readonly isHandedOver: boolean;
  /** Rules name this workspace that its guard does not admit. */
  readonly refusesRules: boolean;
  /** What effective rules guard here. */
  readonly wanted: readonly GuardRuleEntry[];
  /** The entries that the guard's status names beyond the wanted ones, and that are not proven gone. */
  readonly unproven: readonly GuardRuleEntry[];
  /** Every endpoint has listed its rules, and kcp was asked for every path that they name: no rule can be missing. */
  readonly everyRuleIsKnown: boolean;
}

/** What to do about one guarded workspace. */
export type WorkspacePlan =
  /** Too little is known to change anything. */
  | { readonly do: 'wait'; readonly for: string }
  /** Nothing of ours is there and nothing is wanted. */
  | { readonly do: 'rest' }
  /** Make or hold the guard, and look again: its consent keeps rules out. */
  | { readonly do: 'keep-guard' }
  /** Make or hold the guard, then the configuration as the entries say. `also`: what it guards for rules that are not known, and keeps guarding. */
  | { readonly do: 'protect'; readonly entries: readonly GuardRuleEntry[]; readonly also: readonly GuardedResource[] }
  /** Remove the configuration, then let go of the guard; `none`: there is none, or its consent keeps rules out. `unbinding`: the workspace is leaving, there is little time. */
  | { readonly do: 'withdraw'; readonly guard: 'delete' | 'release' | 'none'; readonly unbinding: boolean };

/** Decides what to do about one guarded workspace. */
export function planWorkspace(facts: WorkspaceFacts): WorkspacePlan {
  const { binding, guard, configured = [], everyRuleIsKnown } = facts;
  const entries = [...facts.wanted, ...facts.unproven];
  if (binding === 'unread') return { do: 'wait', for: 'the endpoint that serves the workspace' };
  if (guard.state === 'unread') return { do: 'wait', for: 'the guards of the endpoint that serves the workspace' };
  // Only a deleting binding means clean-up; a guard deleted by hand is made again.
  if (binding === 'unbinding') return { do: 'withdraw', guard: guard.state === 'present' ? 'release' : 'none', unbinding: true };
  if (facts.isHandedOver) return { do: 'wait', for: RULES_ARE_BACK };
  // If the guard's status is missing or cut, it does not name all rules behind the configuration: keep what is guarded until every endpoint has listed.
  const isUnderstood = everyRuleIsKnown || (guard.state === 'present' && guard.namesEveryRule);
  const also = isUnderstood ? [] : configured;
  if (entries.length > 0 || also.length > 0) return { do: 'protect', entries, also };
  return planWithoutEntries({ ...facts, guard });
}

const RULES_ARE_BACK = `somebody to say that all rules about this workspace are back: an earlier installation guarded it, and everything that it guarded is refused until then; dep-ctrl bind WORKSPACE --rules-are-back, or, to end the protection: kubectl delete validatingwebhookconfiguration ${GUARD_NAME}`;

/** Nothing is to be guarded: configuration and guard go, except for a guard whose consent keeps rules out. */
function planWithoutEntries(facts: WorkspaceFacts & { readonly guard: ReadGuard }): WorkspacePlan {
  const { guard, configured } = facts;
  const keepsOut = keptOutBy(facts);
  if (keepsOut && (keepsOut.deleting || !keepsOut.held)) return { do: 'keep-guard' };
  const isIdle = guard.state === 'absent' || (guard.madeByProvider && (!guard.held || keepsOut !== undefined));
  if (configured === undefined && isIdle) return { do: 'rest' };
  return { do: 'withdraw', guard: keepsOut === undefined ? leave(guard) : 'none', unbinding: false };
}

type ReadGuard = Exclude<GuardSight, { readonly state: 'unread' }>;

/** The guard, where its consent keeps rules out: without it they would be in force. */
function keptOutBy({ guard, refusesRules: refuses }: WorkspaceFacts): (GuardSight & { state: 'present' }) | undefined {
  return refuses && guard.state === 'present' && guard.madeByProvider ? guard : undefined;
}

function leave(guard: ReadGuard): 'delete' | 'release' | 'none' {
  if (guard.state === 'absent') return 'none';
  return guard.madeByProvider ? 'release' : 'delete';
}
