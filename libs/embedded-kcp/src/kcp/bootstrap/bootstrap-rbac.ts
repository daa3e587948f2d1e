// The roles and bindings that exist from the start, in each shard's system:admin and in root.
import type { JsonRecord } from '../../json/json.js';

/** A role or binding by kind. */
export interface RbacObject {
  readonly kind: 'ClusterRole' | 'ClusterRoleBinding';
  readonly name: string;
  readonly body: JsonRecord;
}

function role(name: string, ...rules: readonly JsonRecord[]): RbacObject {
  return { kind: 'ClusterRole', name, body: { rules } };
}

function bind(name: string, roleName: string, ...groups: readonly string[]): RbacObject {
  const apiGroup = 'rbac.authorization.k8s.io';
  const subjects = groups.map((group) => ({ kind: 'Group', apiGroup, name: group }));
  return { kind: 'ClusterRoleBinding', name, body: { roleRef: { apiGroup, kind: 'ClusterRole', name: roleName }, subjects } };
}

const AUTHENTICATED = 'system:authenticated';
const BINDER = 'apis.kcp.io:binding:';
const READ = ['get', 'list', 'watch'] as const;
const WRITE = ['create', 'delete', 'deletecollection', 'patch', 'update'] as const;

// kcp serves no workloads: of the standard view, edit and admin roles this is what is left.
const VIEWED = ['configmaps', 'events', 'limitranges', 'namespaces', 'resourcequotas', 'serviceaccounts'] as const;
const EDITED = ['configmaps', 'secrets', 'serviceaccounts', 'events'] as const;
const viewRules = [
  { apiGroups: [''], resources: VIEWED, verbs: READ },
  { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: READ },
];
const editRules = [
  ...viewRules,
  { apiGroups: [''], resources: ['secrets'], verbs: READ },
  { apiGroups: [''], resources: EDITED, verbs: WRITE },
  { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: WRITE },
];
const adminRules = [
  ...editRules,
  { apiGroups: ['rbac.authorization.k8s.io'], resources: ['roles', 'rolebindings'], verbs: [...READ, ...WRITE] },
  { apiGroups: ['authorization.k8s.io'], resources: ['localsubjectaccessreviews'], verbs: ['create'] },
];

/** The roles and bindings of every shard's system:admin. */
export const SYSTEM_ADMIN_RBAC: readonly RbacObject[] = [
  role('cluster-admin', { apiGroups: ['*'], resources: ['*'], verbs: ['*'] }, { nonResourceURLs: ['*'], verbs: ['*'] }),
  role('admin', ...adminRules),
  role('edit', ...editRules),
  role('view', ...viewRules),
  role('system:discovery', {
    nonResourceURLs: [
      '/api',
      '/api/*',
      '/apis',
      '/apis/*',
      '/healthz',
      '/livez',
      '/openapi',
      '/openapi/*',
      '/readyz',
      '/version',
      '/version/',
    ],
    verbs: ['get'],
  }),
  role(
    'system:basic-user',
    { apiGroups: ['authorization.k8s.io'], resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'], verbs: ['create'] },
    { apiGroups: ['authentication.k8s.io'], resources: ['selfsubjectreviews'], verbs: ['create'] },
  ),
  role('system:public-info-viewer', { nonResourceURLs: ['/healthz', '/livez', '/readyz', '/version', '/version/'], verbs: ['get'] }),
  role(
    'system:auth-delegator',
    { apiGroups: ['authentication.k8s.io'], resources: ['tokenreviews'], verbs: ['create'] },
    { apiGroups: ['authorization.k8s.io'], resources: ['subjectaccessreviews'], verbs: ['create'] },
  ),
  role('system:kcp:workspace:access', { nonResourceURLs: ['/'], verbs: ['access'] }),
  role(
    'system:kcp:tenancy:reader',
    { apiGroups: ['tenancy.kcp.io'], resources: ['workspaces'], verbs: READ },
    { apiGroups: ['tenancy.kcp.io'], resources: ['workspacetypes'], verbs: READ },
    { apiGroups: ['core.kcp.io'], resources: ['logicalclusters'], verbs: READ },
  ),
  bind('cluster-admin', 'cluster-admin', 'system:masters'),
  bind('system:kcp:admin:cluster-admin', 'cluster-admin', 'system:kcp:admin'),
  bind('system:basic-user', 'system:basic-user', AUTHENTICATED),
  bind('system:discovery', 'system:discovery', AUTHENTICATED),
  bind('system:public-info-viewer', 'system:public-info-viewer', AUTHENTICATED, 'system:unauthenticated'),
];

/** The roles and bindings of root. */
export const ROOT_RBAC: readonly RbacObject[] = [
  ...(['tenancy', 'topology'] as const).flatMap((name) => [
    role(`system:kcp:apiexport:${name}:bind`, {
      apiGroups: ['apis.kcp.io'],
      resources: ['apiexports'],
      resourceNames: [`${name}.kcp.io`],
      verbs: ['bind'],
    }),
    bind(`system:kcp:authenticated:apiexport:${name}:bind`, `system:kcp:apiexport:${name}:bind`, AUTHENTICATED),
  ]),
  role(
    'system:kcp:apiexport:tenancy:maximal-permission-policy',
    { apiGroups: ['tenancy.kcp.io'], resources: ['workspaces', 'workspaceauthenticationconfigurations', 'workspacetypes'], verbs: ['*'] },
    { apiGroups: ['tenancy.kcp.io'], resources: ['workspaces/status', 'workspacetypes/status'], verbs: READ },
  ),
  bind(
    'system:kcp:authenticated:apiexport:tenancy:maximal-permission-policy',
    'system:kcp:apiexport:tenancy:maximal-permission-policy',
    `${BINDER}${AUTHENTICATED}`,
  ),
  role('system:kcp:apiexport:kcp-admin:maximal-permission-policy', { apiGroups: ['tenancy.kcp.io'], resources: ['*'], verbs: ['*'] }),
  bind(
    'system:kcp:authenticated:apiexport:kcp-admin:maximal-permission-policy',
    'system:kcp:apiexport:kcp-admin:maximal-permission-policy',
    `${BINDER}system:kcp:admin`,
  ),
  role('system:kcp:universal-workspacetype-use', {
    apiGroups: ['tenancy.kcp.io'],
    resources: ['workspacetypes'],
    resourceNames: ['universal', 'organization', 'team'],
    verbs: ['use'],
  }),
  bind('system:kcp:authenticated:universal-workspacetype-use', 'system:kcp:universal-workspacetype-use', AUTHENTICATED),
  role('system:kcp:home-clusterworkspace-create', {
    apiGroups: ['tenancy.kcp.io'],
    resources: ['workspaces'],
    resourceNames: ['~'],
    verbs: ['get', 'create'],
  }),
  bind('system:kcp:configured-group:home-clusterworkspace-create', 'system:kcp:home-clusterworkspace-create', AUTHENTICATED),
  bind('system:kcp:authenticated:tenancy:reader', 'system:kcp:tenancy:reader', AUTHENTICATED),
  bind('system:kcp:tenancy:authenticated:access', 'system:kcp:workspace:access', AUTHENTICATED),
];
