import type { LogicalClusterName, WorkspacePath } from '@dep-ctrl/kcp-names';
import type { Guard } from '../rules/guard.js';
import type { MatchIndex } from './match-index.js';
import type { NamedRules } from './named-rules.js';
import type { Touched } from './registry-writer.js';
import type { Relation } from './relation.js';
import type { RuleKey } from '../rules/rule.js';
import { isCluster, type WorkspaceMap } from '../guarding/workspace-map.js';

/** What a touch looks at. */
export interface TouchSources {
  readonly guards: ReadonlyMap<LogicalClusterName, Guard>;
  readonly workspaces: WorkspaceMap;
  readonly index: MatchIndex;
  readonly named: NamedRules;
  /** The guards whose consent names a path. */
  readonly guardsConsenting: Relation<WorkspacePath, LogicalClusterName>;
}

/** Collects what one write may have changed for others. */
export class Touch implements Touched {
  readonly guarded = new Set<LogicalClusterName>();
  readonly rules = new Set<RuleKey>();
  readonly #sources: TouchSources;

  constructor(sources: TouchSources) {
    this.#sources = sources;
  }

  /** A rule came, went or changed: it and the guards that name it are touched. */
  rule(key: RuleKey): void {
    this.rules.add(key);
    for (const cluster of this.#sources.named.guardsNaming(key)) this.guarded.add(cluster);
  }

  /** Something about a guarded workspace changed: it and the rules that name it are touched. */
  guardedWorkspace(cluster: LogicalClusterName): void {
    this.guarded.add(cluster);
    for (const path of this.#sources.workspaces.pathsOf(cluster)) this.#rulesNaming(path);
  }

  /** Something that was missing may be known now, or the other way round: every guard is touched. */
  everyGuard(): void {
    for (const cluster of this.#sources.guards.keys()) this.guardedWorkspace(cluster);
  }

  /** The cluster that a path names at this moment. */
  clusterOf(path: WorkspacePath): void {
    const cluster = this.#sources.workspaces.clusterOf(path);
    if (isCluster(cluster)) this.guarded.add(cluster);
  }

  /**
   * A path came to name something else: the rules that name it are touched, with the guards that name those, the guards whose consent names the
   * path, and those that name rules of the workspace that it is.
   */
  path(path: WorkspacePath): void {
    for (const { rule } of this.#sources.index.ofPath(path)) this.rule(rule.key);
    const cluster = this.#sources.workspaces.clusterOf(path);
    if (isCluster(cluster)) {
      this.guarded.add(cluster);
      for (const guarded of this.#sources.named.guardsNamingOneOf(cluster)) this.guarded.add(guarded);
    }
    for (const cluster of this.#sources.guardsConsenting.rightsOf(path)) this.guardedWorkspace(cluster);
  }

  /** A workspace bound the export, or unbound it: it is touched, the rules that name it, the guards that name rules of it, and those that admit it. */
  binding(cluster: LogicalClusterName): void {
    this.guardedWorkspace(cluster);
    for (const guarded of this.#sources.named.guardsNamingOneOf(cluster)) this.guardedWorkspace(guarded);
    for (const path of this.#sources.workspaces.pathsOf(cluster)) {
      for (const guarded of this.#sources.guardsConsenting.rightsOf(path)) this.guardedWorkspace(guarded);
    }
  }

  #rulesNaming(path: WorkspacePath): void {
    for (const { rule } of this.#sources.index.ofPath(path)) this.rules.add(rule.key);
  }
}
