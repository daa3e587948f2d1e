// Reads from the APIBindings of a consumer workspace whether it has bound a dependent type, and from where. Names alone prove nothing: two exports may
// serve the same group and resource, and a provider that was made anew has the same path and another cluster.
import { groupResourceKey, type GroupResource, type LogicalClusterName, type WorkspacePath } from '@dep-ctrl/kcp-names';
import type { PathAnswers } from '@dep-ctrl/rule-registry';
import type { ApiBinding, SchemaRef } from '@dep-ctrl/exported-types';
import type { LookupFailure } from '../decision/lookup.js';

/** The dependent type as rules name it. */
export interface ExportedType extends GroupResource {
  readonly exporter: LogicalClusterName;
  /** The path of the exporting workspace, where it is known. */
  readonly exporterPath: WorkspacePath | undefined;
  readonly exportNames: readonly string[];
}

/** Whether a consumer has bound a dependent type. `schema` is absent if the binding does not name one. */
export type BoundType =
  | { readonly state: 'bound'; readonly binding: string; readonly schema: SchemaRef | undefined }
  | { readonly state: 'not-bound' }
  | { readonly state: 'cannot-tell'; readonly failure: LookupFailure };

/** Whether these bindings bring a type. */
export function boundType(bindings: readonly ApiBinding[], type: ExportedType): BoundType {
  const key = groupResourceKey(type);
  const own = bindings.find(({ exporter, bound }) => exporter === type.exporter && bound.has(key));
  if (own !== undefined) return { state: 'bound', binding: own.name, schema: own.bound.get(key) };
  const stale = bindings.find((binding) => namesSameExport(binding, type));
  if (stale === undefined) return { state: 'not-bound' };
  return { state: 'cannot-tell', failure: { code: 'export-recreated', lasting: false, binding: stale.name } };
}

/** The workspace that exports a type to this consumer; undefined: no binding brings the type. */
export function exporterOf(bindings: readonly ApiBinding[], type: GroupResource): LogicalClusterName | undefined {
  const key = groupResourceKey(type);
  return bindings.find(({ bound }) => bound.has(key))?.exporter;
}

/**
 * The workspaces whose rules concern a consumer: those that its bindings are bound to, and those that their paths name, if a provider was made anew.
 * No other workspace's rules concern it.
 */
export function authorsFor(bindings: readonly ApiBinding[], paths: Pick<PathAnswers, 'clusterOf'>): ReadonlySet<LogicalClusterName> {
  const authors = new Set<LogicalClusterName>();
  for (const { exporter, reference } of bindings) {
    if (exporter === undefined) continue;
    authors.add(exporter);
    const named = reference.path === undefined ? 'unknown' : paths.clusterOf(reference.path);
    if (named !== 'unknown' && named !== 'missing') authors.add(named);
  }
  return authors;
}

// The same path and another cluster: the provider was made anew, and the consumer's objects belong to the old one. The path is the one that kcp resolved;
// if it is not known, the binding counts as another export.
function namesSameExport({ reference, exporter }: ApiBinding, type: ExportedType): boolean {
  if (exporter === undefined || exporter === type.exporter || type.exporterPath === undefined) return false;
  return reference.path === type.exporterPath && type.exportNames.some((name) => name === reference.exportName);
}
