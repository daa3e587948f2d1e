// Reads the workspace of dep-ctrl: its export, its Lease, the objects that bootstrap made, and the configuration that makes kcp check rules.
import { isKcpError, listAll, type ClusterClient, type Connection, type Stoppable } from '@dep-ctrl/kcp-client';
import {
  recordAt,
  text,
  clusterOf,
  printGroupResource,
  type GroupVersionResource,
  type KubeObject,
  type LogicalClusterName,
  type WorkspacePath,
} from '@dep-ctrl/kcp-names';
import { EXPORT_NAME } from '@dep-ctrl/rule-registry';
import { WEBHOOK_CONFIGURATIONS } from '@dep-ctrl/webhook-installer';
import { HOME_NAMESPACE, LEASE_NAME, OWN_SECRETS } from '../bootstrap/manifests.js';
import { CA_SECRET, SECRETS } from '../certificate/shared-secrets.js';
import { ADMISSION_CONFIGURATION } from '../own-objects/admission-configuration.js';
import { PROTECTION_PLACE, PROTECTION_TYPES, protectionName } from '../own-objects/home-protection.js';
import {
  API_EXPORT_ENDPOINT_SLICES,
  API_EXPORTS,
  API_RESOURCE_SCHEMAS,
  askFor,
  describeMissing,
  doubtAbout,
  getIfExists,
  holdingOf,
  lookForWorkspace,
} from '@dep-ctrl/kcp-objects';
import { describeRole } from '../command-line/missing-role.js';
import { LEASES } from '../own-objects/current-leader.js';
import { findDyingWorkspaces } from '../teardown-type/dying-workspaces.js';
import { TEARDOWN_TYPE } from '../teardown-type/teardown-type.js';
import { readTeardownType } from '../teardown-type/write-teardown-type.js';
import type { HomeFacts, SecretFacts } from './facts.js';
import { notAsked, reading, type Reading } from './reading.js';

const RBAC = { group: 'rbac.authorization.k8s.io', version: 'v1' };
/** What bootstrap makes of these kinds is read. */
const RIGHTS: Readonly<Record<string, GroupVersionResource>> = {
  ClusterRole: { ...RBAC, resource: 'clusterroles' },
  ClusterRoleBinding: { ...RBAC, resource: 'clusterrolebindings' },
  Role: { ...RBAC, resource: 'roles' },
  RoleBinding: { ...RBAC, resource: 'rolebindings' },
  ServiceAccount: { group: '', version: 'v1', resource: 'serviceaccounts' },
};
const POLICY_TYPES = Object.values(PROTECTION_TYPES).map(printGroupResource).join(' and ');
const ACCOUNT_TOKEN = 'kubernetes.io/service-account-token';

/** How kubectl reaches this kcp, for the commands in texts. */
type Reaching = Stoppable & { readonly flags: readonly string[] };

/** Reads it. Throws KcpError where kcp does not answer at all. */
export async function readHome(connection: Connection, path: LogicalClusterName | WorkspacePath, options: Reaching): Promise<HomeFacts> {
  const client = connection.cluster(path);
  const presence = await lookForHome(connection, path, options);
  if (presence.state !== 'found') {
    const unknown = (what: string): Reading<never> => notAsked(what, presence.text);
    return { path, presence, ...allOf(unknown) };
  }
  const list = (types: string): string => `list on ${types} in ${path}, which cluster-admin has there`;
  const one = (what: string, type: GroupVersionResource, name: string, namespace?: string) =>
    reading({ what: `${what} in ${path}`, needs: `get on ${printGroupResource(type)} in ${path}, which cluster-admin has there` }, () =>
      getIfExists(client, type, { name, ...(namespace === undefined ? {} : { namespace }) }, options),
    );
  const [apiExport, slice, lease, admission, protection, schemas, rights, secrets, teardownType] = await Promise.all([
    one('the export', API_EXPORTS, EXPORT_NAME),
    one('the endpoints of the export', API_EXPORT_ENDPOINT_SLICES, EXPORT_NAME),
    one('the Lease of the controller', LEASES, LEASE_NAME, HOME_NAMESPACE),
    one('the configuration that has rules checked', WEBHOOK_CONFIGURATIONS, ADMISSION_CONFIGURATION),
    reading(
      { what: `the policy about ${path}`, needs: `get on ${POLICY_TYPES} in ${PROTECTION_PLACE}, which cluster-admin has there` },
      () => readProtection(connection.cluster(PROTECTION_PLACE), presence.cluster, options),
    ),
    reading({ what: `the schemas in ${path}`, needs: list('apiresourceschemas.apis.kcp.io') }, () =>
      namesOf(client, API_RESOURCE_SCHEMAS, options),
    ),
    reading({ what: `the rights of the roles in ${path}`, needs: list('roles, clusterroles, their bindings and serviceaccounts') }, () =>
      readRights(client, options),
    ),
    reading({ what: `the age of the Secrets in ${path}`, needs: `get on secrets in ${path}, which cluster-admin has there` }, () =>
      readSecrets(client, options),
    ),
    reading(
      {
        what: `the WorkspaceType ${TEARDOWN_TYPE} in ${path}`,
        needs: `get on workspacetypes.tenancy.kcp.io in ${path}, which cluster-admin has there`,
      },
      () => readTeardownType(client, options),
    ),
  ]);
  const dying = await readDying(connection, path, teardownType, options);
  return { path, presence, apiExport, slice, lease, admission, protection, schemas, rights, secrets, teardownType, dying };
}

function allOf(unknown: (what: string) => Reading<never>): Omit<HomeFacts, 'path' | 'presence'> {
  return {
    apiExport: unknown('the export'),
    schemas: unknown('the schemas'),
    slice: unknown('the endpoints of the export'),
    lease: unknown('the Lease of the controller'),
    rights: unknown('the rights of the roles'),
    secrets: unknown('the age of the Secrets'),
    admission: unknown('the configuration that has rules checked'),
    protection: unknown('the policy about the workspace'),
    teardownType: unknown('the WorkspaceType of the ordered teardown'),
    dying: unknown('the workspaces that wait for the ordered teardown'),
  };
}

async function readDying(
  connection: Connection,
  path: string,
  type: HomeFacts['teardownType'],
  options: Stoppable,
): Promise<HomeFacts['dying']> {
  const what = 'the workspaces that wait for the ordered teardown';
  if (type.state === 'unread') return { ...type, what };
  const { value } = type;
  if (value === undefined) return { state: 'read', value: [] };
  const needs = `terminate on workspacetypes.tenancy.kcp.io in ${path}, which cluster-admin has there`;
  return reading({ what, needs }, () => findDyingWorkspaces(connection, value, options));
}

async function lookForHome(
  connection: Connection,
  path: LogicalClusterName | WorkspacePath,
  options: Reaching,
): Promise<HomeFacts['presence']> {
  const named = { path, by: '--workspace', flags: options.flags };
  const client = connection.cluster(path);
  const asking = await askFor(client, API_EXPORT_ENDPOINT_SLICES, EXPORT_NAME, options);
  const other = asking === 'found' ? asking : await askFor(client, API_EXPORTS, EXPORT_NAME, options);
  if (asking === 'absent' && other !== 'found') {
    return { state: 'missing', what: 'export', text: `workspace "${path}" (--workspace) has no export ${EXPORT_NAME}` };
  }
  if (other !== 'found') {
    const sighting = await lookForWorkspace(connection, path, options);
    if (sighting.state !== 'missing') {
      const { text } = doubtAbout(named, sighting, 'read the export of dep-ctrl there');
      const isHeld = (await holdingOf(client, { verb: 'get', type: API_EXPORTS, name: EXPORT_NAME }, options)) === 'held';
      const role = describeRole({ path, clusterRole: 'cluster-admin' }, connection.baseUrl);
      return { state: 'in-doubt', text: isHeld ? text : `${text}; ${role}` };
    }
    return { state: 'missing', what: 'workspace', text: describeMissing(named, sighting.path, connection.baseUrl) };
  }
  const found = await client.get(asking === 'found' ? API_EXPORT_ENDPOINT_SLICES : API_EXPORTS, { name: EXPORT_NAME }, options);
  const cluster = clusterOf(found);
  if (!cluster.ok) throw new Error(cluster.problem);
  return { state: 'found', cluster: cluster.value };
}

async function namesOf(client: ClusterClient, type: GroupVersionResource, options: Stoppable): Promise<ReadonlySet<string>> {
  const { objects } = await listAll(client, type, {}, options);
  return new Set(objects.map(({ metadata }) => metadata.name ?? ''));
}

async function readProtection(root: ClusterClient, home: string, options: Stoppable): Promise<ReadonlyMap<string, KubeObject>> {
  const found = new Map<string, KubeObject>();
  for (const [kind, type] of Object.entries(PROTECTION_TYPES)) {
    const object = await getIfExists(root, type, { name: protectionName(home) }, options);
    if (object !== undefined) found.set(kind, object);
  }
  return found;
}

async function readRights(client: ClusterClient, options: Stoppable): Promise<ReadonlyMap<string, KubeObject>> {
  const lists = await Promise.all(
    Object.entries(RIGHTS).map(async ([kind, type]) => {
      const { objects } = await listAll(client, type, {}, options);
      return objects.map((object) => [`${kind}/${object.metadata.name ?? ''}`, { ...object, kind }] as const);
    }),
  );
  return new Map(lists.flat());
}

/** By name and not all: this needs no right to read other Secrets. */
async function readSecrets(client: ClusterClient, options: Stoppable): Promise<readonly SecretFacts[]> {
  const accounts = (await listAll(client, { group: '', version: 'v1', resource: 'serviceaccounts' }, {}, options)).objects;
  const ofAccounts = accounts.map(({ metadata }) => `${metadata.name ?? ''}-token`);
  const found = await Promise.all(
    [...OWN_SECRETS, ...ofAccounts].map(async (name) => {
      try {
        return await getIfExists(client, SECRETS, { name, namespace: HOME_NAMESPACE }, options);
      } catch (error) {
        // A user who may not read one of them may not read the others.
        if (isKcpError(error, 'forbidden')) throw error;
        return undefined;
      }
    }),
  );
  return found.flatMap((secret) => (secret === undefined ? [] : [secretFacts(secret)]));
}

function secretFacts(secret: KubeObject): SecretFacts {
  const {
    name = '',
    creationTimestamp,
    managedFields,
  } = secret.metadata as KubeObject['metadata'] & {
    readonly managedFields?: readonly { readonly time?: string }[];
  };
  const type = text(secret['type']) ?? '';
  const data = recordAt(secret, 'data');
  const times = (managedFields ?? []).flatMap(({ time }) => (time === undefined ? [] : [time])).sort();
  const writtenAt = (type === ACCOUNT_TOKEN ? undefined : times.at(-1)) ?? creationTimestamp;
  const pem = name === CA_SECRET ? text(data['tls.crt']) : undefined;
  return {
    name,
    type,
    isFilled: Object.values(data).some((value) => value !== ''),
    ...(writtenAt === undefined ? {} : { writtenAt }),
    ...(pem === undefined ? {} : { certificate: Buffer.from(pem, 'base64').toString('utf8') }),
  };
}
