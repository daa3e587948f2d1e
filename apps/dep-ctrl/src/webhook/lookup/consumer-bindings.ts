// What the APIBindings of a consumer workspace say about one dependent type. Names alone prove nothing there: two exports may serve the
// same group and resource, and a provider that was made anew has the same path and another cluster.
import { groupResourceKey, type GroupResource, type KubeObject, type LogicalClusterName, type WorkspacePath } from '@dep-ctrl/kcp-names';
import { elements, record, text } from '../json-value.js';
import type { LookupFailure } from '../review/lookup.js';

/** The schema that a binding serves; schemas are immutable, so the UID says it all. */
export interface SchemaRef {
  readonly name: string;
  readonly uid: string;
}

/** One APIBinding, as far as a lookup needs it. */
export interface ConsumerBinding {
  readonly name: string;
  readonly reference: { readonly path?: string; readonly exportName?: string };
  /** The cluster whose export it is bound to; absent until kcp has bound it. */
  readonly exporter?: string;
  readonly bound: ReadonlyMap<string, SchemaRef | undefined>;
}

/** The dependent type as rules name it. */
export interface ExportedType extends GroupResource {
  readonly exporter: LogicalClusterName;
  /** The path of the exporting workspace, where it is known. */
  readonly exporterPath: WorkspacePath | undefined;
  readonly exportNames: readonly string[];
}

/** Whether a consumer has bound a dependent type. `schema` is absent where the binding does not say which. */
export type BoundType =
  | { readonly state: 'bound'; readonly schema: SchemaRef | undefined; readonly exportName: string | undefined }
  | { readonly state: 'not-bound' }
  | { readonly state: 'cannot-tell'; readonly failure: LookupFailure };

/** Reads an APIBinding of v1alpha2 or v1alpha1. What is malformed counts as absent. */
export function readConsumerBinding({ metadata, ...object }: KubeObject): ConsumerBinding {
  const target = record(record(record(object['spec'])?.['reference'])?.['export']);
  const status = record(object['status']);
  const path = text(target?.['path']);
  const exportName = text(target?.['name']);
  const exporter = text(status?.['apiExportClusterName']);
  return {
    name: metadata.name ?? '',
    reference: { ...(path === undefined ? {} : { path }), ...(exportName === undefined ? {} : { exportName }) },
    ...(exporter === undefined ? {} : { exporter }),
    bound: new Map(elements(status?.['boundResources']).flatMap(readBoundResource)),
  };
}

/** What the bindings of a workspace say about a type. */
export function boundType(bindings: readonly ConsumerBinding[], type: ExportedType): BoundType {
  const key = groupResourceKey(type);
  const own = bindings.find(({ exporter, bound }) => exporter === type.exporter && bound.has(key));
  if (own !== undefined) return { state: 'bound', schema: own.bound.get(key), exportName: own.reference.exportName };
  const stale = bindings.find((binding) => namesSameExport(binding, type, key));
  if (stale === undefined) return { state: 'not-bound' };
  return { state: 'cannot-tell', failure: { code: 'export-recreated', lasting: true, binding: stale.name } };
}

/**
 * Whether a workspace may hold objects of a group that a workspace exports: it has bound a resource of that group from there, or anything from
 * there that does not say what, or anything of an earlier workspace at that path. A group that is not known is any.
 */
export function mayHoldOf(
  bindings: readonly ConsumerBinding[],
  { exporter, exporterPath, group }: Pick<ExportedType, 'exporter' | 'exporterPath'> & { readonly group: string },
): boolean {
  return bindings.some((binding) => {
    if (binding.exporter === undefined) return false;
    // A provider that was made anew: what the consumer still holds is of the old one. Without a path anybody may be that.
    if (binding.exporter !== exporter) return exporterPath === undefined || binding.reference.path === exporterPath;
    return group === '' || binding.bound.size === 0 || [...binding.bound.keys()].some((key) => key.startsWith(`${group}/`));
  });
}

// The same address and another cluster: the provider was made anew, and what the consumer still holds is of the old one. Where the
// address of the exporter is not known, a bound type of an export with that name is suspect too.
function namesSameExport({ reference, exporter, bound }: ConsumerBinding, type: ExportedType, key: string): boolean {
  if (exporter === undefined || exporter === type.exporter) return false;
  if (reference.exportName === undefined || !type.exportNames.includes(reference.exportName)) return false;
  return type.exporterPath === undefined ? bound.has(key) : reference.path === type.exporterPath;
}

function readBoundResource(entry: unknown): readonly (readonly [string, SchemaRef | undefined])[] {
  const resource = record(entry);
  const name = text(resource?.['resource']);
  if (name === undefined) return [];
  const schema = record(resource?.['schema']);
  const schemaName = text(schema?.['name']);
  const uid = text(schema?.['UID']);
  const ref = schemaName === undefined || uid === undefined ? undefined : { name: schemaName, uid };
  return [[groupResourceKey({ group: text(resource?.['group']) ?? '', resource: name }), ref]];
}
