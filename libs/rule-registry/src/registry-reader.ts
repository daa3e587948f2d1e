import type { GroupResource, LogicalClusterName, WorkspacePath } from '@dep-ctrl/kcp-names';
import type { GuardedWorkspace } from './effective-rules.js';
import type { Guard } from './guard.js';
import type { HeldResource } from './held-resources.js';
import type { EndpointKnowledge, MissingKnowledge } from './knowledge.js';
import type { NonEmpty, Rule, RuleKey, RuleMatch } from './rule.js';
import type { RejectedRule, RuleReport } from './rule-report.js';
import type { PathAnswers } from './workspace-map.js';

/** Whether everything that an answer depends on was read. */
export type Completeness = { readonly state: 'known' } | { readonly state: 'syncing'; readonly missing: NonEmpty<MissingKnowledge> };

/** The rules that guard a type. While syncing there may be more; those given are certain. */
export type GuardingAnswer = Completeness & {
  /** Sorted by rule and position. */
  readonly matches: readonly RuleMatch[];
  /** The type as rules held it that cannot be understood any more: whether anything refers to it is not known. Sorted by rule. */
  readonly held: readonly HeldResource[];
  /**
   * The guard names a rule that was never shown, or not as it is now. Where rules were just listed, that rule is gone; where they are watched,
   * the watch may lag behind that of the guard, however lively it is.
   */
  readonly isBehind: boolean;
};

/** The rules about one workspace, with consent applied, and whether there may be more. */
export type GuardedAnswer = Completeness & GuardedWorkspace & { readonly held: readonly HeldResource[] };

/** Everything that was known at one moment. Immutable. */
export interface RegistrySnapshot {
  /** Sorted by key; of those that have problems, what is in force all the same. */
  readonly rules: readonly Rule[];
  /** Those that have problems, sorted by key. */
  readonly rejected: readonly RejectedRule[];
  readonly guards: ReadonlyMap<LogicalClusterName, Guard>;
  readonly paths: PathAnswers;
  readonly endpoints: ReadonlyMap<string, EndpointKnowledge> | 'unread';
}

/** What any number of readers may ask. Answers are immutable and do not change under a reader. */
export interface RegistryReader {
  /**
   * The rules that guard a type in a guarded workspace, or anywhere. Takes the same time for ten rules and for a hundred thousand.
   * A rule whose path could not be resolved yet counts for every workspace. Consent is applied.
   */
  guarding(where: LogicalClusterName | 'anywhere', type: GroupResource): GuardingAnswer;
  /** All rules about one workspace, by resolved paths only: what its configuration is made of. */
  guarded(cluster: LogicalClusterName): GuardedAnswer;
  /** Whether everything was read from every endpoint. */
  completeness(): Completeness;
  /** What is known of each endpoint, or that the endpoints themselves have not been read. */
  endpoints(): ReadonlyMap<string, EndpointKnowledge> | 'unread';
  /** One rule, or what is wrong with it. */
  rule(key: RuleKey): RuleReport | undefined;
  /** The guard of a workspace. */
  guard(cluster: LogicalClusterName): Guard | undefined;
  /** Path to cluster and back, as known now. */
  readonly paths: PathAnswers;
  /** Paths that rules or guards name and nobody could resolve yet, sorted: what a resolver should look up. */
  unresolvedPaths(): readonly WorkspacePath[];
  /** Everything, for reports and for pure functions over all rules. Costs a copy after each change. */
  snapshot(): RegistrySnapshot;
}
