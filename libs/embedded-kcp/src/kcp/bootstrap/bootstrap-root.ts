// The objects that exist when kcp starts: root with its exports, types and roles, and each shard's system:admin. They are written straight into the storage,
// without authorization and admission.
import { apiVersionOf, CLUSTER_ANNOTATION, PATH_ANNOTATION, type LogicalClusterName } from '@dep-ctrl/kcp-names';
import { randomUUID } from 'node:crypto';
import type { JsonRecord } from '../../json/json.js';
import { timestamp } from '../../machinery/resources/object-meta.js';
import type { ResourceDefinition } from '../../machinery/resources/resource-definition.js';
import type { ShardStore } from '../../storage/shard-store.js';
import { ROOT_RBAC, SYSTEM_ADMIN_RBAC, type RbacObject } from './bootstrap-rbac.js';
import { schemaNameOf } from '../kinds/exported-resources.js';
import { claimLabelKey, EXPORT_LABEL, exportHash, reflexiveHash } from '../kinds/permission-claims.js';
import type { RootResources } from './root-resources.js';
import { LOGICAL_CLUSTER_NAME, ROOT, SYSTEM_ADMIN } from '../shards/shard-view.js';
import { API_BINDINGS, API_EXPORTS, API_RESOURCE_SCHEMAS, LOGICAL_CLUSTERS } from '../kinds/system-resources.js';
import { universalResource } from '../shards/workspace-catalog.js';
import { BOOTSTRAP_TYPES } from '../kinds/workspace-types.js';

/** The URLs of one shard. */
export interface ShardUrls {
  readonly name: string;
  readonly url: string;
}

/** The input of seeding. */
export interface SeedInput {
  readonly root: RootResources;
  readonly shards: readonly ShardUrls[];
  readonly externalUrl: string;
  readonly nowMs: number;
}

/** Fills a shard's system:admin. */
export function seedSystemAdmin(store: ShardStore, nowMs: number): void {
  for (const one of SYSTEM_ADMIN_RBAC) seedRbac(store, SYSTEM_ADMIN, one, nowMs);
}

/** Fills root, on the shard that hosts it. */
export function seedRoot(store: ShardStore, input: SeedInput): void {
  const { root, shards, externalUrl, nowMs } = input;
  const seed = (definition: ResourceDefinition, name: string, fields: JsonRecord, metadata: JsonRecord = {}): void =>
    seedObject(store, definition, { cluster: ROOT, name, metadata }, fields, nowMs);
  seedLogicalCluster(seed, shards[0]?.name ?? '', externalUrl, nowMs);
  for (const name of ['default', 'kcp-system']) seedNamespace(store, name, nowMs);
  for (const { row, schema, schemaUid } of root.resources)
    seed(API_RESOURCE_SCHEMAS, schemaNameOf(row), { spec: schema['spec'] }, { uid: schemaUid });
  for (const one of root.exports) {
    seedExport(store, seed, root, one.name, nowMs);
    seedRootBinding(seed, root, one.name, nowMs);
  }
  for (const type of BOOTSTRAP_TYPES)
    seed(root.workspaceTypes, type.name, { spec: type.spec, status: typeStatus(type.name, shards, nowMs) }, PATHED);
  for (const { name, url } of shards) {
    seed(root.shards, name, { spec: { baseURL: url, externalURL: externalUrl, virtualWorkspaceURL: url } }, { labels: { name } });
  }
  for (const one of ROOT_RBAC) seedRbac(store, ROOT, one, nowMs);
}

type Seed = (definition: ResourceDefinition, name: string, fields: JsonRecord, metadata?: JsonRecord) => void;

const PATHED = { annotations: { [PATH_ANNOTATION]: ROOT } } as const;

function seedLogicalCluster(seed: Seed, shard: string, externalUrl: string, nowMs: number): void {
  const lastTransitionTime = timestamp(nowMs);
  const conditions = ['APIBindingsReconciled', 'WorkspaceInitialized'].map((type) => ({ type, status: 'True', lastTransitionTime }));
  seed(
    LOGICAL_CLUSTERS,
    LOGICAL_CLUSTER_NAME,
    { spec: { directlyDeletable: false }, status: { URL: `${externalUrl}/clusters/root`, phase: 'Ready', conditions } },
    {
      annotations: {
        'core.kcp.io/shard': shard,
        'internal.tenancy.kcp.io/type': 'root:root',
        'internal.kcp.io/replicate': 'apis.kcp.io,tenancy.kcp.io',
      },
      labels: { 'tenancy.kcp.io/phase': 'Ready' },
      finalizers: ['core.kcp.io/logicalcluster-deletion'],
    },
  );
}

function seedExport(store: ShardStore, seed: Seed, root: RootResources, name: string, nowMs: number): void {
  const found = root.exports.find((one) => one.name === name);
  if (found === undefined) return;
  const resources = root.resources
    .filter(({ row }) => row.export === name)
    .map(({ row }) => ({ group: row.group, name: row.plural, schema: schemaNameOf(row), storage: { crd: {} } }));
  const policy = name === 'tenancy.kcp.io' ? { maximalPermissionPolicy: { local: {} } } : {};
  const conditions = [{ type: 'IdentityValid', status: 'True', lastTransitionTime: timestamp(nowMs) }];
  seed(
    API_EXPORTS,
    name,
    {
      spec: { identity: { secretRef: { name, namespace: 'kcp-system' } }, ...policy, resources },
      status: { identityHash: found.identityHash, conditions },
    },
    PATHED,
  );
  const secret = { data: { key: Buffer.from(found.key).toString('base64') }, type: 'Opaque' };
  seedObject(store, universalResource('', 'secrets'), { cluster: ROOT, namespace: 'kcp-system', name }, secret, nowMs);
}

function seedRootBinding(seed: Seed, root: RootResources, name: string, nowMs: number): void {
  const bound = root.resources.filter(({ row }) => row.export === name);
  const identityHash = root.exports.find((one) => one.name === name)?.identityHash ?? '';
  seed(
    API_BINDINGS,
    name,
    {
      spec: { reference: { export: { name, path: ROOT } } },
      status: boundStatus(
        ROOT,
        bound.map((one) => ({ ...one, identityHash })),
        timestamp(nowMs),
      ),
    },
    {
      ...PATHED,
      finalizers: ['apis.kcp.io/apibinding-finalizer'],
      labels: { [claimLabelKey(ROOT, name)]: reflexiveHash(), [EXPORT_LABEL]: exportHash(ROOT, name) },
    },
  );
}

function boundStatus(
  cluster: LogicalClusterName,
  bound: readonly (RootResources['resources'][number] & { readonly identityHash: string })[],
  now: string,
): JsonRecord {
  const types = [
    'Ready',
    'APIExportValid',
    'BindingUpToDate',
    'InitialBindingCompleted',
    'PermissionClaimsApplied',
    'PermissionClaimsValid',
  ];
  return {
    apiExportClusterName: cluster,
    phase: 'Bound',
    boundResources: bound.map(({ row, schemaUid, identityHash }) => ({
      group: row.group,
      resource: row.plural,
      schema: { name: schemaNameOf(row), UID: schemaUid, identityHash },
      storageVersions: ['v1alpha1'],
    })),
    conditions: types.map((type) => ({ type, status: 'True', lastTransitionTime: now })),
  };
}

/** The status of a workspace type: the virtual workspaces of both kinds, for every shard. */
export function typeStatus(name: string, shards: readonly ShardUrls[], nowMs: number, cluster: string = ROOT): JsonRecord {
  const lastTransitionTime = timestamp(nowMs);
  const kinds = ['initializing', 'terminating'] as const;
  return {
    conditions: ['Ready', 'VirtualWorkspaceURLsReady'].map((type) => ({ type, status: 'True', lastTransitionTime })),
    virtualWorkspaces: shards.flatMap(({ url }) =>
      kinds.map((type) => ({ type, url: `${url}/services/${type}workspaces/${cluster}:${name}` })),
    ),
  };
}

function seedNamespace(store: ShardStore, name: string, nowMs: number): void {
  const fields = { spec: { finalizers: ['kubernetes'] }, status: { phase: 'Active' } };
  seedObject(
    store,
    universalResource('', 'namespaces'),
    { cluster: ROOT, name, metadata: { labels: { 'kubernetes.io/metadata.name': name } } },
    fields,
    nowMs,
  );
}

function seedRbac(store: ShardStore, cluster: LogicalClusterName, { kind, name, body }: RbacObject, nowMs: number): void {
  seedObject(store, universalResource('rbac.authorization.k8s.io', `${kind.toLowerCase()}s`), { cluster, name }, body, nowMs);
}

interface SeedPlace {
  readonly cluster: LogicalClusterName;
  readonly namespace?: string;
  readonly name: string;
  readonly metadata?: JsonRecord;
}

function seedObject(store: ShardStore, definition: ResourceDefinition, place: SeedPlace, fields: JsonRecord, nowMs: number): void {
  const { cluster, namespace = '', name, metadata = {} } = place;
  const { annotations, ...rest } = metadata as { readonly annotations?: Readonly<Record<string, string>> };
  const object = {
    apiVersion: apiVersionOf({ group: definition.group, version: definition.storageVersion }),
    kind: definition.kind,
    metadata: {
      name,
      ...(namespace === '' ? {} : { namespace }),
      uid: randomUUID(),
      creationTimestamp: timestamp(nowMs),
      ...(definition.origin.kind === 'builtin' ? {} : { generation: 1 }),
      annotations: { ...annotations, [CLUSTER_ANNOTATION]: cluster },
      ...rest,
    },
    ...fields,
  };
  store.create(definition.bucket, { cluster, namespace, name }, object);
}
