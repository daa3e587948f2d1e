// Users with exactly the rights a case speaks of.
import type { Caller } from '../https/caller.js';
import { at, type Tree } from '../https/kube-body.js';
import { eventually } from './eventually.js';
import type { Stage, Workspace } from './stage.js';

const RBAC = '/apis/rbac.authorization.k8s.io/v1';

/** The right to enter a workspace. */
export const ACCESS: Tree = { nonResourceURLs: ['/'], verbs: ['access'] };

/** The subject of a binding. */
export function user(name: string): Tree {
  return { kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name };
}

/** A group as the subject of a binding. */
export function group(name: string): Tree {
  return { kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name };
}

/** The rule for an export's virtual workspace. */
export function contentOf(exportName: string, verbs: readonly string[]): Tree {
  return { apiGroups: ['apis.kcp.io'], resources: ['apiexports/content'], resourceNames: [exportName], verbs };
}

/** Gives rules to subjects by a ClusterRole and a binding of that name, below a path such as `/clusters/x`. */
export async function grant(caller: Caller, base: string, name: string, rules: readonly Tree[], subjects: readonly Tree[]): Promise<void> {
  (await caller.post(`${base}${RBAC}/clusterroles`, { metadata: { name }, rules })).expect(201);
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name };
  (await caller.post(`${base}${RBAC}/clusterrolebindings`, { metadata: { name }, roleRef, subjects })).expect(201);
}

/** Takes back what `grant` gave. */
export async function revoke(caller: Caller, base: string, name: string): Promise<void> {
  (await caller.delete(`${base}${RBAC}/clusterrolebindings/${name}`)).expect(200);
  (await caller.delete(`${base}${RBAC}/clusterroles/${name}`)).expect(200);
}

/** A ServiceAccount in the namespace default, and a token of it that kcp was asked for. */
export async function serviceAccount(
  kcp: Stage,
  workspace: Workspace,
  name: string,
): Promise<{ readonly token: string; readonly globalName: string }> {
  const accounts = `${workspace.at}/api/v1/namespaces/default/serviceaccounts`;
  (await kcp.admin.post(accounts, { metadata: { name } })).expect(201);
  const asked = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { audiences: ['https://kcp.default.svc'] } };
  const token = await eventually('a token is issued', async () =>
    at((await kcp.admin.post(`${accounts}/${name}/token`, asked)).expect(201).body, 'status', 'token'),
  );
  return { token: String(token), globalName: `system:kcp:serviceaccount:${workspace.cluster}:default:${name}` };
}
