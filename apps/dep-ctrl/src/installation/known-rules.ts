// Feeds the rules and guards that were read into a registry, as both roles do. Pure.
import { clusterOf, type KubeObject, type WorkspacePath } from '@dep-ctrl/kcp-names';
import { API_BINDINGS } from '@dep-ctrl/kcp-objects';
import type { Observed, VirtualWorkspaceUrl } from '@dep-ctrl/kcp-client';
import { createRegistry, EXPORT_NAME, GUARDS, RULES, type RegistryReader } from '@dep-ctrl/rule-registry';
import { isBindingOf } from '@dep-ctrl/exported-types';
import { feedOfLists } from '../rules/registry-feed.js';
import type { InstallationFacts, ShardFacts } from './facts.js';
import { valueOr } from './reading.js';

/** The registry of these shards. */
export function knownRules(
  shards: readonly Pick<ShardFacts, 'url' | 'bindings' | 'rules' | 'guards'>[],
  paths: InstallationFacts['paths'],
): RegistryReader {
  const { reader, writer } = createRegistry();
  const feed = feedOfLists({ exportName: EXPORT_NAME, reader, writer });
  writer.endpointsRead(shards.map(({ url }) => url));
  for (const { url, bindings, rules, guards } of shards) {
    const endpoint = url as VirtualWorkspaceUrl; // it is only a name here
    for (const [type, read] of [[API_BINDINGS, bindings] as const, [RULES, rules] as const, [GUARDS, guards] as const]) {
      if (read.state === 'read')
        feed.take({ kind: 'observed', endpoint, type, event: { kind: 'replaced', objects: inClusters(read.value) } });
    }
  }
  for (const [path, cluster] of paths) writer.pathResolved(path, cluster);
  return reader;
}

/** The paths that rules and guards name. */
export function namedPaths(shards: readonly ShardFacts[]): readonly WorkspacePath[] {
  return knownRules(shards, new Map()).unresolvedPaths();
}

/** Objects by the workspace that kcp says they are in. */
export function inClusters(objects: readonly KubeObject[]): readonly Observed[] {
  return objects.flatMap((object) => {
    const cluster = clusterOf(object);
    return cluster.ok ? [{ cluster: cluster.value, object }] : [];
  });
}

/** The bindings to dep-ctrl among those that its virtual workspace shows. */
export function ownBindings(bindings: readonly KubeObject[]): readonly Observed[] {
  return inClusters(bindings.filter((each) => isBindingOf(each, EXPORT_NAME)));
}

/** All objects of one kind that were read, of all shards. */
export function allOf(shards: readonly ShardFacts[], kind: 'bindings' | 'rules' | 'guards' | 'configurations'): readonly Observed[] {
  const objects = shards.flatMap((shard) => valueOr(shard[kind], []));
  return kind === 'bindings' ? ownBindings(objects) : inClusters(objects);
}
