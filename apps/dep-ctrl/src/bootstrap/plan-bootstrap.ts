// Everything that bootstrap writes, in the order of writing. Pure: used to apply, for --dry-run and for the checks.
import type { GroupVersionResource, KubeObject } from '@dep-ctrl/kcp-names';
import { apiExport, apiResourceSchemas } from '@dep-ctrl/rule-registry';
import { API_EXPORTS, API_RESOURCE_SCHEMAS, WORKSPACE_TYPES } from '@dep-ctrl/kcp-objects';
import { MANAGED_BY } from '../own-objects/configuration-labels.js';
import { homeProtection, PROTECTION_TYPES } from '../own-objects/home-protection.js';
import { readerRoleName } from '../shard-rights/right-names.js';
import { foreignSubjects, homeSubjects, serviceAccounts, type Identities } from './identities.js';
import { HOME_NAMESPACE, homeManifests, readerBindings, resolverManifests, teardownManifests } from './manifests.js';

/** An object to write, with the type that requests name. */
export interface PlannedObject {
  readonly type: GroupVersionResource;
  readonly object: KubeObject;
}

/** What to write where. */
export interface BootstrapPlan {
  /** Schemas and export. */
  readonly api: readonly PlannedObject[];
  /** Identities and their rights in the dep-ctrl workspace. */
  readonly home: readonly PlannedObject[];
  /** For `system:admin` of every shard. The ClusterRole with the types that the webhook may read is not part of it: it depends on what is bound. */
  readonly shard: readonly PlannedObject[];
  /** The name of that ClusterRole. */
  readonly readerRole: string;
  /** The rights about the type of the ordered teardown, where that is wanted. The type is not part of it: what it permits depends on what is bound. */
  readonly teardown: readonly PlannedObject[];
  /** For `root`, where the workspace is to be protected from deletion. */
  readonly protection: readonly PlannedObject[];
}

/** The labels of our objects. */
export const OWN_LABELS = { [MANAGED_BY.label]: MANAGED_BY.value } as const;

const RBAC = { group: 'rbac.authorization.k8s.io', version: 'v1' };
const CORE = { group: '', version: 'v1' };
const TYPES: Readonly<Record<string, GroupVersionResource>> = {
  APIResourceSchema: API_RESOURCE_SCHEMAS,
  APIExport: API_EXPORTS,
  ClusterRole: { ...RBAC, resource: 'clusterroles' },
  ClusterRoleBinding: { ...RBAC, resource: 'clusterrolebindings' },
  Role: { ...RBAC, resource: 'roles' },
  RoleBinding: { ...RBAC, resource: 'rolebindings' },
  ServiceAccount: { ...CORE, resource: 'serviceaccounts' },
  Secret: { ...CORE, resource: 'secrets' },
  WorkspaceType: WORKSPACE_TYPES,
  ...PROTECTION_TYPES,
};

/** The plan; `home` is the logical cluster of the dep-ctrl workspace. */
export function planBootstrap(identities: Identities, home: string): BootstrapPlan {
  const foreign = foreignSubjects(identities, home);
  return {
    api: apiObjects(),
    home: [...serviceAccounts(identities).flatMap(serviceAccountManifests), ...homeManifests(homeSubjects(identities))].map(planned),
    shard: [...resolverManifests(foreign, home), ...readerBindings(foreign, home)].map(planned),
    readerRole: readerRoleName(home),
    teardown: teardownManifests(homeSubjects(identities)).map(planned),
    protection: homeProtection(home).map(planned),
  };
}

/** The schemas of our kinds, then the export that serves them. */
export function apiObjects(): readonly PlannedObject[] {
  return [...apiResourceSchemas(), apiExport()].map(planned);
}

/** The name of the Secret with a ServiceAccount's token. */
export function tokenSecretOf(serviceAccount: string): string {
  return `${serviceAccount}-token`;
}

function serviceAccountManifests(name: string): readonly KubeObject[] {
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace: HOME_NAMESPACE } },
    {
      apiVersion: 'v1',
      kind: 'Secret',
      type: 'kubernetes.io/service-account-token',
      metadata: { name: tokenSecretOf(name), namespace: HOME_NAMESPACE, annotations: { 'kubernetes.io/service-account.name': name } },
    },
  ];
}

/** The type that a request for an object of this kind names. */
export function typeOfKind(kind = ''): GroupVersionResource {
  const type = TYPES[kind];
  if (type === undefined) throw new Error(`no request is known for objects of kind "${kind}"`);
  return type;
}

/** An object with our labels. */
export function planned(object: KubeObject): PlannedObject {
  const labels = { ...object.metadata.labels, ...OWN_LABELS };
  return { type: typeOfKind(object.kind), object: { ...object, metadata: { ...object.metadata, labels } } };
}
