// The types that a workspace has bound, from its APIBindings. Pure.
import { compareText, groupResourceKey, type GroupResource, type KubeObject, type LogicalClusterName } from '@dep-ctrl/kcp-names';
import { boundResourcesOf, exporterIn } from './api-binding.js';

/** A type that a workspace has bound. */
export interface BoundType extends GroupResource {
  /** The cluster whose export brings it, as kcp says. */
  readonly exporter: LogicalClusterName;
  /** In which its objects are stored. Only rarely more than one. */
  readonly versions: readonly string[];
}

/** The types of all bindings, sorted. kcp binds a name once; where two bindings claim it, the exporter that is first in order counts. */
export function typesOfBindings(bindings: readonly KubeObject[]): readonly BoundType[] {
  const all = bindings.flatMap((binding) => {
    const exporter = exporterIn(binding);
    if (exporter === undefined) return [];
    return boundResourcesOf(binding).map(({ group, resource, storageVersions }): BoundType => {
      return { group, resource, exporter, versions: storageVersions.toSorted(compareText) };
    });
  });
  const sorted = all.toSorted((a, b) => compareText(groupResourceKey(a), groupResourceKey(b)) || compareText(a.exporter, b.exporter));
  return sorted.filter((type, index) => index === 0 || groupResourceKey(type) !== groupResourceKey(sorted[index - 1] ?? type));
}
