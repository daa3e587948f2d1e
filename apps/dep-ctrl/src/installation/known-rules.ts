// Feeds the rules and guards that were read into a registry, as both roles do. Pure.
import { clusterOf, type KubeObject, type LogicalClusterName, type WorkspacePath } from '@dep-ctrl/kcp-names';
import { createRegistry, EXPORT_NAME, parseGuard, reportRule, type RegistryReader } from '@dep-ctrl/rule-registry';
import { isBindingOf } from '@dep-ctrl/exported-types';
import type { InstallationFacts, ShardFacts } from './facts.js';
import { valueOr } from './reading.js';

/** The registry of these shards. */
export function knownRules(
  shards: readonly Pick<ShardFacts, 'url' | 'bindings' | 'rules' | 'guards'>[],
  paths: InstallationFacts['paths'],
): RegistryReader {
  const { reader, writer } = createRegistry();
  writer.endpointsRead(shards.map(({ url }) => url));
  for (const { url, bindings, rules, guards } of shards) {
    if (bindings.state === 'read')
      writer.workspacesListed(
        url,
        ownBindings(bindings.value).map(({ cluster }) => cluster),
      );
    if (rules.state === 'read')
      writer.rulesListed(
        url,
        inClusters(rules.value).map(({ cluster, object }) => reportRule(cluster, object)),
      );
    if (guards.state !== 'read') continue;
    writer.guardsListed(
      url,
      guards.value.flatMap((object) => {
        const guard = parseGuard(object);
        return guard.ok ? [guard.value] : [];
      }),
    );
  }
  for (const [path, cluster] of paths) writer.pathResolved(path, cluster);
  return reader;
}

/** The paths that rules and guards name. */
export function namedPaths(shards: readonly ShardFacts[]): readonly WorkspacePath[] {
  return knownRules(shards, new Map()).unresolvedPaths();
}

/** An object, and the workspace that it is in. */
export interface InCluster {
  readonly cluster: LogicalClusterName;
  readonly object: KubeObject;
}

/** Objects by the workspace that kcp says they are in. */
export function inClusters(objects: readonly KubeObject[]): readonly InCluster[] {
  return objects.flatMap((object) => {
    const cluster = clusterOf(object);
    return cluster.ok ? [{ cluster: cluster.value, object }] : [];
  });
}

/** The bindings to dep-ctrl among those that its virtual workspace shows. */
export function ownBindings(bindings: readonly KubeObject[]): readonly InCluster[] {
  return inClusters(bindings.filter((each) => isBindingOf(each, EXPORT_NAME)));
}

/** All objects of one kind that were read, of all shards. */
export function allOf(shards: readonly ShardFacts[], kind: 'bindings' | 'rules' | 'guards' | 'configurations'): readonly InCluster[] {
  const objects = shards.flatMap((shard) => valueOr(shard[kind], []));
  return kind === 'bindings' ? ownBindings(objects) : inClusters(objects);
}
