/*
 * Gathers what the status of one rule is made of: where its targets are, who admits it, what their workspaces came to, and whether what
 * it names exists.
 */
import { printGroupResource, type LogicalClusterName, type WorkspacePath } from '@dep-ctrl/kcp-names';
import {
  dependencyCycles,
  type RegistryReader,
  type RegistrySnapshot,
  type Rule,
  type RuleDependency,
  type RuleKey,
} from '@dep-ctrl/rule-registry';
import type { RuleSource } from '../../rules/rule-source.js';
import type { ExportReader } from './export-reader.js';
import { installationFor, printWorkspace, type Installation } from '../configuration/installation.js';
import type { RuleFacts } from './rule-status.js';
import type { TargetFacts } from './target-answer.js';

/** What `RuleFactGatherer` needs. */
export interface RuleFactGathererDependencies {
  readonly registry: RegistryReader;
  readonly source: Pick<RuleSource, 'resolutionOf'>;
  readonly exports: ExportReader;
  readonly installationOf: (cluster: LogicalClusterName) => Installation | undefined;
  /** The path of dep-ctrl's own workspace, where it is known. */
  readonly home: WorkspacePath | undefined;
}

/** Gathers facts about rules. */
export class RuleFactGatherer {
  readonly #dependencies: RuleFactGathererDependencies;
  #cycles: { readonly snapshot: RegistrySnapshot; readonly byRule: ReadonlyMap<RuleKey, readonly string[]> } | undefined;

  constructor(dependencies: RuleFactGathererDependencies) {
    this.#dependencies = dependencies;
  }

  /** Everything that is known about a rule, after a look at the exports that it names. */
  async gather(rule: Rule, { signal }: { readonly signal: AbortSignal }): Promise<RuleFacts> {
    const { exports } = this.#dependencies;
    const { exportName, group, version, kind, resource } = rule.dependent;
    const fieldPaths = rule.dependencies.flatMap(({ fieldPath, namespacePath }) => [
      fieldPath,
      ...(namespacePath === undefined ? [] : [namespacePath]),
    ]);
    const workspace = this.#workspace(rule.cluster);
    return {
      dependent: await exports.verify(
        { cluster: rule.cluster, exportName, workspace, group, version, kind, resource, fieldPaths },
        { signal },
      ),
      targets: await this.#targets(rule, signal),
      cycles: this.#cyclesOf(rule.key),
    };
  }

  /** Whom a workspace refuses is asked once for each: a rule may have thousands of targets in one. */
  #targets(rule: Rule, signal: AbortSignal): Promise<readonly TargetFacts[]> {
    const refused = new Map<LogicalClusterName, ReadonlySet<number>>();
    const isRefused = (cluster: LogicalClusterName, { index }: RuleDependency): boolean => {
      const indexes = refused.get(cluster) ?? this.#refusedIn(cluster, rule);
      refused.set(cluster, indexes);
      return indexes.has(index);
    };
    return Promise.all(rule.dependencies.map((dependency) => this.#target(rule, dependency, { isRefused, signal })));
  }

  #refusedIn(cluster: LogicalClusterName, { key }: Rule): ReadonlySet<number> {
    const { refused } = this.#dependencies.registry.guarded(cluster);
    return new Set(refused.filter(({ rule }) => rule.key === key).map(({ dependency }) => dependency.index));
  }

  async #target(
    rule: Rule,
    dependency: RuleDependency,
    {
      isRefused,
      signal,
    }: { readonly isRefused: (cluster: LogicalClusterName, dependency: RuleDependency) => boolean; readonly signal: AbortSignal },
  ): Promise<TargetFacts> {
    const { source, installationOf, exports, home } = this.#dependencies;
    const resolution = source.resolutionOf(dependency.export.path);
    if (resolution?.state !== 'found') {
      const verification = { state: 'not-verified', problem: 'the workspace is not known' } as const;
      return { dependency, resolution, consentRefused: undefined, verification, installation: undefined, home };
    }
    const { group, version, resource } = dependency;
    const named = { cluster: resolution.cluster, exportName: dependency.export.name, workspace: `workspace "${dependency.export.path}"` };
    return {
      dependency,
      resolution,
      consentRefused: isRefused(resolution.cluster, dependency) ? this.#refusal(rule, dependency) : undefined,
      verification: await exports.verify({ ...named, group, version, resource, fieldPaths: [] }, { signal }),
      installation: installationFor(rule, dependency, installationOf(resolution.cluster)),
      home,
    };
  }

  #refusal(rule: Rule, dependency: RuleDependency): string {
    const { registry } = this.#dependencies;
    const own = registry.paths.pathOf(rule.cluster) ?? rule.cluster;
    return `workspace "${dependency.export.path}" does not admit rules from "${own}": its owner can add it to allowRulesFrom of DependencyGuard dependency-controller`;
  }

  #cyclesOf(key: RuleKey): readonly string[] {
    const snapshot = this.#dependencies.registry.snapshot();
    if (this.#cycles?.snapshot !== snapshot) this.#cycles = { snapshot, byRule: this.#allCycles(snapshot) };
    return this.#cycles.byRule.get(key) ?? [];
  }

  #allCycles({ rules, paths }: RegistrySnapshot): ReadonlyMap<RuleKey, readonly string[]> {
    const byRule = new Map<RuleKey, string[]>();
    for (const cycle of dependencyCycles(rules, paths)) {
      const text = cycle.types.map((type) => printGroupResource(type)).join(' and ');
      for (const key of cycle.rules) byRule.set(key, [...(byRule.get(key) ?? []), text]);
    }
    return byRule;
  }

  #workspace(cluster: LogicalClusterName): string {
    return printWorkspace(cluster, this.#dependencies.registry.paths.pathOf(cluster));
  }
}
