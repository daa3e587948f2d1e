// The registry: one writer repeats what the endpoints deliver, any number of readers ask. A question is answered from indexes, so that
// asking takes the same time however many rules there are.

import { compareText, printGroupResource, type GroupResource, type LogicalClusterName, type WorkspacePath } from '@dep-ctrl/kcp-names';
import { guardedWorkspace } from '../guarding/consent.js';
import type { Guard, GuardRuleRef } from '../rules/guard.js';
import { missingEverywhere, missingFor, type EndpointKnowledge, type MissingKnowledge } from '../guarding/knowledge.js';
import type { Completeness, GuardedAnswer, GuardingAnswer, RegistryReader, RegistrySnapshot } from './registry-reader.js';
import type { QuotaExcess } from './rule-quota.js';
import { RegistryState } from './registry-state.js';
import type { RegistryWriter } from './registry-writer.js';
import { StateWriter } from './state-writer.js';
import { compareMatches, type Rule, type RuleKey, type RuleMatch } from '../rules/rule.js';
import { isRejected, ruleInForce, type RuleReport } from '../parsing/rule-report.js';
import { isCluster, type PathAnswers } from '../guarding/workspace-map.js';

// Each is looked up; where there are more, kcp is being asked about them this moment.
const MOST_UNKNOWN_PATHS = 1_000;

/** Makes an empty registry, which knows nothing yet. Give the writer to one, the reader to many. */
export function createRegistry(): { readonly reader: RegistryReader; readonly writer: RegistryWriter } {
  const state = new RegistryState();
  return { reader: new Reader(state), writer: new StateWriter(state) };
}

class Reader implements RegistryReader {
  readonly #state: RegistryState;
  #snapshot: { readonly version: number; readonly snapshot: RegistrySnapshot } | undefined;

  constructor(state: RegistryState) {
    this.#state = state;
  }

  get paths(): PathAnswers {
    return this.#state.workspaces;
  }

  guarding(where: LogicalClusterName, type: GroupResource, authors: ReadonlySet<LogicalClusterName>): GuardingAnswer {
    const { named } = this.#state;
    const admits = this.#state.admissionAt(where);
    const matches = this.#state.matchesOf(authors, where, type).filter(({ rule }) => admits(rule));
    let isBehind = false;
    for (const author of authors) isBehind ||= named.of(author, where).some((ref) => this.#state.isBehind(ref, where));
    return { ...completenessOf(this.#missingOf(authors, where)), matches: matches.sort(compareMatches), isBehind };
  }

  isGuardedByOthers(where: LogicalClusterName, type: GroupResource, authors: ReadonlySet<LogicalClusterName>): boolean {
    const { index, workspaces, unknownPaths, named } = this.#state;
    if (this.completeness().state !== 'known' || unknownPaths.size > MOST_UNKNOWN_PATHS) return true;
    const admits = this.#state.admissionAt(where);
    const unresolved = [...unknownPaths].filter(workspaces.mayBeNamed(where));
    for (const path of [...workspaces.pathsOf(where), ...unresolved]) {
      for (const [author, matches] of index.naming(type, path)) {
        if (authors.has(author)) continue;
        // A guard admits an author, or single rules that it names: if it names no rule of the author, one rule stands for all.
        const asked = named.of(author, where).length > 0 ? matches : firstOf(matches);
        for (const { rule } of asked) if (admits(rule)) return true;
      }
    }
    const resource = printGroupResource(type);
    for (const ref of named.ofOthers(authors, where)) if (ref.resource === resource || this.#state.isBehind(ref, where)) return true;
    return false;
  }

  isNamed(where: LogicalClusterName, type: GroupResource): boolean {
    const { index, workspaces } = this.#state;
    return workspaces.pathsOf(where).some((path) => index.has(type, path));
  }

  *naming(where: LogicalClusterName, type: GroupResource): Iterable<RuleMatch> {
    const { index, workspaces } = this.#state;
    const admits = this.#state.admissionAt(where);
    for (const path of workspaces.pathsOf(where)) {
      for (const matches of index.naming(type, path).values()) for (const match of matches) if (admits(match.rule)) yield match;
    }
  }

  isAdmitted(where: LogicalClusterName, rule: Pick<Rule, 'cluster' | 'key'>): boolean {
    return this.#state.admissionAt(where)(rule);
  }

  guarded(cluster: LogicalClusterName): GuardedAnswer {
    const { workspaces, index } = this.#state;
    const matches = workspaces.pathsOf(cluster).flatMap((path) => [...index.ofPath(path)]);
    return {
      ...completenessOf(this.missing(cluster)),
      ...guardedWorkspace({ cluster, admits: this.#state.admissionAt(cluster), matches }),
    };
  }

  guardedWorkspaces(): ReadonlySet<LogicalClusterName> {
    const { index, workspaces } = this.#state;
    return new Set([...index.paths()].map((path) => workspaces.clusterOf(path)).filter(isCluster));
  }

  missing(cluster: LogicalClusterName): readonly MissingKnowledge[] {
    return this.#missing(cluster, this.guard(cluster)?.ruleRefs ?? []);
  }

  completeness(): Completeness {
    return completenessOf(missingEverywhere(this.endpoints()));
  }

  endpoints(): ReadonlyMap<string, EndpointKnowledge> | 'unread' {
    return this.#state.endpoints.knowledge;
  }

  rule(key: RuleKey): RuleReport | undefined {
    return this.#state.rules.view.get(key);
  }

  isOverQuota(key: RuleKey): boolean {
    const report = this.rule(key);
    return report !== undefined && !this.#state.quota.isInForce(report);
  }

  get ruleCount(): number {
    return this.#state.rules.view.size;
  }

  excessOf(written: RuleReport, options: { readonly isNew: boolean }): QuotaExcess | undefined {
    return this.#state.quota.excessOf(written, options);
  }

  guard(cluster: LogicalClusterName): Guard | undefined {
    return this.#state.guards.view.get(cluster);
  }

  isBound(cluster: LogicalClusterName): boolean {
    return this.#state.workspaces.isBound(cluster);
  }

  unresolvedPaths(): readonly WorkspacePath[] {
    return [...this.#state.unknownPaths].toSorted();
  }

  rulesNaming(path: WorkspacePath): ReadonlySet<RuleKey> {
    return new Set([...this.#state.index.ofPath(path)].map(({ rule }) => rule.key));
  }

  authorNaming(path: WorkspacePath): LogicalClusterName | undefined {
    return this.#state.authorNaming(path);
  }

  snapshot(): RegistrySnapshot {
    if (this.#snapshot?.version === this.#state.version) return this.#snapshot.snapshot;
    const { rules, quota, guards, workspaces, version } = this.#state;
    const reports = [...rules.view.values()].toSorted(byKey);
    const snapshot: RegistrySnapshot = {
      rules: [...quota.inForce()].toSorted(byKey).flatMap((report) => ruleInForce(report) ?? []),
      rejected: reports.filter(isRejected),
      overQuota: reports.filter((report) => !quota.isInForce(report)).map(({ key }) => key),
      guards: new Map(guards.view),
      paths: workspaces.copy(),
      endpoints: this.endpoints(),
    };
    this.#snapshot = { version, snapshot };
    return snapshot;
  }

  /**
   * What is missing to know every rule of these authors about a workspace. Nothing is missing of an author whose endpoint has listed, and nothing of any
   * author if the guard names every rule. The guard itself has to be read first.
   */
  #missingOf(authors: ReadonlySet<LogicalClusterName>, where: LogicalClusterName): readonly MissingKnowledge[] {
    const isUnread = this.guard(where) === undefined && !this.#state.isSettled(where, where);
    const unsettled = [...authors].filter((author) => !this.#state.isSettled(author, where));
    if (unsettled.length === 0 && !isUnread) return [];
    return this.#missing(
      where,
      unsettled.flatMap((author) => this.#state.named.of(author, where)),
    );
  }

  #missing(where: LogicalClusterName, named: readonly GuardRuleRef[]): readonly MissingKnowledge[] {
    const everywhere = missingEverywhere(this.endpoints());
    return missingFor({ guard: this.guard(where), named, everywhere, isKnown: (rule) => this.#state.isKnown(rule, where) });
  }
}

function firstOf<T>(values: Iterable<T>): readonly T[] {
  for (const value of values) return [value];
  return [];
}

function byKey(a: { readonly key: RuleKey }, b: { readonly key: RuleKey }): number {
  return compareText(a.key, b.key);
}

function completenessOf([first, ...others]: readonly MissingKnowledge[]): Completeness {
  return first === undefined ? { state: 'known' } : { state: 'syncing', missing: [first, ...others] };
}
