import type { LogicalClusterName, WorkspacePath } from '@dep-ctrl/kcp-names';
import type { Enforcement } from './api-objects.js';
import type { Versioned } from './merged-objects.js';
import type { RuleKey } from './rule.js';

/** The workspaces whose rules a guarded provider admits. Its own workspace is always admitted. */
export type Consent = 'everyone' | readonly WorkspacePath[];

/** The DependencyGuard of one guarded workspace. */
export interface Guard {
  readonly cluster: LogicalClusterName;
  readonly uid: string;
  readonly generation: number;
  readonly allowRulesFrom: Consent;
  /** How many paths of its list do not count, because the list is longer than it may be. */
  readonly ignoredConsents: number;
  /** Whether the provider wrote a spec. Such a guard is never deleted by the controller. */
  readonly madeByProvider: boolean;
  /** Whether it is being deleted. */
  readonly deleting: boolean;
  /** The rules that its status names: a reader that does not know one of them does not know enough. */
  readonly ruleRefs: readonly GuardRuleRef[];
  /** Whether the status was written and not cut. If not, only knowing every endpoint is knowing enough. */
  readonly namesEveryRule: boolean;
}

/** A rule that a guard's status names, and one resource that it holds. */
export interface GuardRuleRef {
  readonly key: RuleKey;
  readonly cluster: LogicalClusterName;
  readonly name: string;
  /** The rule as it was when the guard came to name it so. Absent where an older controller wrote the entry. */
  readonly version?: Versioned;
  /** What it holds, for people: `vpcs.network.example.com`. */
  readonly resource: string;
  /** Whose objects refer to that, for people: `VirtualMachine.compute.example.com`. */
  readonly dependent: string;
  readonly enforcement: Enforcement;
}
