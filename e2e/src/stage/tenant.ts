// A tenant: a user with a bearer token who is cluster-admin in workspaces of its own and nothing anywhere else.
import type { TokenUser } from '../backends/backend.js';
import type { Caller } from '../https/caller.js';
import { eventually } from './eventually.js';
import { user } from './identities.js';
import type { Stage, Workspace } from './stage.js';

/** Where a tenant tells kcp about its own workspace. */
export const LOGICAL_CLUSTER = '/apis/core.kcp.io/v1alpha1/logicalclusters/cluster';

/** Gives a workspace to a tenant and waits until it may act there. */
export async function tenantOf(kcp: Stage, workspace: Workspace, name: TokenUser = 'alice'): Promise<Caller> {
  const bindings = `${workspace.at}/apis/rbac.authorization.k8s.io/v1/clusterrolebindings`;
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' };
  (await kcp.admin.post(bindings, { metadata: { name: `tenant-${name}` }, roleRef, subjects: [user(name)] })).expect(201);
  const tenant = kcp.front.with({ token: kcp.backend.token(name) });
  await eventually(`${name} is admin of ${workspace.path}`, async () => {
    (await tenant.get(`${workspace.at}/api/v1/configmaps`)).expect(200);
  });
  return tenant;
}
