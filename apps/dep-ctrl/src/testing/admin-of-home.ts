import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DEV_PATHS } from '../dev/dev-paths.js';
import type { EmbeddedWorld } from './embedded-world.js';

const RBAC = 'rbac.authorization.k8s.io';

/** The kubeconfig of somebody who may do anything in the workspace of dep-ctrl, and in no other. */
export async function adminOfHome({ admin, kcp, dir }: EmbeddedWorld): Promise<string> {
  const binding = {
    apiVersion: `${RBAC}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name: 'alice' },
    roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ kind: 'User', apiGroup: RBAC, name: 'alice' }],
  };
  const type = { group: RBAC, version: 'v1', resource: 'clusterrolebindings' };
  await admin.cluster(DEV_PATHS.depCtrl).create(type, binding, { signal: AbortSignal.timeout(20_000) });
  const file = join(dir, 'alice.kubeconfig');
  await writeFile(file, kcp.kubeconfig({ user: 'alice', groups: ['system:authenticated'] }));
  return file;
}
