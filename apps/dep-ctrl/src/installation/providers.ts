// The workspaces that bind dep-ctrl: their objects, and whether their configurations are as the rules want them. Pure.
import {
  hintedPath,
  printGroupResource,
  groupResourceKey,
  type KubeObject,
  type LogicalClusterName,
  type WorkspacePath,
} from '@dep-ctrl/kcp-names';
import { EXPORT_NAME, GUARD_NAME, PERMISSION_CLAIM, type GuardRuleEntry, type RegistryReader } from '@dep-ctrl/rule-registry';
import { holds, readClaim } from '@dep-ctrl/webhook-installer';
import { desiredWebhooks, guardedBy, type GuardedResource } from '../controller/configuration/desired-webhooks.js';
import { isCrowded } from '../controller/configuration/fit-configuration.js';
import { isOurs, ownershipOf } from '../controller/configuration/ownership.js';
import { entriesOf } from '../controller/guard/guard-objects.js';
import { resourceOf } from '../rules/guard-entries.js';
import type { InstallationFacts } from './facts.js';
import type { Unread } from './reading.js';
import { allOf, knownRules } from './known-rules.js';
import { installedUrls } from './read-webhooks.js';

/** Whether the configuration of a workspace is what is wanted. */
export type ConfigurationState =
  /** Nothing is wanted, and nothing is there. */
  | { readonly state: 'none' }
  | { readonly state: 'equal' }
  | { readonly state: 'missing' }
  /** A configuration of another owner, which is in the way. */
  | { readonly state: 'foreign' }
  /** It guards too little or too much, or is not written as we write it. */
  | { readonly state: 'differs'; readonly lacks: readonly string[]; readonly beyond: readonly string[] }
  /** Ours, and nothing is wanted. */
  | { readonly state: 'leftover' }
  /** Not everything that it takes can be seen. */
  | { readonly state: 'unknown'; readonly why: string };

/** One workspace. */
export interface Provider {
  readonly cluster: LogicalClusterName;
  /** The path that its binding names, if that is proven, or its cluster. */
  readonly name: string;
  readonly bindings: readonly KubeObject[];
  readonly guard: KubeObject | undefined;
  readonly configuration: KubeObject | undefined;
  readonly configurationState: ConfigurationState;
  /** What rules in force guard here. */
  readonly entries: readonly GuardRuleEntry[];
}

/** Whether every rule, guard and binding of every shard was read: then what is not among them does not exist. */
export function isWhole(installation: Pick<InstallationFacts, 'home' | 'shards'>): boolean {
  return firstUnread(installation) === undefined;
}

/** What keeps an installation from being whole. */
export function firstUnread({ home, shards }: Pick<InstallationFacts, 'home' | 'shards'>): Unread | undefined {
  const readings = [home.slice, ...shards.flatMap(({ bindings, rules, guards }) => [bindings, rules, guards])];
  return readings.find((reading) => reading.state === 'unread');
}

/** All workspaces that bind dep-ctrl, and those with objects of ours, sorted by name. */
export function providersOf(installation: InstallationFacts): readonly Provider[] {
  const { home, shards, paths } = installation;
  const owner = home.presence.state === 'found' ? home.presence.cluster : undefined;
  const rules = knownRules(shards, paths);
  const bindings = byCluster(allOf(shards, 'bindings'));
  const guards = byCluster(allOf(shards, 'guards'));
  const configurations = byCluster(allOf(shards, 'configurations').filter(({ object }) => object.metadata.name === GUARD_NAME));
  const clusters = new Set([...bindings.keys(), ...guards.keys(), ...configurations.keys()]);
  const isRead = isWhole(installation) && shards.every((shard) => shard.configurations.state === 'read');
  const unresolved = rules.unresolvedPaths();
  return [...clusters]
    .map((cluster): Provider => {
      const own = bindings.get(cluster) ?? [];
      const configuration = configurations.get(cluster)?.[0];
      const entries = wantedIn(rules, cluster);
      const hidden = hiddenBy(own, owner);
      const compared = compare({ cluster, owner, configuration, wanted: entries });
      const path = pathIn(own, cluster, paths);
      const isKnown = isRead && !unresolved.some((each) => mayBe(each, path));
      return {
        cluster,
        name: path ?? cluster,
        bindings: own,
        guard: guards.get(cluster)?.[0],
        configuration,
        entries,
        configurationState: hidden ?? (isKnown || compared.state === 'foreign' ? compared : UNREAD),
      };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

const UNREAD: ConfigurationState = { state: 'unknown', why: 'not every rule, guard and configuration could be read' };

/** kcp shows nothing of a workspace that does not accept the claim; what was written there before stays, and keeps refusing. */
function hiddenBy(bindings: readonly KubeObject[], owner: LogicalClusterName | undefined): ConfigurationState | undefined {
  if (owner === undefined || bindings.length === 0) return undefined;
  const { state } = readClaim(bindings, { cluster: owner, name: EXPORT_NAME }, PERMISSION_CLAIM, PERMISSION_CLAIM.verbs);
  return state === 'accepted'
    ? undefined
    : {
        state: 'unknown',
        why: 'kcp hides it, as the workspace does not accept the claim of dep-ctrl; if it was written before, it stays in force',
      };
}

/** The names of workspaces for people. */
export function workspaceNames(providers: readonly Provider[], { home }: Pick<InstallationFacts, 'home'>): (cluster: string) => string {
  const names = new Map<string, string>(providers.map(({ cluster, name }) => [cluster, name]));
  if (home.presence.state === 'found') names.set(home.presence.cluster, home.path);
  return (cluster) => names.get(cluster) ?? cluster;
}

function wantedIn(rules: RegistryReader, cluster: LogicalClusterName): readonly GuardRuleEntry[] {
  return entriesOf(rules.guarded(cluster).matches, rules.paths);
}

interface Compared {
  readonly cluster: LogicalClusterName;
  readonly owner: LogicalClusterName | undefined;
  readonly configuration: KubeObject | undefined;
  readonly wanted: readonly GuardRuleEntry[];
}

function compare({ cluster, owner, configuration, wanted }: Compared): ConfigurationState {
  if (owner === undefined) return { state: 'unknown', why: 'the export of dep-ctrl was not read' };
  if (configuration === undefined) return { state: wanted.length === 0 ? 'none' : 'missing' };
  if (!isOurs(configuration, owner)) return { state: wanted.length === 0 ? 'none' : 'foreign' };
  if (wanted.length === 0) return { state: 'leftover' };
  // What of more types than there is room for is guarded depends on what the workspace exports.
  if (isCrowded(wanted)) return { state: 'unknown', why: 'rules name more types than one configuration holds' };
  const guarded = wanted.map((entry) => ({ ...resourceOf(entry), enforcement: entry.enforcement }));
  const [lacks, beyond] = [without(guarded, guardedBy(configuration)), without(guardedBy(configuration), guarded)];
  if (lacks.length + beyond.length > 0) return { state: 'differs', lacks, beyond };
  const desired = desiredWebhooks(guarded, { guardedCluster: cluster, ...addressIn(configuration, cluster) });
  return holds(configuration, { desired, ownership: ownershipOf(owner) })
    ? { state: 'equal' }
    : { state: 'differs', lacks: [], beyond: [] };
}

/** Where the configuration has kcp ask: whether that is right is judged by asking there. */
function addressIn(configuration: KubeObject, cluster: LogicalClusterName) {
  const [installed] = installedUrls([configuration]);
  const [before = '', after = ''] = (installed?.url ?? '').split(`/${cluster}`);
  const token = /^\/([^/]+)/.exec(after)?.[1];
  const urlToken = token === undefined || token === 'advisory' || token === 'bypass' ? {} : { urlToken: token };
  return { webhookUrl: before, ...urlToken, ...(installed?.caBundle === undefined ? {} : { caBundle: installed.caBundle }) };
}

/** Types of the first that the second does not hold as strictly. */
function without(some: readonly GuardedResource[], others: readonly GuardedResource[]): readonly string[] {
  const strict = new Map<string, boolean>();
  for (const each of others)
    strict.set(groupResourceKey(each), (strict.get(groupResourceKey(each)) ?? false) || each.enforcement === 'Deny');
  const lacking = some.filter((each) => {
    const held = strict.get(groupResourceKey(each));
    return held === undefined || (each.enforcement === 'Deny' && !held);
  });
  return [...new Set(lacking.map((each) => printGroupResource(each)))].sort();
}

function byCluster(
  all: readonly { readonly cluster: LogicalClusterName; readonly object: KubeObject }[],
): ReadonlyMap<LogicalClusterName, readonly KubeObject[]> {
  const map = new Map<LogicalClusterName, readonly KubeObject[]>();
  for (const { cluster, object } of all) map.set(cluster, [...(map.get(cluster) ?? []), object]);
  return map;
}

/** The path that the binding names, if kcp names this workspace for it. People copy commands with it. */
function pathIn(
  bindings: readonly KubeObject[],
  cluster: LogicalClusterName,
  paths: InstallationFacts['paths'],
): WorkspacePath | undefined {
  return bindings.map(hintedPath).find((path) => path !== undefined && paths.get(path) === cluster);
}

/** Whether a path that was not resolved may lead to a workspace. From root on each has one path; one that is proven is resolved, and is another one. */
function mayBe(unresolved: WorkspacePath, path: WorkspacePath | undefined): boolean {
  return path === undefined || !unresolved.startsWith('root:');
}
