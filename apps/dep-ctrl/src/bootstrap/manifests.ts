// Every right that the two roles need, as objects. deploy/kcp holds them as files, and `bootstrap` applies them. The roles create none of them at run
// time.

import type { V1ClusterRole, V1ClusterRoleBinding, V1Role, V1RoleBinding } from '@kubernetes/client-node';
import type { Wire } from '@dep-ctrl/kcp-client/client-node';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { WORKSPACE_TYPES } from '@dep-ctrl/kcp-objects';
import { EXPORT_NAME } from '@dep-ctrl/rule-registry';
import { ADMISSION_CONFIGURATION } from '../own-objects/admission-configuration.js';
import { ENTER, type PolicyRule } from '../read-access/policy-rule.js';
import { readerRole } from '../read-access/reader-role.js';
import type { ReadAccess } from '../read-access/read-rules.js';
import { readerRoleName, resolverRoleName } from '../shard-rights/right-names.js';
import { TEARDOWN_TYPE } from '../teardown-type/teardown-type.js';

/** The namespace of the dep-ctrl workspace that holds the Lease and the Secrets. */
export const HOME_NAMESPACE = 'default';

/** The Lease for which replicas of the controller compete. */
export const LEASE_NAME = 'dep-ctrl-controller';

/** The Secrets that `all` fills: its certificate authority, and the secret behind the URL tokens. */
export const OWN_SECRETS = ['dep-ctrl-webhook-ca', 'dep-ctrl-url-token'] as const;

/** What the webhook may do in the dep-ctrl workspace; the binding of the same name says who the webhook is. */
export const WEBHOOK_ROLE = 'dep-ctrl:webhook';

/** Lets a provider bind the export. */
export const BIND_ROLE = 'dep-ctrl:bind';

/** Lets the controller follow the type of the ordered teardown, and end what waits for it. */
export const TEARDOWN_ROLE = 'dep-ctrl:ordered-teardown';

/** Lets everybody make workspaces of that type. */
export const USE_TEARDOWN_ROLE = 'dep-ctrl:use-ordered-teardown';

/** A subject of RBAC. */
export type Subject =
  | { readonly kind: 'User' | 'Group'; readonly name: string }
  | { readonly kind: 'ServiceAccount'; readonly name: string; readonly namespace: string };

/** The subjects of each role. The identity of a process that runs both (`all`) is in all three lists. */
export interface RoleSubjects {
  readonly controller: readonly Subject[];
  readonly webhook: readonly Subject[];
  /** The subjects that keep the certificate authority and the URL token in the dep-ctrl workspace. */
  readonly ownSecrets: readonly Subject[];
}

const READ = ['get', 'list', 'watch'] as const;
const READ_ENDPOINTS: PolicyRule = { apiGroups: ['apis.kcp.io'], resources: ['apiexportendpointslices'], verbs: READ };
// To ask kcp what the webhook may read, the controller must know the webhook's subjects.
const READ_WEBHOOK_SUBJECTS: PolicyRule = {
  apiGroups: ['rbac.authorization.k8s.io'],
  resources: ['clusterrolebindings'],
  resourceNames: [WEBHOOK_ROLE],
  verbs: ['get'],
};
// For the configuration in the dep-ctrl workspace itself. RBAC cannot restrict `create` to a name.
const CONFIGURATIONS = { apiGroups: ['admissionregistration.k8s.io'], resources: ['validatingwebhookconfigurations'] } as const;

/** For the dep-ctrl workspace: both roles, and the role that lets a provider bind the export. */
export function homeManifests(subjects: RoleSubjects): readonly KubeObject[] {
  return [
    clusterRole(BIND_ROLE, [{ apiGroups: ['apis.kcp.io'], resources: ['apiexports'], resourceNames: [EXPORT_NAME], verbs: ['bind'] }]),
    clusterRole('dep-ctrl:controller', [
      ENTER,
      READ_ENDPOINTS,
      content([...READ, 'create', 'update', 'delete']),
      READ_WEBHOOK_SUBJECTS,
      { ...CONFIGURATIONS, verbs: ['create'] },
      { ...CONFIGURATIONS, resourceNames: [ADMISSION_CONFIGURATION], verbs: ['get', 'update', 'delete'] },
    ]),
    ...clusterRoleBinding('dep-ctrl:controller', subjects.controller),
    clusterRole(WEBHOOK_ROLE, [
      ENTER,
      READ_ENDPOINTS,
      content(READ),
      { ...CONFIGURATIONS, resourceNames: [ADMISSION_CONFIGURATION], verbs: ['get'] },
    ]),
    ...clusterRoleBinding(WEBHOOK_ROLE, subjects.webhook),
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
 * For the dep-ctrl workspace, with the type of the ordered teardown: lets the controller follow the type and end what waits for it, and everybody make
 * workspaces of it. The parent says which users may make a workspace at all.
 */
export function teardownManifests({ controller }: Pick<RoleSubjects, 'controller'>): readonly KubeObject[] {
  const [follow, use] = teardownRoles();
  return [
    follow,
    ...clusterRoleBinding(TEARDOWN_ROLE, controller),
    use,
    ...clusterRoleBinding(USE_TEARDOWN_ROLE, [{ kind: 'Group', name: 'system:authenticated' }]),
  ];
}

/** Its ClusterRoles: to follow the type, and to use it. Each has a binding of its name. */
export function teardownRoles(): readonly [KubeObject, KubeObject] {
  return [
    clusterRole(TEARDOWN_ROLE, [teardownRule(['list', 'watch', 'terminate'])]),
    clusterRole(USE_TEARDOWN_ROLE, [teardownRule(['use'])]),
  ];
}

function teardownRule(verbs: readonly string[]): PolicyRule {
  return { apiGroups: [WORKSPACE_TYPES.group], resources: [WORKSPACE_TYPES.resource], resourceNames: [TEARDOWN_TYPE], verbs: [...verbs] };
}

/**
 * For the `system:admin` of each shard: lets the controller resolve paths, list who binds what, check what a rule says against the provider's export,
 * and ask whether the webhook may read the dependents of a rule. Applied in a workspace it holds for that workspace only.
 */
export function resolverManifests({ controller }: RoleSubjects, installation?: string): readonly KubeObject[] {
  const name = resolverRoleName(installation);
  return [
    clusterRole(name, [
      ENTER,
      { apiGroups: ['tenancy.kcp.io'], resources: ['workspaces'], verbs: READ },
      { apiGroups: ['core.kcp.io'], resources: ['logicalclusters'], verbs: ['get'] },
      { apiGroups: ['apis.kcp.io'], resources: ['apibindings'], verbs: ['list'] },
      { apiGroups: ['apis.kcp.io'], resources: ['apiexports', 'apiresourceschemas'], verbs: ['get', 'list'] },
      { apiGroups: ['authorization.k8s.io'], resources: ['subjectaccessreviews'], verbs: ['create'] },
    ]),
    ...clusterRoleBinding(name, controller),
  ];
}

/** For the `system:admin` of each shard: lets the webhook list dependents in every workspace of the shard. */
export function readerManifests(subjects: RoleSubjects, access: ReadAccess, installation?: string): readonly KubeObject[] {
  return [readerRole(readerRoleName(installation), access), ...readerBindings(subjects, installation)];
}

/** The part of `readerManifests` that names the webhook's subjects. */
export function readerBindings({ webhook }: RoleSubjects, installation?: string): readonly KubeObject[] {
  return clusterRoleBinding(readerRoleName(installation), webhook);
}

function content(verbs: readonly string[]): PolicyRule {
  return { apiGroups: ['apis.kcp.io'], resources: ['apiexports/content'], resourceNames: [EXPORT_NAME], verbs };
}

function clusterRole(name: string, rules: readonly PolicyRule[]): KubeObject {
  return { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name }, rules } satisfies Wire<V1ClusterRole>;
}

function role(name: string, rules: readonly PolicyRule[]): KubeObject {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    metadata: { name, namespace: HOME_NAMESPACE },
    rules,
  } satisfies Wire<V1Role>;
}

function clusterRoleBinding(name: string, subjects: readonly Subject[]): readonly KubeObject[] {
  return bindingOf('ClusterRole', { name }, subjects);
}

function roleBinding(name: string, subjects: readonly Subject[]): readonly KubeObject[] {
  return bindingOf('Role', { name, namespace: HOME_NAMESPACE }, subjects);
}

/** A binding named like its role; none if there are no subjects. */
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
    } satisfies Wire<V1ClusterRoleBinding | V1RoleBinding>,
  ];
}
