// The resources of kcp itself that workspaces get through bindings to exports of root: their APIResourceSchemas are ordinary
// objects there, made at start from this table.
import type { JsonRecord } from '../../json/json.js';
import {
  partitionSchema,
  partitionSetSchema,
  shardSchema,
  workspaceAuthenticationConfigurationSchema,
  workspaceSchema,
  workspaceTypeSchema,
} from './tenancy-schemas.js';

/** A resource of an export of root. */
export interface ExportedResource {
  readonly export: string;
  readonly group: string;
  readonly plural: string;
  readonly kind: string;
  readonly shortNames?: readonly string[];
  readonly schema: JsonRecord;
  readonly hasStatus: boolean;
  readonly columns: readonly JsonRecord[];
}

const AGE = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };

/** The rows. */
export const EXPORTED_RESOURCES: readonly ExportedResource[] = [
  {
    export: 'tenancy.kcp.io',
    group: 'tenancy.kcp.io',
    plural: 'workspaces',
    kind: 'Workspace',
    shortNames: ['ws'],
    schema: workspaceSchema,
    hasStatus: true,
    columns: [
      { name: 'Type', type: 'string', description: 'Type of the workspace', jsonPath: '.spec.type.name' },
      { name: 'Region', type: 'string', description: 'The region this workspace is in', jsonPath: '.metadata.labels.region' },
      {
        name: 'Phase',
        type: 'string',
        description: 'The current phase (e.g. Scheduling, Initializing, Ready, Deleting)',
        jsonPath: '.status.phase',
      },
      { name: 'URL', type: 'string', description: 'URL to access the workspace', jsonPath: '.spec.URL' },
      AGE,
    ],
  },
  {
    export: 'tenancy.kcp.io',
    group: 'tenancy.kcp.io',
    plural: 'workspacetypes',
    kind: 'WorkspaceType',
    schema: workspaceTypeSchema,
    hasStatus: true,
    columns: [],
  },
  {
    export: 'tenancy.kcp.io',
    group: 'tenancy.kcp.io',
    plural: 'workspaceauthenticationconfigurations',
    kind: 'WorkspaceAuthenticationConfiguration',
    schema: workspaceAuthenticationConfigurationSchema,
    hasStatus: false,
    columns: [],
  },
  {
    export: 'shards.core.kcp.io',
    group: 'core.kcp.io',
    plural: 'shards',
    kind: 'Shard',
    schema: shardSchema,
    hasStatus: true,
    columns: [
      { name: 'Region', type: 'string', description: 'The region this workspace is in', jsonPath: '.metadata.labels.region' },
      { name: 'URL', type: 'string', description: 'Type URL to directly connect to the shard', jsonPath: '.spec.baseURL' },
      {
        name: 'External URL',
        type: 'string',
        description: 'The URL exposed in logical clusters created on that shard',
        jsonPath: '.spec.externalURL',
      },
      AGE,
    ],
  },
  {
    export: 'topology.kcp.io',
    group: 'topology.kcp.io',
    plural: 'partitions',
    kind: 'Partition',
    schema: partitionSchema,
    hasStatus: false,
    columns: [{ name: 'Owner', type: 'string', jsonPath: '.metadata.ownerReferences[0].name' }, AGE],
  },
  {
    export: 'topology.kcp.io',
    group: 'topology.kcp.io',
    plural: 'partitionsets',
    kind: 'PartitionSet',
    schema: partitionSetSchema,
    hasStatus: true,
    columns: [AGE],
  },
];

/** The name of the APIResourceSchema of a row. */
export function schemaNameOf({ plural, group }: ExportedResource): string {
  return `v1.${plural}.${group}`;
}

/** The APIResourceSchema of a row. */
export function schemaObjectOf(row: ExportedResource): JsonRecord {
  const { group, plural, kind, shortNames, schema, hasStatus, columns } = row;
  return {
    apiVersion: 'apis.kcp.io/v1alpha1',
    kind: 'APIResourceSchema',
    metadata: { name: schemaNameOf(row) },
    spec: {
      group,
      names: {
        plural,
        kind,
        singular: kind.toLowerCase(),
        listKind: `${kind}List`,
        categories: ['kcp'],
        ...(shortNames === undefined ? {} : { shortNames }),
      },
      scope: 'Cluster',
      versions: [
        {
          name: 'v1alpha1',
          served: true,
          storage: true,
          schema,
          subresources: hasStatus ? { status: {} } : {},
          ...(columns.length === 0 ? {} : { additionalPrinterColumns: columns }),
        },
      ],
    },
  };
}
