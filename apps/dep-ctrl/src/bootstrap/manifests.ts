// Every right that the two roles need, as objects: what deploy/kcp holds as files and what `bootstrap` applies. Static: nothing of it is
// created while the roles run.

import type { GroupResource, KubeObject } from '@dep-ctrl/kcp-names';
import { EXPORT_NAME } from '@dep-ctrl/rule-registry';

/** The namespace of the dep-ctrl workspace that holds the Lease and the Secrets. */
export const HOME_NAMESPACE = 'default';

/** The Lease for which replicas of the controller compete. */
export const LEASE_NAME = 'dep-ctrl-controller';

/** The Secrets that `all` fills: its certificate authority, and the secret behind the URL tokens. */
export const OWN_SECRETS = ['dep-ctrl-webhook-ca', 'dep-ctrl-url-token'] as const;

/** Somebody who is granted something, as RBAC names them. */
export type Subject =
  | { readonly kind: 'User' | 'Group'; readonly name: string }
  | { readonly kind: 'ServiceAccount'; readonly name: string; readonly namespace: string };

/** Who acts in which role. One process that runs both (`all`) is in all three lists. */
export interface RoleSubjects {
  readonly controller: readonly Subject[];
  readonly webhook: readonly Subject[];
  /** Those who keep the certificate authority and the URL token in the dep-ctrl workspace. */
  readonly ownSecrets: readonly Subject[];
}

/**
 * How much the webhook may read in the workspaces of a shard: everything, as dependents may be of any type, or the types that rules
 * name now. With a list, a rule about another type is answered with "cannot tell" until the list is extended.
 */
export type ReadAccess = { readonly kind: 'wildcard' } | { readonly kind: 'listed'; readonly types: readonly GroupResource[] };

interface PolicyRule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  readonly verbs: readonly string[];
}

const READ = ['get', 'list', 'watch'] as const;
// kcp lets nobody into a workspace without it.
const ENTER: PolicyRule = { nonResourceURLs: ['/'], verbs: ['access'] };
const READ_ENDPOINTS: PolicyRule = { apiGroups: ['apis.kcp.io'], resources: ['apiexportendpointslices'], verbs: READ };

/** For the dep-ctrl workspace: both roles, and the role that lets a provider bind the export. */
export function homeManifests(subjects: RoleSubjects): readonly KubeObject[] {
  return [
    clusterRole('dep-ctrl:bind', [
      { apiGroups: ['apis.kcp.io'], resources: ['apiexports'], resourceNames: [EXPORT_NAME], verbs: ['bind'] },
    ]),
    clusterRole('dep-ctrl:controller', [ENTER, READ_ENDPOINTS, content([...READ, 'create', 'update', 'delete'])]),
    ...clusterRoleBinding('dep-ctrl:controller', subjects.controller),
    clusterRole('dep-ctrl:webhook', [ENTER, READ_ENDPOINTS, content(READ)]),
    ...clusterRoleBinding('dep-ctrl:webhook', subjects.webhook),
    role('dep-ctrl:controller', [
      { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['create'] },
      { apiGroups: ['coordination.k8s.io'], resources: ['leases'], resourceNames: [LEASE_NAME], verbs: ['get', 'update'] },
    ]),
    ...roleBinding('dep-ctrl:controller', subjects.controller),
    role('dep-ctrl:own-secrets', [{ apiGroups: [''], resources: ['secrets'], resourceNames: OWN_SECRETS, verbs: ['get', 'update'] }]),
    ...roleBinding('dep-ctrl:own-secrets', subjects.ownSecrets),
    // Empty, so that filling them takes no right to create Secrets.
    ...OWN_SECRETS.map((name) => ({ apiVersion: 'v1', kind: 'Secret', type: 'Opaque', metadata: { name, namespace: HOME_NAMESPACE } })),
  ];
}

/**
 * For the parent workspace of each guarded workspace (usually root), or once for the `system:admin` of each shard: lets the controller
 * resolve paths that no binding shows, and check what a rule says against the provider's export where it may read that.
 */
export function resolverManifests({ controller }: RoleSubjects, installation?: string): readonly KubeObject[] {
  const name = nameOnShards(RESOLVES_WORKSPACES, installation);
  return [
    clusterRole(name, [
      ENTER,
      { apiGroups: ['tenancy.kcp.io'], resources: ['workspaces'], verbs: READ },
      { apiGroups: ['core.kcp.io'], resources: ['logicalclusters'], verbs: ['get'] },
      { apiGroups: ['apis.kcp.io'], resources: ['apiexports', 'apiresourceschemas'], verbs: ['get', 'list'] },
    ]),
    ...clusterRoleBinding(name, controller),
  ];
}

/** For the `system:admin` of each shard: lets the webhook list dependents in every workspace of the shard. */
export function readerManifests({ webhook }: RoleSubjects, access: ReadAccess, installation?: string): readonly KubeObject[] {
  const name = nameOnShards(READS_DEPENDENTS, installation);
  return [clusterRole(name, [ENTER, ...readRules(access)]), ...clusterRoleBinding(name, webhook)];
}

/** The names of what `resolverManifests` and `readerManifests` make for an installation. */
export function shardRightNames(installation: string): readonly string[] {
  return [nameOnShards(READS_DEPENDENTS, installation), nameOnShards(RESOLVES_WORKSPACES, installation)];
}

/** The right of the webhook on every shard; the name goes on with the installation. */
export const READS_DEPENDENTS = 'dep-ctrl:read-dependents';
const RESOLVES_WORKSPACES = 'dep-ctrl:resolve-workspaces';

// The `system:admin` of a shard is shared by all who install anything there, another dep-ctrl included.
function nameOnShards(name: string, installation: string | undefined): string {
  return installation === undefined ? name : `${name}:${installation}`;
}

function readRules(access: ReadAccess): readonly PolicyRule[] {
  if (access.kind === 'wildcard') return [{ apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list'] }];
  const groups = [...new Set(access.types.map(({ group }) => group))].toSorted();
  return [
    { apiGroups: ['apis.kcp.io'], resources: ['apibindings', 'apiresourceschemas'], verbs: ['get', 'list'] },
    ...groups.map((group) => {
      const resources = new Set(access.types.filter((type) => type.group === group).map(({ resource }) => resource));
      return { apiGroups: [group], resources: [...resources].toSorted(), verbs: ['get', 'list'] };
    }),
  ];
}

function content(verbs: readonly string[]): PolicyRule {
  return { apiGroups: ['apis.kcp.io'], resources: ['apiexports/content'], resourceNames: [EXPORT_NAME], verbs };
}

function clusterRole(name: string, rules: readonly PolicyRule[]): KubeObject {
  return { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name }, rules };
}

function role(name: string, rules: readonly PolicyRule[]): KubeObject {
  return { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata: { name, namespace: HOME_NAMESPACE }, rules };
}

function clusterRoleBinding(name: string, subjects: readonly Subject[]): readonly KubeObject[] {
  return bindingOf('ClusterRole', { name }, subjects);
}

function roleBinding(name: string, subjects: readonly Subject[]): readonly KubeObject[] {
  return bindingOf('Role', { name, namespace: HOME_NAMESPACE }, subjects);
}

/** A binding named like its role, or none where there is nobody to bind. */
function bindingOf(
  kind: 'ClusterRole' | 'Role',
  metadata: { name: string; namespace?: string },
  subjects: readonly Subject[],
): readonly KubeObject[] {
  if (subjects.length === 0) return [];
  return [
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: `${kind}Binding`,
      metadata,
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name: metadata.name },
      subjects: subjects.map((subject) =>
        subject.kind === 'ServiceAccount' ? subject : { ...subject, apiGroup: 'rbac.authorization.k8s.io' },
      ),
    },
  ];
}
