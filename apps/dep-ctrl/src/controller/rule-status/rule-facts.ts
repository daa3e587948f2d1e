/*
 * Gathers the facts for the status of one rule: the workspaces of its targets, their consent, their configurations, and whether the types and fields
 * that the rule names exist.
 */
import type { Stoppable } from '@dep-ctrl/kcp-client';
import type { LogicalClusterName, WorkspacePath } from '@dep-ctrl/kcp-names';
import type { RegistryReader, Rule, RuleDependency } from '@dep-ctrl/rule-registry';
import type { ExportReader, Verification } from '@dep-ctrl/exported-types';
import type { RuleSource } from '../../rules/rule-source.js';
import { bindCommand } from '../../command-line/bind-command.js';
import type { DependentsGrant } from './grant-answer.js';
import type { GrantChecks } from './grant-checks.js';
import { installationFor, printWorkspace } from '../configuration/installation.js';
import type { Installations } from '../configuration/installations.js';
import type { RuleFacts } from './rule-status.js';
import type { TargetFacts } from './target-answer.js';
import type { TypeCycles } from './type-cycles.js';

/** What `RuleFactGatherer` needs. */
export interface RuleFactGathererDependencies {
  readonly registry: RegistryReader;
  readonly source: Pick<RuleSource, 'resolutionOf'>;
  readonly exports: ExportReader;
  readonly grants: GrantChecks;
  readonly installations: Pick<Installations, 'of'>;
  /** The path of dep-ctrl's own workspace, where it is known. */
  readonly home: WorkspacePath | undefined;
  readonly cycles: Pick<TypeCycles, 'of'>;
}

const NOT_KNOWN = { state: 'not-verified', problem: 'the workspace is not known' } as const;

/** Facts, and when to gather them again. */
export interface GatheredFacts {
  readonly facts: RuleFacts;
  readonly againInMs: number | undefined;
}

/** Gathers facts about rules. */
export class RuleFactGatherer {
  readonly #dependencies: RuleFactGathererDependencies;

  constructor(dependencies: RuleFactGathererDependencies) {
    this.#dependencies = dependencies;
  }

  /** Gathers the facts, and reads the exports that the rule names. */
  async gather(rule: Rule, { signal }: Stoppable): Promise<GatheredFacts> {
    const { exports, cycles } = this.#dependencies;
    const { exportName, group, version, kind, resource } = rule.dependent;
    const fieldPaths = rule.dependencies.flatMap(({ fieldPath, namespacePath }) => [
      fieldPath,
      ...(namespacePath === undefined ? [] : [namespacePath]),
    ]);
    const workspace = this.#workspace(rule.cluster);
    const named = { cluster: rule.cluster, exportName, workspace, isOwn: true, group, version, kind, resource, fieldPaths };
    const dependent = await exports.verify(named, { signal });
    const { grant, againInMs } = await this.#grant(rule, dependent, signal);
    const targets = await Promise.all(rule.dependencies.map((dependency) => this.#target(rule, dependency, signal)));
    return { facts: { dependent, grant, targets, cycles: cycles.of(rule.key) }, againInMs };
  }

  /** Not asked for a type that does not exist. */
  async #grant(
    { cluster, dependent }: Rule,
    { state }: Verification,
    signal: AbortSignal,
  ): Promise<{ readonly grant: DependentsGrant; readonly againInMs: number | undefined }> {
    if (state === 'wrong') return { grant: { state: 'unknown' }, againInMs: undefined };
    const { registry, grants, home } = this.#dependencies;
    const { grant, freshForMs } = await grants.check(cluster, dependent, { signal });
    if (grant !== 'missing') return { grant: { state: grant }, againInMs: undefined };
    const command = `${bindCommand(registry.paths.pathOf(cluster) ?? cluster, home)} --shard-kubeconfig FILE`;
    return { grant: { state: 'missing', command }, againInMs: freshForMs };
  }

  async #target(rule: Rule, dependency: RuleDependency, signal: AbortSignal): Promise<TargetFacts> {
    const { registry, source, installations, exports, home } = this.#dependencies;
    const resolution = source.resolutionOf(dependency.export.path);
    const place = resolution && (resolution.state === 'found' && registry.isBound(resolution.cluster) ? resolution.cluster : 'not-bound');
    if (place === undefined || place === 'not-bound') {
      return { dependency, place, consentRefused: undefined, verification: NOT_KNOWN, installation: undefined, home };
    }
    const { group, version, resource } = dependency;
    const workspace = `workspace "${dependency.export.path}"`;
    const named = { cluster: place, exportName: dependency.export.name, workspace, isOwn: place === rule.cluster };
    return {
      dependency,
      place,
      consentRefused: registry.isAdmitted(place, rule) ? undefined : this.#refusal(rule, dependency),
      verification: await exports.verify({ ...named, group, version, resource, fieldPaths: [] }, { signal }),
      installation: installationFor(rule, dependency, installations.of(place)),
      home,
    };
  }

  #refusal(rule: Rule, dependency: RuleDependency): string {
    const { registry } = this.#dependencies;
    const own = registry.paths.pathOf(rule.cluster) ?? rule.cluster;
    return `workspace "${dependency.export.path}" does not admit rules from "${own}": the owner of the first can add the second to allowRulesFrom of DependencyGuard dependency-controller`;
  }

  #workspace(cluster: LogicalClusterName): string {
    return printWorkspace(cluster, this.#dependencies.registry.paths.pathOf(cluster));
  }
}
