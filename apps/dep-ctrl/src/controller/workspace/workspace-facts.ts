/*
 * Gathers the facts about one guarded workspace from the registry and from the objects that the watches showed, without asking kcp. So the facts
 * may be old: the plan is made from them and carried out on fresh state.
 */
import { printGroupResource, type KubeObject, type LogicalClusterName, type WorkspacePath } from '@dep-ctrl/kcp-names';
import type { VirtualWorkspaceUrl } from '@dep-ctrl/kcp-client';
import {
  GUARD_NAME,
  guardEntries,
  PERMISSION_CLAIM,
  ruleInForce,
  ruleKeyOf,
  type ReadGuardEntry,
  type RegistryReader,
  type RuleKey,
  type RuleReport,
} from '@dep-ctrl/rule-registry';
import { readClaim, type ClaimState } from '@dep-ctrl/webhook-installer';
import type { Resolution } from '@dep-ctrl/workspace-resolver';
import { exportClusterOf } from '@dep-ctrl/kcp-objects';
import { isBindingOf } from '@dep-ctrl/exported-types';
import type { Seen, SeenObjects, WatchedObjects } from '../../rules/watched-objects.js';
import { isRefusingAll } from '../../own-objects/handed-over.js';
import { guardedBy, type GuardedResource } from '../configuration/desired-webhooks.js';
import type { TurnedAway } from '../guard/guard-consent.js';
import { entriesOf, entryKey, guardSight } from '../guard/guard-objects.js';
import { isOurs } from '../configuration/ownership.js';
import type { WorkspaceFacts } from './plan-workspace.js';
import { ruleVersion, type UnseenRule } from './unseen-rules.js';

/** What facts are gathered from. */
export interface FactSources {
  readonly registry: RegistryReader;
  readonly seen: WatchedObjects;
  readonly exportName: string;
  /** What a path means; undefined: kcp has not been asked yet. */
  readonly resolutionOf: (path: WorkspacePath) => Resolution | undefined;
}

/** Facts about one guarded workspace, and the objects that they were read from. */
export interface GatheredFacts extends WorkspaceFacts {
  readonly endpoint: VirtualWorkspaceUrl | undefined;
  readonly guardObject: KubeObject | undefined;
  readonly configuration: KubeObject | undefined;
  /** The rules that the guard does not admit. */
  readonly turnedAway: readonly TurnedAway[];
  /** Of the rules that the guard names, those that no endpoint shows as late as the guard says, and that are believed all the same. */
  readonly unseen: readonly UnseenRule[];
}

/** Everything that is known about a workspace now. */
export function gatherFacts(cluster: LogicalClusterName, sources: FactSources): GatheredFacts {
  const { registry } = sources;
  const { bindings, guard: guardSeen, configuration } = shownOf(cluster, sources);
  const [binding] = bindings;
  const answer = registry.guarded(cluster);
  const named = guardEntries(guardSeen?.value ?? {});
  const missing = missingRules(cluster, registry);
  // A rule that the guard knows in a later state than any endpoint has shown yet is in force as the guard says.
  const keptAsNamed = new Set(named.filter((entry) => missing.has(keyOf(entry))).map(entryKey));
  const unproven = unprovenEntries(named, missing, registry);
  return {
    endpoint: (binding ?? configuration)?.endpoint,
    guardObject: guardSeen?.value,
    configuration: configuration?.value,
    binding: bindingState(bindings, sources),
    guard:
      binding !== undefined && !hasListedAll(sources.seen, binding.endpoint)
        ? { state: 'unread' }
        : guardSight(guardSeen?.value, registry.guard(cluster)),
    configured: configuration && guardedByOurs(configuration),
    isHandedOver: configuration !== undefined && isRefusingAll(configuration.value),
    refusesRules: answer.refused.length > 0,
    turnedAway: answer.refused.map(({ rule }) => ({ author: registry.paths.pathOf(rule.cluster) ?? rule.cluster, rule: rule.name })),
    wanted: entriesOf(answer.matches, registry.paths).filter((entry) => !keptAsNamed.has(entryKey(entry))),
    unproven,
    everyRuleIsKnown: registry.completeness().state === 'known' && isEveryPathAsked(sources),
    unseen: named.filter((entry) => !unproven.includes(entry)).flatMap((entry) => unseenRule(entry, sources)),
  };
}

/** See `GatheredFacts`. A rule whose workspace no endpoint shows is proven gone otherwise. */
function unseenRule({ cluster, rule: name, uid, generation = 0 }: ReadGuardEntry, sources: FactSources): readonly UnseenRule[] {
  const rule = sources.registry.rule(ruleKeyOf(cluster, name));
  if (rule !== undefined && (uid === undefined || (rule.uid === uid && rule.generation >= generation))) return [];
  const [binding] = shownOf(cluster, sources).bindings;
  return binding === undefined ? [] : [{ cluster, name, endpoint: binding.endpoint, shown: rule && ruleVersion(rule) }];
}

/** A rule whose path kcp has not answered for yet may be about any workspace. A refusal is an answer. */
function isEveryPathAsked({ registry, resolutionOf }: FactSources): boolean {
  return registry.unresolvedPaths().every((path) => !['unreachable', undefined].includes(resolutionOf(path)?.state));
}

interface Shown {
  readonly bindings: readonly Seen[];
  readonly guard: Seen | undefined;
  readonly configuration: Seen | undefined;
}

/** The objects of a workspace. Where an endpoint that the export has now shows its binding, what withdrawn ones showed is old. */
function shownOf(cluster: LogicalClusterName, { registry, seen, exportName }: FactSources): Shown {
  const endpoints = registry.endpoints();
  const isServed = ({ endpoint }: Seen): boolean => {
    const state = endpoints !== 'unread' && endpoints.get(endpoint)?.state;
    return state === 'syncing' || state === 'listed';
  };
  const own = seen.bindings.list(cluster).filter(({ value }) => isBindingOf(value, exportName));
  const counts = own.some(isServed) ? isServed : () => true;
  const named = (store: SeenObjects): Seen | undefined =>
    [store.get({ cluster, name: GUARD_NAME })].find((shown) => shown && counts(shown));
  return { bindings: own.filter(counts), guard: named(seen.guards), configuration: named(seen.configurations) };
}

/** Guards and configurations: until configurations are listed it is not known whether one has to be made, or was there and is gone. */
function hasListedAll({ guards, configurations }: WatchedObjects, endpoint: VirtualWorkspaceUrl): boolean {
  return guards.hasListed(endpoint) && configurations.hasListed(endpoint);
}

function bindingState(bindings: readonly Seen[], { registry, exportName }: FactSources): ClaimState['state'] | 'unread' {
  const [first] = bindings;
  const owner = first && exportClusterOf(first.endpoint);
  if (owner === undefined) return registry.completeness().state === 'known' ? 'not-bound' : 'unread';
  const objects = bindings.map(({ value }) => value);
  return readClaim(objects, { cluster: owner, name: exportName }, PERMISSION_CLAIM, PERMISSION_CLAIM.verbs).state;
}

/** What a configuration of ours, or one that we would adopt, guards. */
function guardedByOurs({ endpoint, value: configuration }: Seen): readonly GuardedResource[] | undefined {
  const owner = exportClusterOf(endpoint);
  return owner !== undefined && isOurs(configuration, owner) ? guardedBy(configuration) : undefined;
}

/** The entries of the guard that are not proven wrong: their rule is not proven deleted or edited. */
function unprovenEntries(
  entries: readonly ReadGuardEntry[],
  missing: ReadonlySet<RuleKey>,
  registry: RegistryReader,
): readonly ReadGuardEntry[] {
  const unclear = new Map<RuleKey, ReadonlySet<string>>();
  return entries.filter((entry) => {
    const key = keyOf(entry);
    if (missing.has(key)) return true;
    const resources = unclear.get(key) ?? unclearResources(registry.rule(key), registry);
    unclear.set(key, resources);
    return resources.has(entry.resource);
  });
}

/** The rules that the guard names and that were not read yet, or not in the version that it names. */
function missingRules(cluster: LogicalClusterName, registry: RegistryReader): ReadonlySet<RuleKey> {
  const rules = registry.missing(cluster).filter((what) => what.kind === 'rule');
  return new Set(rules.map(({ rule }) => rule.key));
}

function keyOf({ cluster, rule }: ReadGuardEntry): RuleKey {
  return ruleKeyOf(cluster, rule);
}

/** The resources that a rule names by paths that are not resolved now. */
function unclearResources(report: RuleReport | undefined, registry: RegistryReader): ReadonlySet<string> {
  if (report === undefined || registry.isOverQuota(report.key)) return new Set();
  const unclear = (ruleInForce(report)?.dependencies ?? []).filter(({ export: { path } }) => registry.paths.clusterOf(path) === 'unknown');
  return new Set(unclear.map((dependency) => printGroupResource(dependency)));
}
