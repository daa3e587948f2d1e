// The resources of kcp itself that every workspace serves without a binding.
import type { KubeObject } from '@dep-ctrl/kcp-names';
import type { StatusCause } from '../../http/api-status.js';
import { arrayAt, stringAt, type JsonRecord } from '../../json/json.js';
import {
  STORED_VERBS,
  type ResourceColumn,
  type ResourceDefinition,
  type ResourceRules,
} from '../../machinery/resources/resource-definition.js';
import {
  apiBindingLegacySchema,
  apiBindingSchema,
  apiExportEndpointSliceSchema,
  apiExportLegacySchema,
  apiExportSchema,
  apiResourceSchemaSchema,
} from './apis-schemas.js';
import { convertBinding, convertExport } from './export-conversion.js';
import { logicalClusterSchema } from './tenancy-schemas.js';

/** The group of exports and bindings. */
export const APIS_GROUP = 'apis.kcp.io';
/** The group of logical clusters and shards. */
export const CORE_GROUP = 'core.kcp.io';
/** The group of workspaces. */
export const TENANCY_GROUP = 'tenancy.kcp.io';

const AGE: ResourceColumn = { name: 'Age', type: 'date', value: '.metadata.creationTimestamp' };

interface SystemRow {
  readonly group: string;
  readonly resource: string;
  readonly singular?: string;
  readonly kind: string;
  readonly versions: readonly { readonly name: string; readonly schema: JsonRecord; readonly hasStatus: boolean }[];
  readonly columns: readonly ResourceColumn[];
  readonly rules?: ResourceRules;
}

function define({ group, resource, kind, versions, columns, rules }: SystemRow): ResourceDefinition {
  return {
    group,
    resource,
    kind,
    singular: kind.toLowerCase(),
    listKind: `${kind}List`,
    namespaced: false,
    categories: ['kcp'],
    storageVersion: versions[0]?.name ?? '',
    versions: versions.map((version) => ({ ...version, columns })),
    bucket: `${group}/${resource}`,
    origin: { kind: 'system' },
    verbs: STORED_VERBS,
    ...(rules === undefined ? {} : { rules }),
  };
}

/** `logicalclusters`: one object named `cluster` per logical cluster. */
export const LOGICAL_CLUSTERS = define({
  group: CORE_GROUP,
  resource: 'logicalclusters',
  kind: 'LogicalCluster',
  versions: [{ name: 'v1alpha1', schema: logicalClusterSchema, hasStatus: true }],
  columns: [
    {
      name: 'Phase',
      type: 'string',
      description: 'The current phase (e.g. Scheduling, Initializing, Ready, Deleting)',
      value: '.status.phase',
    },
    { name: 'URL', type: 'string', description: 'URL to access the logical cluster', value: '.status.URL' },
    AGE,
  ],
});

/** `apiexports`. */
export const API_EXPORTS = define({
  group: APIS_GROUP,
  resource: 'apiexports',
  kind: 'APIExport',
  versions: [
    { name: 'v1alpha2', schema: apiExportSchema, hasStatus: true },
    { name: 'v1alpha1', schema: apiExportLegacySchema, hasStatus: true },
  ],
  columns: [AGE],
  rules: { convert: convertExport, check: checkExport },
});

/** `apibindings`. */
export const API_BINDINGS = define({
  group: APIS_GROUP,
  resource: 'apibindings',
  kind: 'APIBinding',
  versions: [
    { name: 'v1alpha2', schema: apiBindingSchema, hasStatus: true },
    { name: 'v1alpha1', schema: apiBindingLegacySchema, hasStatus: true },
  ],
  columns: [AGE, { name: 'Ready', type: 'string', value: '.status.conditions[?(@.type=="Ready")].status' }],
  rules: { convert: convertBinding },
});

/** `apiresourceschemas`. */
export const API_RESOURCE_SCHEMAS = define({
  group: APIS_GROUP,
  resource: 'apiresourceschemas',
  kind: 'APIResourceSchema',
  versions: [{ name: 'v1alpha1', schema: apiResourceSchemaSchema, hasStatus: false }],
  columns: [AGE],
});

/** `apiexportendpointslices`. */
export const API_EXPORT_ENDPOINT_SLICES = define({
  group: APIS_GROUP,
  resource: 'apiexportendpointslices',
  kind: 'APIExportEndpointSlice',
  versions: [{ name: 'v1alpha1', schema: apiExportEndpointSliceSchema, hasStatus: true }],
  columns: [
    { name: 'Export', type: 'string', value: '.spec.export.name' },
    { name: 'Partition', type: 'string', value: '.spec.partition' },
    AGE,
  ],
});

/** All of them. */
export const SYSTEM_RESOURCES: readonly ResourceDefinition[] = [
  LOGICAL_CLUSTERS,
  API_EXPORTS,
  API_BINDINGS,
  API_RESOURCE_SCHEMAS,
  API_EXPORT_ENDPOINT_SLICES,
];

function checkExport(object: KubeObject): readonly StatusCause[] {
  return arrayAt(object, 'spec', 'resources').flatMap((one, index) => {
    const [schema = '', name = '', group = ''] = [stringAt(one, 'schema'), stringAt(one, 'name'), stringAt(one, 'group')];
    const ending = `.${name}.${group === '' ? 'core' : group}`;
    if (schema.endsWith(ending)) return [];
    const message = `Invalid value: ${JSON.stringify(schema)}: must end in ${ending}`;
    return [{ reason: 'FieldValueInvalid', message, field: `spec.resources[${index}].schema` }];
  });
}
