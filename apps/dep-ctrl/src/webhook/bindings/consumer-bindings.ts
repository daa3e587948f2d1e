// What the APIBindings of a consumer workspace say about one dependent type. Names alone prove nothing there: two exports may serve the
// same group and resource, and a provider that was made anew has the same path and another cluster.
import { EACH, JsonProjection, type PathStep } from '@dep-ctrl/fieldpath';
import {
  elements,
  groupResourceKey,
  parseLogicalClusterName,
  parseWorkspacePath,
  record,
  text,
  type GroupResource,
  type KubeObject,
  type LogicalClusterName,
  type WorkspacePath,
} from '@dep-ctrl/kcp-names';
import type { PathAnswers } from '@dep-ctrl/rule-registry';
import type { LookupFailure } from '../decision/lookup.js';

/** The schema that a binding serves; schemas are immutable, so the UID says it all. */
export interface SchemaRef {
  readonly name: string;
  readonly uid: string;
}

/** One APIBinding, as far as a lookup needs it. */
export interface ConsumerBinding {
  readonly name: string;
  readonly reference: { readonly path?: WorkspacePath; readonly exportName?: string };
  /** The cluster whose export it is bound to; absent until kcp has bound it. */
  readonly exporter?: LogicalClusterName;
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
  | { readonly state: 'bound'; readonly binding: string; readonly schema: SchemaRef | undefined }
  | { readonly state: 'not-bound' }
  | { readonly state: 'cannot-tell'; readonly failure: LookupFailure };

/** All that {@link readConsumerBinding} reads: of a binding that somebody blew up, nothing else is parsed. */
export const BINDING_PARTS = new JsonProjection([
  ['metadata', 'name'],
  ...['path', 'name'].map((key) => ['spec', 'reference', 'export', key]),
  ['status', 'apiExportClusterName'],
  ...['group', 'resource'].map((key): readonly PathStep[] => ['status', 'boundResources', EACH, key]),
  ...['name', 'UID'].map((key): readonly PathStep[] => ['status', 'boundResources', EACH, 'schema', key]),
]);

/** Reads an APIBinding of v1alpha2 or v1alpha1. What is malformed counts as absent. */
export function readConsumerBinding({ metadata, ...object }: KubeObject): ConsumerBinding {
  const target = record(record(record(object['spec'])?.['reference'])?.['export']);
  const status = record(object['status']);
  const path = parseWorkspacePath(text(target?.['path']) ?? '');
  const exportName = nameIn(target?.['name']);
  const exporter = parseLogicalClusterName(text(status?.['apiExportClusterName']) ?? '');
  return {
    name: metadata.name ?? '',
    reference: { ...(path.ok && { path: path.value }), ...(exportName === undefined ? {} : { exportName }) },
    ...(exporter.ok && { exporter: exporter.value }),
    bound: new Map(elements(status?.['boundResources']).flatMap(readBoundResource)),
  };
}

/** What the bindings of a workspace say about a type. */
export function boundType(bindings: readonly ConsumerBinding[], type: ExportedType): BoundType {
  const key = groupResourceKey(type);
  const own = bindings.find(({ exporter, bound }) => exporter === type.exporter && bound.has(key));
  if (own !== undefined) return { state: 'bound', binding: own.name, schema: own.bound.get(key) };
  const stale = bindings.find((binding) => namesSameExport(binding, type));
  if (stale === undefined) return { state: 'not-bound' };
  return { state: 'cannot-tell', failure: { code: 'export-recreated', lasting: true, binding: stale.name } };
}

/** The workspace that exports a type to this consumer; undefined: no binding brings it. */
export function exporterOf(bindings: readonly ConsumerBinding[], type: GroupResource): LogicalClusterName | undefined {
  const key = groupResourceKey(type);
  return bindings.find(({ bound }) => bound.has(key))?.exporter;
}

/**
 * The workspaces whose rules concern a consumer: those that it is bound to, and those that its bindings name by a path, where a provider was made
 * anew. Nobody else's do.
 */
export function authorsFor(bindings: readonly ConsumerBinding[], paths: Pick<PathAnswers, 'clusterOf'>): ReadonlySet<LogicalClusterName> {
  const authors = new Set<LogicalClusterName>();
  for (const { exporter, reference } of bindings) {
    if (exporter === undefined) continue;
    authors.add(exporter);
    const named = reference.path === undefined ? 'unknown' : paths.clusterOf(reference.path);
    if (named !== 'unknown' && named !== 'missing') authors.add(named);
  }
  return authors;
}

// The same address and another cluster: the provider was made anew, and what the consumer still holds is of the old one. An address counts
// as kcp answered for it; where that is not known, nothing is suspected.
function namesSameExport({ reference, exporter }: ConsumerBinding, type: ExportedType): boolean {
  if (exporter === undefined || exporter === type.exporter || type.exporterPath === undefined) return false;
  return reference.path === type.exporterPath && reference.exportName !== undefined && type.exportNames.includes(reference.exportName);
}

function readBoundResource(entry: unknown): readonly (readonly [string, SchemaRef | undefined])[] {
  const resource = record(entry);
  const name = nameIn(resource?.['resource']);
  if (name === undefined) return [];
  const schema = record(resource?.['schema']);
  const schemaName = nameIn(schema?.['name']);
  const uid = nameIn(schema?.['UID']);
  const ref = schemaName === undefined || uid === undefined ? undefined : { name: schemaName, uid };
  return [[groupResourceKey({ group: nameIn(resource?.['group']) ?? '', resource: name }), ref]];
}

/** The longest name that Kubernetes knows. kcp stores longer ones where they stand in an APIBinding, and what is read of it is remembered. */
const LONGEST_NAME = 253;

function nameIn(value: unknown): string | undefined {
  const name = text(value);
  return name === undefined || name.length > LONGEST_NAME ? undefined : name;
}
