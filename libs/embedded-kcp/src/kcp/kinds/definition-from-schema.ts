// Makes a row of the resource table from an APIResourceSchema or a CRD.
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { arrayAt, isRecord, recordAt, stringAt, stringsAt, valueAt } from '../../json/json.js';
import { byPriority } from '../../machinery/resources/discovery.js';
import {
  STORED_VERBS,
  type ResourceColumn,
  type ResourceDefinition,
  type ResourceOrigin,
  type ResourceRules,
  type ResourceVersion,
} from '../../machinery/resources/resource-definition.js';

/** The definition that a schema describes. `bucket` says where its objects are stored. */
export function definitionFromSchema(
  schema: KubeObject,
  origin: ResourceOrigin,
  bucket: string,
  rules?: ResourceRules,
): ResourceDefinition {
  const spec = recordAt(schema, 'spec');
  const names = recordAt(spec, 'names');
  const kind = stringAt(names, 'kind') ?? '';
  const versions = arrayAt(spec, 'versions').filter(isRecord);
  const [shortNames, categories] = [stringsAt(names, 'shortNames'), stringsAt(names, 'categories')];
  return {
    group: stringAt(spec, 'group') ?? '',
    resource: stringAt(names, 'plural') ?? '',
    singular: stringAt(names, 'singular') ?? kind.toLowerCase(),
    kind,
    listKind: stringAt(names, 'listKind') ?? `${kind}List`,
    namespaced: spec['scope'] === 'Namespaced',
    storageVersion:
      stringAt(
        versions.find((version) => version['storage'] === true),
        'name',
      ) ?? '',
    versions: versions
      .filter((version) => version['served'] === true)
      .map(versionFromSchema)
      .sort((a, b) => byPriority(a.name, b.name)),
    bucket,
    origin,
    verbs: STORED_VERBS,
    ...(shortNames.length === 0 ? {} : { shortNames }),
    ...(categories.length === 0 ? {} : { categories }),
    ...(rules === undefined ? {} : { rules }),
  };
}

// An APIResourceSchema holds the schema itself, a CRD under openAPIV3Schema.
function versionFromSchema(version: Readonly<Record<string, unknown>>): ResourceVersion {
  const schema = recordAt(version, 'schema');
  const columns = arrayAt(version, 'additionalPrinterColumns').filter(isRecord).map(columnFromSchema);
  const warning = stringAt(version, 'deprecationWarning');
  const selectable = arrayAt(version, 'selectableFields').map((one) => (stringAt(one, 'jsonPath') ?? '').replace(/^\./, ''));
  return {
    name: stringAt(version, 'name') ?? '',
    schema: isRecord(schema['openAPIV3Schema']) ? schema['openAPIV3Schema'] : schema,
    hasStatus: isRecord(valueAt(version, 'subresources', 'status')),
    ...(columns.length === 0 ? {} : { columns }),
    ...(selectable.length === 0 ? {} : { selectable }),
    ...(version['deprecated'] === true && warning !== undefined ? { deprecationWarning: warning } : {}),
  };
}

function columnFromSchema(column: Readonly<Record<string, unknown>>): ResourceColumn {
  const [format, description, priority] = [stringAt(column, 'format'), stringAt(column, 'description'), column['priority']];
  return {
    name: stringAt(column, 'name') ?? '',
    type: stringAt(column, 'type') ?? 'string',
    value: stringAt(column, 'jsonPath') ?? '',
    ...(format === undefined ? {} : { format }),
    ...(description === undefined ? {} : { description }),
    ...(typeof priority === 'number' ? { priority } : {}),
  };
}
