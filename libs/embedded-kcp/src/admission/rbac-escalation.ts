// A user cannot grant rights that the user does not have. A role or binding may be written by a user who holds all rights in it, or who has the verb
// `escalate` or `bind`.
import type { KubeObject } from '@dep-ctrl/kcp-names';
import type { Authorizer } from '../authorization/authorizer.js';
import type { AccessAttributes } from '../authorization/rbac.js';
import { isMasters } from '../authentication/user.js';
import { arrayAt, sameJson, stringAt, stringsAt } from '../json/json.js';
import type { AdmissionRequest } from '../machinery/requests/admission.js';
import { SYSTEM_ADMIN, type ShardView } from '../kcp/shards/shard-view.js';
import { refuse, type AdmissionPlugin } from './admission-chain.js';

const RBAC = 'rbac.authorization.k8s.io';
const ROLES = new Set(['roles', 'clusterroles']);
const BINDINGS = new Set(['rolebindings', 'clusterrolebindings']);

/** Refuses escalation. */
export function rbacEscalation(view: ShardView, authorizer: Authorizer): AdmissionPlugin {
  return {
    validate: (request) => {
      const { definition, object, oldObject, user } = request;
      if (definition.group !== RBAC || object === undefined || isMasters(user)) return [];
      const rules = rulesGiven(view, request, object);
      if (oldObject !== undefined && sameJson(rulesGiven(view, request, oldObject), rules)) return [];
      if (mayGiveAnything(authorizer, request, object)) return [];
      const missing = rules.filter((rule) => !holds(authorizer, request, rule));
      if (missing.length > 0) throw refuse(request, describe(request, missing));
      return [];
    },
  };
}

function rulesGiven(view: ShardView, { definition, cluster, namespace }: AdmissionRequest, object: KubeObject): readonly unknown[] {
  if (ROLES.has(definition.resource)) return arrayAt(object, 'rules');
  if (!BINDINGS.has(definition.resource)) return [];
  const name = stringAt(object, 'roleRef', 'name') ?? '';
  const isWide = stringAt(object, 'roleRef', 'kind') === 'ClusterRole';
  const bucket = view.store.bucket(`${RBAC}/${isWide ? 'clusterroles' : 'roles'}`);
  const own = bucket.get({ cluster, namespace: isWide ? '' : namespace, name });
  return arrayAt((own ?? bucket.get({ cluster: SYSTEM_ADMIN, namespace: '', name }))?.object, 'rules');
}

function mayGiveAnything(authorizer: Authorizer, { definition, cluster, namespace, user }: AdmissionRequest, object: KubeObject): boolean {
  const isRole = ROLES.has(definition.resource);
  const resource = isRole ? definition.resource : stringAt(object, 'roleRef', 'kind') === 'ClusterRole' ? 'clusterroles' : 'roles';
  const name = isRole ? (object.metadata.name ?? '') : (stringAt(object, 'roleRef', 'name') ?? '');
  const wanted = { kind: 'resource', verb: isRole ? 'escalate' : 'bind', group: RBAC, resource, name, namespace } as const;
  return authorizer.rbacAllows(user, cluster, wanted);
}

function holds(authorizer: Authorizer, { cluster, namespace, user }: AdmissionRequest, rule: unknown): boolean {
  return singleRights(rule, namespace).every((right) => authorizer.rbacAllows(user, cluster, right));
}

// A rule is held when each of its combinations is; a wildcard is only covered by a wildcard.
function singleRights(rule: unknown, namespace: string): readonly AccessAttributes[] {
  const names = stringsAt(rule, 'resourceNames');
  return stringsAt(rule, 'verbs').flatMap((verb): readonly AccessAttributes[] => [
    ...stringsAt(rule, 'nonResourceURLs').map((path) => ({ kind: 'path', verb, path }) as const),
    ...stringsAt(rule, 'apiGroups').flatMap((group) =>
      stringsAt(rule, 'resources').flatMap((full) => {
        const [resource = '', subresource] = full.split('/');
        return (names.length === 0 ? [undefined] : names).map(
          (name) => ({ kind: 'resource', verb, group, resource, subresource, name, namespace }) as const,
        );
      }),
    ),
  ]);
}

function describe({ user }: AdmissionRequest, missing: readonly unknown[]): string {
  const groups = `[${user.groups.map((group) => JSON.stringify(group)).join(' ')}]`;
  const lines = missing.map((rule) => {
    const list = (label: string, key: string): readonly string[] => {
      const values = stringsAt(rule, key);
      return values.length === 0 ? [] : [`${label}:[${values.map((value) => JSON.stringify(value)).join(' ')}]`];
    };
    return `{${[...list('APIGroups', 'apiGroups'), ...list('NonResourceURLs', 'nonResourceURLs'), ...list('Resources', 'resources'), ...list('ResourceNames', 'resourceNames'), ...list('Verbs', 'verbs')].join(', ')}}`;
  });
  return `user ${JSON.stringify(user.username)} (groups=${groups}) is attempting to grant RBAC permissions not currently held:\n${lines.join('\n')}`;
}
