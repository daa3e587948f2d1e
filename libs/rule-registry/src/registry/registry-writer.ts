import type { LogicalClusterName, WorkspacePath } from '@dep-ctrl/kcp-names';
import type { Guard } from '../rules/guard.js';
import type { RuleKey } from '../rules/rule.js';
import type { RuleReport } from '../parsing/rule-report.js';
import type { PathResolution } from '../guarding/workspace-map.js';

/** What a write may have changed for others: the guarded workspaces to reconcile and the rules whose status to look at. */
export interface Touched {
  readonly guarded: ReadonlySet<LogicalClusterName>;
  readonly rules: ReadonlySet<RuleKey>;
}

/**
 * The one writer of a registry. It repeats what the endpoints of the export deliver; endpoints are named by their URL.
 *
 * Absence alone drops nothing: what a withdrawn endpoint delivered stays until an endpoint that serves the workspace has listed
 * everything, or `workspaceGone` says that the workspace or its binding is proven gone. The order in which endpoints deliver is
 * irrelevant; of one endpoint, writes come in the order of its lists and watches.
 */
export interface RegistryWriter {
  /** The endpoints that the export has now. The first call is what makes "no endpoint" an answer. */
  endpointsRead(endpoints: readonly string[]): Touched;

  /** A complete list of an endpoint's rules. */
  rulesListed(endpoint: string, rules: readonly RuleReport[]): Touched;
  /** A rule was created or changed. */
  ruleApplied(endpoint: string, rule: RuleReport): Touched;
  /** A rule was deleted, or its workspace unbound. */
  ruleRemoved(endpoint: string, key: RuleKey): Touched;

  /** A complete list of an endpoint's guards. */
  guardsListed(endpoint: string, guards: readonly Guard[]): Touched;
  /** A guard was created or changed. */
  guardApplied(endpoint: string, guard: Guard): Touched;
  /** The guard of a workspace was deleted, or the workspace unbound. */
  guardRemoved(endpoint: string, cluster: LogicalClusterName): Touched;

  /** A complete list of the workspaces that bind the export at an endpoint. */
  workspacesListed(endpoint: string, clusters: readonly LogicalClusterName[]): Touched;
  /** A workspace bound the export. */
  workspaceApplied(endpoint: string, cluster: LogicalClusterName): Touched;
  /** A workspace unbound the export. */
  workspaceRemoved(endpoint: string, cluster: LogicalClusterName): Touched;

  /** What kcp answered when it was asked for a path. */
  pathResolved(path: WorkspacePath, resolution: PathResolution): Touched;
  /**
   * A workspace, or its binding, is proven gone: what withdrawn endpoints said of it is forgotten, until an endpoint shows it again. Nothing
   * happens where an endpoint that the export has now shows it: the proof is older than that.
   */
  workspaceGone(cluster: LogicalClusterName): Touched;
  /**
   * What the guard of one workspace names of an author is proven gone, until an endpoint shows the author's workspace again. The proof counts for
   * this guard alone: the owner of another guard may have written any name into it.
   */
  authorGone(guarded: LogicalClusterName, author: LogicalClusterName): Touched;
}
