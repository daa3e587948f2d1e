// Which types of a workspace refer to which, by the rules that reach it: design 10.2. Pure, but for what it asks the registry.
import type { BoundType } from '@dep-ctrl/exported-types';
import { groupResourceKey } from '@dep-ctrl/kcp-names';
import type { TypeEdge, TypeOrder } from '@dep-ctrl/ordered-teardown';
import { isCluster, type RegistryReader } from '@dep-ctrl/rule-registry';

/**
 * A rule counts if its dependent is bound here from the rule's own cluster and its dependency from the cluster that the path resolved to. A rule of a
 * provider that is not bound here is not even looked at, nor one that the guard of the dependency's provider does not admit. There may be more edges while
 * some rules are not read yet, or it is not known where they lead.
 */
export function edgesHere(types: readonly BoundType[], registry: Pick<RegistryReader, 'guarding' | 'paths'>): TypeOrder {
  const here = new Map(types.map((type) => [groupResourceKey(type), type]));
  const authors = new Set(types.map(({ exporter }) => exporter));
  let isComplete = true;
  const edges = types.flatMap((to) => {
    const { state, matches } = registry.guarding(to.exporter, to, authors);
    isComplete &&= state === 'known';
    return matches.flatMap(({ rule, dependency }): readonly TypeEdge[] => {
      const from = here.get(groupResourceKey(rule.dependent));
      if (from?.exporter !== rule.cluster) return [];
      const target = registry.paths.clusterOf(dependency.export.path);
      // A process that has just started has read the rules before it knows their paths.
      isComplete &&= target !== 'unknown';
      // The registry knows no rule here whose path leads elsewhere; one that leads nowhere, or nobody knows where, is left.
      return isCluster(target) ? [{ from, to }] : [];
    });
  });
  return { edges, isComplete };
}
