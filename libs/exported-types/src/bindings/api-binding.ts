// Reads APIBindings of v1alpha2 or v1alpha1. A malformed field counts as absent.
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

/** The schema that a binding serves; schemas are immutable, so the UID says it all. */
export interface SchemaRef {
  readonly name: string;
  readonly uid: string;
}

/** The parts of an APIBinding that tell which types a workspace serves. */
export interface ApiBinding {
  readonly name: string;
  readonly reference: { readonly path?: WorkspacePath; readonly exportName?: string };
  /** The cluster whose export it is bound to; absent until kcp has bound it. */
  readonly exporter?: LogicalClusterName;
  readonly bound: ReadonlyMap<string, SchemaRef | undefined>;
}

/** A type that a binding serves. */
export interface BoundResource extends GroupResource {
  readonly schema: SchemaRef | undefined;
  /** The identity by which kcp keeps what is written through it. */
  readonly identityHash: string | undefined;
  /** The versions in which objects of it are stored, as kcp says. */
  readonly storageVersions: readonly string[];
}

/** All that {@link readApiBinding} reads: of a binding that was made huge on purpose, nothing else is parsed. */
export const API_BINDING_PARTS = new JsonProjection([
  ['metadata', 'name'],
  ...['path', 'name'].map((key) => ['spec', 'reference', 'export', key]),
  ['status', 'apiExportClusterName'],
  ...['group', 'resource'].map((key): readonly PathStep[] => ['status', 'boundResources', EACH, key]),
  ...['name', 'UID'].map((key): readonly PathStep[] => ['status', 'boundResources', EACH, 'schema', key]),
]);

/** Reads an APIBinding. */
export function readApiBinding(binding: KubeObject): ApiBinding {
  const reference = exportReferenceOf(binding);
  const path = parseWorkspacePath(reference.path ?? '');
  const exportName = nameIn(reference.name);
  const exporter = exporterIn(binding);
  return {
    name: binding.metadata.name ?? '',
    reference: { ...(path.ok && { path: path.value }), ...(exportName === undefined ? {} : { exportName }) },
    ...(exporter !== undefined && { exporter }),
    bound: new Map(boundResourcesOf(binding).map((resource) => [groupResourceKey(resource), resource.schema])),
  };
}

/** Where the spec of a binding looks for its export. */
export function exportReferenceOf(binding: KubeObject): { readonly path?: string | undefined; readonly name?: string | undefined } {
  const target = record(record(record(binding['spec'])?.['reference'])?.['export']);
  return { path: text(target?.['path']), name: text(target?.['name']) };
}

/** Whether a binding is one to an export of that name. */
export function isBindingOf(binding: KubeObject, exportName: string): boolean {
  return exportReferenceOf(binding).name === exportName;
}

/** The logical cluster where kcp found the export last. */
export function exporterIn(binding: KubeObject): LogicalClusterName | undefined {
  const name = parseLogicalClusterName(text(record(binding['status'])?.['apiExportClusterName']) ?? '');
  return name.ok ? name.value : undefined;
}

/** The types that a binding serves. */
export function boundResourcesOf(binding: KubeObject): readonly BoundResource[] {
  return elements(record(binding['status'])?.['boundResources']).flatMap((entry) => {
    const bound = record(entry) ?? {};
    const resource = nameIn(bound['resource']);
    if (resource === undefined) return [];
    const schema = record(bound['schema']) ?? {};
    const name = nameIn(schema['name']);
    const uid = nameIn(schema['UID']);
    return [
      {
        group: nameIn(bound['group']) ?? '',
        resource,
        schema: name === undefined || uid === undefined ? undefined : { name, uid },
        identityHash: text(schema['identityHash']),
        storageVersions: elements(bound['storageVersions']).flatMap((version) => nameIn(version) ?? []),
      },
    ];
  });
}

/** The longest name that Kubernetes knows. kcp stores longer ones where they stand in an APIBinding, and what is read of it is remembered. */
const LONGEST_NAME = 253;

function nameIn(value: unknown): string | undefined {
  const name = text(value);
  return name === undefined || name.length > LONGEST_NAME ? undefined : name;
}
