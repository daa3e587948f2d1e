/*
 * Gathers the facts about one guarded workspace from the registry and from the objects that the watches showed, without asking kcp. So the facts
 * may be old: the plan is made from them and carried out on fresh state.
 */
import {
  parseLogicalClusterName,
  printGroupResource,
  type KubeObject,
  type LogicalClusterName,
  type WorkspacePath,
} from '@dep-ctrl/kcp-names';
import type { VirtualWorkspaceUrl } from '@dep-ctrl/kcp-client';
import {
  GUARD_NAME,
  guardEntries,
  PERMISSION_CLAIM,
  ruleInForce,
  ruleKeyOf,
  type GuardedAnswer,
  type GuardRuleEntry,
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
import { guardedBy } from '../configuration/desired-webhooks.js';
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
  const endpoint = bindings[0]?.endpoint ?? configuration?.endpoint;
  const answer = registry.guarded(cluster);
  const owner = endpoint === undefined ? undefined : exportClusterOf(endpoint);
  const named = guardSeen === undefined ? [] : guardEntries(guardSeen.value);
  const isNamed = new Set(named.map(entryKey));
  const missing = missingRules(answer);
  const unproven = unprovenEntries(named, answer, registry);
  return {
    endpoint,
    guardObject: guardSeen?.value,
    configuration: configuration?.value,
    binding: bindingState(bindings, sources),
    guard:
      endpoint !== undefined && bindings.length > 0 && !hasListedAll(sources.seen, endpoint)
        ? { state: 'unread' }
        : guardSight(guardSeen?.value, registry.guard(cluster)),
    configured:
      configuration !== undefined && owner !== undefined && isOurs(configuration.value, owner) ? guardedBy(configuration.value) : undefined,
    isHandedOver: configuration !== undefined && isRefusingAll(configuration.value),
    refusesRules: answer.refused.length > 0,
    turnedAway: answer.refused.map(({ rule }) => ({ author: registry.paths.pathOf(rule.cluster) ?? rule.cluster, rule: rule.name })),
    // A rule that the guard knows in a later state than any endpoint has shown yet is in force as the guard says.
    wanted: entriesOf(answer.matches, registry.paths).filter((entry) => !isOf(missing, entry) || !isNamed.has(entryKey(entry))),
    unproven,
    everyRuleIsKnown: registry.completeness().state === 'known' && isEveryPathAsked(sources),
    unseen: named.filter((entry) => !unproven.includes(entry)).flatMap((entry) => unseenRule(entry, sources)),
  };
}

/** See `GatheredFacts`. A rule whose workspace no endpoint shows is proven gone otherwise. */
function unseenRule(
  { cluster: clusterName, rule: name, uid, generation = 0 }: GuardRuleEntry,
  sources: FactSources,
): readonly UnseenRule[] {
  const cluster = parseLogicalClusterName(clusterName);
  if (!cluster.ok) return [];
  const rule = sources.registry.rule(ruleKeyOf(cluster.value, name));
  if (rule !== undefined && (uid === undefined || (rule.uid === uid && rule.generation >= generation))) return [];
  const [binding] = shownOf(cluster.value, sources).bindings;
  return binding === undefined ? [] : [{ cluster: cluster.value, name, endpoint: binding.endpoint, shown: rule && ruleVersion(rule) }];
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
  const isServed = ({ endpoint }: Seen): boolean =>
    endpoints !== 'unread' && ['syncing', 'listed'].includes(endpoints.get(endpoint)?.state ?? 'withdrawn');
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
  const owner = first === undefined ? undefined : exportClusterOf(first.endpoint);
  if (owner === undefined) return registry.completeness().state === 'known' ? 'not-bound' : 'unread';
  const objects = bindings.map(({ value }) => value);
  return readClaim(objects, { cluster: owner, name: exportName }, PERMISSION_CLAIM, PERMISSION_CLAIM.verbs).state;
}

/** The entries of the guard that are not proven wrong: their rule is not proven deleted or edited. */
function unprovenEntries(entries: readonly GuardRuleEntry[], answer: GuardedAnswer, registry: RegistryReader): readonly GuardRuleEntry[] {
  const missing = missingRules(answer);
  const unclear = new Map<RuleKey, ReadonlySet<string>>();
  return entries.filter((entry) => {
    const cluster = parseLogicalClusterName(entry.cluster);
    if (!cluster.ok) return false;
    const key = ruleKeyOf(cluster.value, entry.rule);
    if (isOf(missing, entry)) return true;
    const resources = unclear.get(key) ?? unclearResources(registry.rule(key), registry);
    unclear.set(key, resources);
    return resources.has(entry.resource);
  });
}

/** The rules that the guard names and that were not read yet, or not in the version that it names. */
function missingRules(answer: GuardedAnswer): ReadonlySet<string> {
  return new Set(answer.state === 'known' ? [] : answer.missing.flatMap((what) => (what.kind === 'rule' ? [what.rule.key] : [])));
}

/** Whether an entry is about one of these rules. */
function isOf(rules: ReadonlySet<string>, { cluster, rule }: GuardRuleEntry): boolean {
  const parsed = parseLogicalClusterName(cluster);
  return parsed.ok && rules.has(ruleKeyOf(parsed.value, rule));
}

/** The resources that a rule names by paths that are not resolved now. */
function unclearResources(report: RuleReport | undefined, registry: RegistryReader): ReadonlySet<string> {
  if (report === undefined || registry.isOverQuota(report.key)) return new Set();
  const unclear = (ruleInForce(report)?.dependencies ?? []).filter(({ export: { path } }) => registry.paths.clusterOf(path) === 'unknown');
  return new Set(unclear.map((dependency) => printGroupResource(dependency)));
}
