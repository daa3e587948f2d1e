// Finds the workspaces of rules in files. A rule does not name its own workspace, but other rules may: a rule that names the export of another rule's
// dependent also names the path of its workspace. The remaining rules are grouped by export. Pure.
import {
  CLUSTER_ANNOTATION,
  logicalCluster,
  record,
  text,
  type KubeObject,
  type LogicalClusterName,
  type WorkspacePath,
} from '@dep-ctrl/kcp-names';
import { reportRule, ruleInForce, ruleKeyOf, type PathAnswers, type Rule, type RuleReport } from '@dep-ctrl/rule-registry';
import type { ManifestObject } from './manifest-object.js';

/** One rule of a file, as far as it can be read. */
export interface FileRule {
  readonly manifest: ManifestObject;
  readonly report: RuleReport;
}

/** Rules in workspaces that are told apart, and the paths that lead to them. */
export interface PlacedRules {
  readonly rules: readonly PlacedRule[];
  readonly paths: PathAnswers;
  /** The path of such a workspace, or for people what is known of it. */
  readonly workspaceOf: (cluster: LogicalClusterName) => WorkspaceLabel;
}

/** A rule in its place. Its cluster is a stand-in that no kcp gave. */
export interface PlacedRule {
  readonly manifest: ManifestObject;
  readonly rule: Rule;
}

/** How to name a workspace. */
export type WorkspaceLabel = { readonly path: WorkspacePath } | { readonly exportName: string };

/** Stands for the workspace of a rule until it is placed: a rule cannot be read without one. */
export const UNPLACED = logicalCluster('unplaced');

/** Reads the rule of a file as if kcp had handed it out. */
export function readFileRule(manifest: ManifestObject, cluster: LogicalClusterName): FileRule {
  return { manifest, report: reportRule(cluster, asHandedOut(manifest, cluster)) };
}

/** The object with what kcp adds to it before anybody sees it: its cluster, and a name where it has only the beginning of one. */
export function asHandedOut({ object }: ManifestObject, cluster: LogicalClusterName): KubeObject {
  const metadata = record(object['metadata']) ?? {};
  const generated = text(metadata['generateName']);
  return {
    ...object,
    metadata: {
      ...metadata,
      ...(metadata['name'] === undefined && generated !== undefined && { name: `${generated}x` }),
      annotations: { [CLUSTER_ANNOTATION]: cluster },
    },
  };
}

/** Tells the workspaces of rules apart. `home`: the path of the one that all of them live in. */
export function placeRules(reports: readonly FileRule[], home: WorkspacePath | undefined): PlacedRules {
  const found = reports.flatMap(({ manifest, report }) => {
    const rule = ruleInForce(report);
    return rule === undefined ? [] : [{ manifest, rule }];
  });
  const pathOfExport = pathsOfExports(found.map(({ rule }) => rule));
  const clusters = new Map<string, LogicalClusterName>();
  const labels = new Map<LogicalClusterName, WorkspaceLabel>();
  const clusterOf = (key: string, label: WorkspaceLabel): LogicalClusterName => {
    const cluster = clusters.get(key) ?? logicalCluster(`w${String(clusters.size)}`);
    clusters.set(key, cluster);
    labels.set(cluster, label);
    return cluster;
  };
  const ofPath = (path: WorkspacePath) => clusterOf(`path ${path}`, { path });
  const rules = found.map(({ manifest, rule }) => {
    const { exportName } = rule.dependent;
    const path = home ?? pathOfExport.get(exportName);
    const cluster = path === undefined ? clusterOf(`export ${exportName} of ${annotatedCluster(manifest)}`, { exportName }) : ofPath(path);
    return { manifest, rule: { ...rule, cluster, key: ruleKeyOf(cluster, rule.name) } };
  });
  for (const { rule } of rules) for (const { export: target } of rule.dependencies) ofPath(target.path);
  const workspaceOf = (cluster: LogicalClusterName): WorkspaceLabel => labels.get(cluster) ?? { exportName: '' };
  const pathOf = (cluster: LogicalClusterName): WorkspacePath | undefined => {
    const label = workspaceOf(cluster);
    return 'path' in label ? label.path : undefined;
  };
  return { rules, paths: { clusterOf: ofPath, pathOf }, workspaceOf };
}

/** Where exports are, by the rules that name them; those that are named in several places are not told. */
function pathsOfExports(rules: readonly Rule[]): ReadonlyMap<string, WorkspacePath> {
  const named = new Map<string, Set<WorkspacePath>>();
  for (const { dependencies } of rules) {
    for (const { export: target } of dependencies) named.set(target.name, (named.get(target.name) ?? new Set()).add(target.path));
  }
  return new Map(
    [...named].flatMap(([name, paths]) => {
      const [path, ...others] = paths;
      return path === undefined || others.length > 0 ? [] : [[name, path] as const];
    }),
  );
}

/** Rules that were read from a kcp say which cluster they are of. */
function annotatedCluster({ object }: ManifestObject): string {
  return text(record(record(object['metadata'])?.['annotations'])?.[CLUSTER_ANNOTATION]) ?? '';
}
