// From what a test says of its types to APIResourceSchemas.
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { parseAllDocuments } from 'yaml';
import { arrayAt, isRecord, recordAt, stringAt } from '../json/json.js';
import type { FieldSetup, ShortType, TypeSetup } from './kcp-setup.js';

/** The APIResourceSchemas of types of an export, and what the export says of them. Throws where a type is none. */
export function exportedTypes(
  exportName: string,
  types: readonly TypeSetup[],
): { readonly schemas: readonly KubeObject[]; readonly resources: readonly object[] } {
  const schemas = types
    .flatMap((type): readonly (ShortType | KubeObject)[] => (typeof type === 'string' ? parseObjects(type) : [type]))
    .map((type) => ('apiVersion' in type ? schemaOfObject(type) : schemaOfShort(exportName, type as ShortType)));
  const resources = schemas.map((schema) => ({
    group: stringAt(schema, 'spec', 'group') ?? '',
    name: stringAt(schema, 'spec', 'names', 'plural') ?? '',
    schema: schema.metadata.name ?? '',
    storage: { crd: {} },
  }));
  return { schemas, resources };
}

/** The objects in a YAML text. Throws where it is no YAML, or holds something else. */
export function parseObjects(yaml: string): readonly KubeObject[] {
  return parseAllDocuments(yaml).flatMap((document): readonly KubeObject[] => {
    if ('errors' in document && document.errors[0] !== undefined) throw document.errors[0];
    const value: unknown = 'toJS' in document ? document.toJS() : null;
    if (value === null) return [];
    if (!isObject(value)) throw new TypeError(`this is no object with apiVersion, kind and metadata: ${JSON.stringify(value)}`);
    return [value];
  });
}

function isObject(value: unknown): value is KubeObject {
  return isRecord(value) && typeof value['apiVersion'] === 'string' && typeof value['kind'] === 'string' && isRecord(value['metadata']);
}

function schemaOfObject(object: KubeObject): KubeObject {
  if (object.kind === 'APIResourceSchema') return object;
  if (object.kind !== 'CustomResourceDefinition')
    throw new TypeError(`a type is a CustomResourceDefinition or an APIResourceSchema, not a ${String(object.kind)}`);
  // As `kubectl kcp crd snapshot` does it: the schema of a version moves one field up.
  const { group, names, scope } = recordAt(object, 'spec');
  const versions = arrayAt(object, 'spec', 'versions').map((version) => ({
    ...recordAt(version),
    schema: recordAt(version, 'schema', 'openAPIV3Schema'),
  }));
  const { singular = stringAt(names, 'kind')?.toLowerCase(), listKind = `${stringAt(names, 'kind') ?? ''}List` } = recordAt(names);
  const conversion = versions.length > 1 ? { conversion: { strategy: 'None' } } : {};
  return apiResourceSchema(object.metadata.name ?? '', {
    group,
    names: { ...recordAt(names), singular, listKind },
    scope,
    versions,
    ...conversion,
  });
}

function schemaOfShort(exportName: string, type: ShortType): KubeObject {
  const { kind, plural = `${kind.toLowerCase()}s`, group = exportName, version = 'v1', scope = 'Namespaced' } = type;
  const schema = { type: 'object', properties: { spec: fieldsSchema(type.spec), status: fieldsSchema(type.status) } };
  return apiResourceSchema(`${plural}.${group}`, {
    group,
    names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
    scope,
    versions: [{ name: version, served: true, storage: true, schema, subresources: { status: {} } }],
  });
}

function apiResourceSchema(typeName: string, spec: object): KubeObject {
  return { apiVersion: 'apis.kcp.io/v1alpha1', kind: 'APIResourceSchema', metadata: { name: `v1.${typeName}` }, spec };
}

function fieldsSchema(fields: Readonly<Record<string, FieldSetup>> | undefined): object {
  if (fields === undefined) return { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const properties = Object.entries(fields).map(([name, field]) => [name, typeof field === 'string' ? { type: field } : field]);
  return { type: 'object', properties: Object.fromEntries(properties) as object };
}
