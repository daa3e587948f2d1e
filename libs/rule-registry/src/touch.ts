import type { LogicalClusterName, WorkspacePath } from '@dep-ctrl/kcp-names';
import type { Guard } from './guard.js';
import type { MatchIndex } from './match-index.js';
import type { Touched } from './registry-writer.js';
import type { Relation } from './relation.js';
import type { RuleKey } from './rule.js';
import { ruleInForce, type RuleReport } from './rule-report.js';
import type { WorkspaceMap } from './workspace-map.js';

/** What a touch looks at. */
export interface TouchSources {
  readonly guards: ReadonlyMap<LogicalClusterName, Guard>;
  readonly workspaces: WorkspaceMap;
  readonly index: MatchIndex;
  /** The guards whose status names a rule. */
  readonly guardsNaming: Relation<RuleKey, LogicalClusterName>;
}

/** Collects what one write may have changed for others. */
export class Touch implements Touched {
  readonly guarded = new Set<LogicalClusterName>();
  readonly rules = new Set<RuleKey>();
  #isEveryGuard = false;
  readonly #sources: TouchSources;

  constructor(sources: TouchSources) {
    this.#sources = sources;
  }

  /** A rule came, went or changed: it, the workspaces it names and the guards that name it are touched. */
  rule(report: RuleReport): void {
    this.rules.add(report.key);
    for (const cluster of this.#sources.guardsNaming.rightsOf(report.key)) this.guarded.add(cluster);
    for (const dependency of ruleInForce(report)?.dependencies ?? []) this.clustersOf([dependency.export.path]);
  }

  /** Something about a guarded workspace changed: it and the rules that name it are touched. */
  guardedWorkspace(cluster: LogicalClusterName): void {
    this.guarded.add(cluster);
    for (const path of this.#sources.workspaces.pathsOf(cluster)) this.#rulesNaming(path);
  }

  /** Something that was missing may be known now, or the other way round: every guard is touched, once. */
  everyGuard(): void {
    if (this.#isEveryGuard) return;
    this.#isEveryGuard = true;
    for (const cluster of this.#sources.guards.keys()) this.guardedWorkspace(cluster);
  }

  /** The clusters that paths name at this moment. */
  clustersOf(paths: readonly WorkspacePath[]): void {
    for (const path of paths) for (const cluster of this.#sources.workspaces.clustersOf(path) ?? []) this.guarded.add(cluster);
  }

  /** Paths came to name something else: the rules that name them are touched, and the guards whose consent depends on them. */
  paths(paths: readonly WorkspacePath[]): void {
    this.clustersOf(paths);
    for (const path of paths) this.#rulesNaming(path);
    for (const guard of this.#sources.guards.values()) if (this.#dependsOn(guard, paths)) this.guardedWorkspace(guard.cluster);
  }

  /** Whether what a guard admits may change with these paths: it names one, or one that any workspace may turn out to have. */
  #dependsOn({ allowRulesFrom }: Guard, paths: readonly WorkspacePath[]): boolean {
    if (allowRulesFrom === 'everyone') return false;
    return allowRulesFrom.some((path) => paths.includes(path) || this.#sources.workspaces.clustersOf(path) === undefined);
  }

  #rulesNaming(path: WorkspacePath): void {
    for (const { rule } of this.#sources.index.ofPath(path)) this.rules.add(rule.key);
  }
}
