// The rights that bootstrap wrote into `system:admin` of a shard, as they are there. They are named after the installation, so no other rights are touched.
import { listAll, type ClusterClient } from '@dep-ctrl/kcp-client';
import type { GroupVersionResource, KubeObject, LogicalClusterName } from '@dep-ctrl/kcp-names';
import { MANAGED_BY } from '../own-objects/configuration-labels.js';
import { installationOf } from './right-names.js';

const RBAC = { group: 'rbac.authorization.k8s.io', version: 'v1' };
// Bindings first: a binding whose role is gone grants nothing now, but would grant any new role of that name.
const TYPES: Readonly<Record<string, GroupVersionResource>> = {
  ClusterRoleBinding: { ...RBAC, resource: 'clusterrolebindings' },
  ClusterRole: { ...RBAC, resource: 'clusterroles' },
};

/** One of them, with its kind. */
export interface InstalledRight {
  readonly installation: LogicalClusterName;
  readonly object: KubeObject;
  /** Whether it says of itself that dep-ctrl made it. */
  readonly isMarked: boolean;
}

/** The rights of all installations, in the order in which to remove them. */
export async function installedRights(
  systemAdmin: ClusterClient,
  options: { readonly signal: AbortSignal },
): Promise<readonly InstalledRight[]> {
  const lists = await Promise.all(
    Object.entries(TYPES).map(async ([kind, type]) => {
      const { objects } = await listAll(systemAdmin, type, {}, options);
      return objects.flatMap((object) => {
        const installation = installationOf(object.metadata.name ?? '');
        const isMarked = object.metadata.labels?.[MANAGED_BY.label] === MANAGED_BY.value;
        return installation === undefined ? [] : [{ installation, object: { ...object, kind }, isMarked }];
      });
    }),
  );
  return lists.flat();
}

/** The type that a request for such an object names. */
export function rightType({ kind }: KubeObject): GroupVersionResource {
  const type = TYPES[kind ?? ''];
  if (type === undefined) throw new Error(`"${kind ?? ''}" is no right on a shard`);
  return type;
}
