// Role based access control, evaluated over the objects of one cluster and the shard's system:admin.
import type { KubeObject, LogicalClusterName } from '@dep-ctrl/kcp-names';
import { arrayAt, stringAt, stringsAt } from '../json/json.js';
import { oncePer } from '../json/once-per.js';
import { SYSTEM_ADMIN, type ShardView } from '../kcp/shards/shard-view.js';
import type { UserInfo } from '../authentication/user.js';

/** The request to be authorized. */
export type AccessAttributes =
  | {
      readonly kind: 'resource';
      readonly verb: string;
      readonly group: string;
      readonly resource: string;
      readonly subresource?: string | undefined;
      readonly namespace?: string | undefined;
      readonly name?: string | undefined;
    }
  | { readonly kind: 'path'; readonly verb: string; readonly path: string };

interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
  readonly nonResourceUrls: readonly string[];
}

const RBAC = 'rbac.authorization.k8s.io';
const BUCKETS = {
  clusterRoles: `${RBAC}/clusterroles`,
  clusterRoleBindings: `${RBAC}/clusterrolebindings`,
  roles: `${RBAC}/roles`,
  roleBindings: `${RBAC}/rolebindings`,
} as const;

/** Whether the bindings of a cluster allow the request to any of these users. */
export function isAllowedIn(view: ShardView, cluster: LogicalClusterName, users: readonly UserInfo[], wanted: AccessAttributes): boolean {
  for (const { object } of view.listOf(BUCKETS.clusterRoleBindings, cluster)) {
    if (users.some((user) => isSubject(object, user, '')) && grants(clusterRole(view, cluster, roleName(object)), wanted)) return true;
  }
  if (wanted.kind === 'path' || wanted.namespace === undefined || wanted.namespace === '') return false;
  for (const { object } of view.store.bucket(BUCKETS.roleBindings).list({ cluster, namespace: wanted.namespace })) {
    if (
      users.some((user) => isSubject(object, user, wanted.namespace ?? '')) &&
      grants(roleOf(view, cluster, object, wanted.namespace), wanted)
    ) {
      return true;
    }
  }
  return false;
}

/** The rules that a cluster gives to a user, for SelfSubjectRulesReviews. */
export function rulesIn(view: ShardView, cluster: LogicalClusterName, user: UserInfo, namespace: string): readonly unknown[] {
  const wide = view
    .listOf(BUCKETS.clusterRoleBindings, cluster)
    .filter(({ object }) => isSubject(object, user, ''))
    .flatMap(({ object }) => arrayAt(clusterRole(view, cluster, roleName(object)), 'rules'));
  const narrow = view.store
    .bucket(BUCKETS.roleBindings)
    .list({ cluster, namespace })
    .filter(({ object }) => isSubject(object, user, namespace))
    .flatMap(({ object }) => arrayAt(roleOf(view, cluster, object, namespace), 'rules'));
  return [...wide, ...narrow];
}

function roleName(binding: KubeObject): string {
  return stringAt(binding, 'roleRef', 'name') ?? '';
}

function roleOf(view: ShardView, cluster: LogicalClusterName, binding: KubeObject, namespace: string): KubeObject | undefined {
  if (stringAt(binding, 'roleRef', 'kind') === 'ClusterRole') return clusterRole(view, cluster, roleName(binding));
  return view.store.bucket(BUCKETS.roles).get({ cluster, namespace, name: roleName(binding) })?.object;
}

// Bindings of any workspace may name ClusterRoles of the shard's system:admin.
function clusterRole(view: ShardView, cluster: LogicalClusterName, name: string): KubeObject | undefined {
  const own = view.find(BUCKETS.clusterRoles, cluster, name);
  return (own ?? view.store.bucket(BUCKETS.clusterRoles).get({ cluster: SYSTEM_ADMIN, namespace: '', name }))?.object;
}

interface Subject {
  readonly kind: string | undefined;
  readonly name: string;
  readonly namespace: string | undefined;
}

// Every request is held against every binding: what stored objects say is read once.
const subjectsOf = oncePer((binding: KubeObject): readonly Subject[] =>
  arrayAt(binding, 'subjects').map((subject) => ({
    kind: stringAt(subject, 'kind'),
    name: stringAt(subject, 'name') ?? '',
    namespace: stringAt(subject, 'namespace'),
  })),
);
const rulesOf = oncePer((role: KubeObject): readonly PolicyRule[] => arrayAt(role, 'rules').map(readRule));

function isSubject(binding: KubeObject, user: UserInfo, bindingNamespace: string): boolean {
  return subjectsOf(binding).some(({ kind, name, namespace }) => {
    switch (kind) {
      case 'User':
        return user.username === name;
      case 'Group':
        return user.groups.includes(name);
      case 'ServiceAccount':
        return user.username === `system:serviceaccount:${namespace ?? bindingNamespace}:${name}`;
      default:
        return false;
    }
  });
}

function grants(role: KubeObject | undefined, wanted: AccessAttributes): boolean {
  return role !== undefined && rulesOf(role).some((rule) => allows(rule, wanted));
}

function readRule(rule: unknown): PolicyRule {
  return {
    verbs: stringsAt(rule, 'verbs'),
    apiGroups: stringsAt(rule, 'apiGroups'),
    resources: stringsAt(rule, 'resources'),
    resourceNames: stringsAt(rule, 'resourceNames'),
    nonResourceUrls: stringsAt(rule, 'nonResourceURLs'),
  };
}

/** Whether one policy rule allows the request. */
export function ruleAllows(rule: unknown, wanted: AccessAttributes): boolean {
  return allows(readRule(rule), wanted);
}

function allows({ verbs, apiGroups, resources, resourceNames, nonResourceUrls }: PolicyRule, wanted: AccessAttributes): boolean {
  if (!holds(verbs, wanted.verb)) return false;
  if (wanted.kind === 'path') return nonResourceUrls.some((pattern) => pathMatches(pattern, wanted.path));
  if (!holds(apiGroups, wanted.group)) return false;
  if (resourceNames.length > 0 && !resourceNames.includes(wanted.name ?? '')) return false;
  const { resource, subresource } = wanted;
  const full = subresource === undefined ? resource : `${resource}/${subresource}`;
  return resources.some((one) => one === '*' || one === full || (subresource !== undefined && one === `*/${subresource}`));
}

function holds(values: readonly string[], wanted: string): boolean {
  return values.includes('*') || values.includes(wanted);
}

function pathMatches(pattern: string, path: string): boolean {
  return pattern === '*' || pattern === path || (pattern.endsWith('*') && path.startsWith(pattern.slice(0, -1)));
}
