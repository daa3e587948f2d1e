import type { GroupResource, LogicalClusterName, WorkspacePath } from '@dep-ctrl/kcp-names';
import type { GuardedWorkspace } from '../guarding/consent.js';
import type { Guard } from '../rules/guard.js';
import type { EndpointKnowledge, MissingKnowledge } from '../guarding/knowledge.js';
import type { NonEmpty, Rule, RuleKey, RuleMatch } from '../rules/rule.js';
import type { RejectedRule, RuleReport } from '../parsing/rule-report.js';
import type { PathAnswers } from '../guarding/workspace-map.js';
import type { QuotaExcess } from './rule-quota.js';

/** Whether everything that an answer depends on was read. */
export type Completeness = { readonly state: 'known' } | { readonly state: 'syncing'; readonly missing: NonEmpty<MissingKnowledge> };

/** The rules of some authors that guard a type. While syncing there may be more; those given are certain. */
export type GuardingAnswer = Completeness & {
  /** Sorted by rule and position. */
  readonly matches: readonly RuleMatch[];
  /**
   * The guard names a rule of theirs that was never shown, or not as it is now. Where rules were just listed, that rule is gone; where they are
   * watched, the watch may lag behind that of the guard, however lively it is.
   */
  readonly isBehind: boolean;
};

/** The rules about one workspace, with consent applied, and whether there may be more. */
export type GuardedAnswer = Completeness & GuardedWorkspace;

/** Everything that was known at one moment. Immutable. */
export interface RegistrySnapshot {
  /** Those in force, sorted by key; of those that have problems, what can be read. */
  readonly rules: readonly Rule[];
  /** Those that have problems, sorted by key. */
  readonly rejected: readonly RejectedRule[];
  /** Those that are not in force because their workspace has too many, sorted. */
  readonly overQuota: readonly RuleKey[];
  readonly guards: ReadonlyMap<LogicalClusterName, Guard>;
  readonly paths: PathAnswers;
  readonly endpoints: ReadonlyMap<string, EndpointKnowledge> | 'unread';
}

/** What any number of readers may ask. Answers are immutable and do not change under a reader. */
export interface RegistryReader {
  /**
   * The rules of these authors that guard a type in a guarded workspace. The authors are the workspaces whose exports a consumer has bound: only their
   * rules concern it, and the rules of all others cost nothing here. A rule counts if its path could not be resolved yet and may lead there, or if the guard
   * names it although its path leads elsewhere now. Consent is applied.
   */
  guarding(where: LogicalClusterName, type: GroupResource, authors: ReadonlySet<LogicalClusterName>): GuardingAnswer;
  /** Whether rules of other authors guard a type in a guarded workspace, or may as far as is known. */
  isGuardedByOthers(where: LogicalClusterName, type: GroupResource, authors: ReadonlySet<LogicalClusterName>): boolean;
  /** Whether any rule is about a type in a guarded workspace, consent aside. */
  isNamed(where: LogicalClusterName, type: GroupResource): boolean;
  /** Everybody's rules about a type in a guarded workspace, by resolved paths only, consent applied; one at a time, as there may be many. */
  naming(where: LogicalClusterName, type: GroupResource): Iterable<RuleMatch>;
  /** Whether the guard of a workspace admits a rule. */
  isAdmitted(where: LogicalClusterName, rule: Pick<Rule, 'cluster' | 'key'>): boolean;
  /** All rules about one workspace, by resolved paths only: what its configuration is made of. */
  guarded(cluster: LogicalClusterName): GuardedAnswer;
  /** The workspaces that rules in force name, consent aside. */
  guardedWorkspaces(): ReadonlySet<LogicalClusterName>;
  /** What is missing to know all rules about one workspace. */
  missing(cluster: LogicalClusterName): readonly MissingKnowledge[];
  /** Whether everything was read from every endpoint. */
  completeness(): Completeness;
  /** What is known of each endpoint, or that the endpoints themselves have not been read. */
  endpoints(): ReadonlyMap<string, EndpointKnowledge> | 'unread';
  /** One rule, or what is wrong with it. */
  rule(key: RuleKey): RuleReport | undefined;
  /** Whether a rule is not in force because its workspace has too many that are older. */
  isOverQuota(key: RuleKey): boolean;
  /** How many rules there are, in force or not. */
  readonly ruleCount: number;
  /** What a workspace would have too much of if a rule were stored as it is written now. */
  excessOf(written: RuleReport, options: { readonly isNew: boolean }): QuotaExcess | undefined;
  /** The guard of a workspace. */
  guard(cluster: LogicalClusterName): Guard | undefined;
  /** Whether an endpoint shows that the workspace binds the export. */
  isBound(cluster: LogicalClusterName): boolean;
  /** Path to cluster and back, as known now. */
  readonly paths: PathAnswers;
  /** Paths that rules or guards name and that are not resolved yet, sorted: a resolver should look them up. */
  unresolvedPaths(): readonly WorkspacePath[];
  /** One of the workspaces whose rules in force, or whose guard's consent, name the path. */
  authorNaming(path: WorkspacePath): LogicalClusterName | undefined;
  /** The rules in force that name a path. */
  rulesNaming(path: WorkspacePath): ReadonlySet<RuleKey>;
  /** Everything, for reports and for pure functions over all rules. Costs a copy after each change. */
  snapshot(): RegistrySnapshot;
}
