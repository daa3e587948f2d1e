import { at, type Tree } from '../https/kube-body.js';
import { APIS, APIS_V1ALPHA1, schemaOf } from '../stage/exports.js';
import { COMPUTE } from './cloud-types.js';
import type { Cloud, World } from './world.js';

/** Makes the compute provider's export serve VMs in these versions; consumers follow a moment later. */
export async function repoint(world: World, cloud: Cloud, versions: readonly [Tree, ...Tree[]]): Promise<void> {
  const home = cloud.compute.workspace;
  const type = { plural: 'vms', kind: 'VM', scope: 'Namespaced' as const, versions };
  (await world.kcp.admin.post(`${home.at}${APIS_V1ALPHA1}/apiresourceschemas`, schemaOf(type, COMPUTE, 'v2'))).expect(201);
  const exported = `${home.at}${APIS}/apiexports/${COMPUTE}`;
  const { body } = (await world.kcp.admin.get(exported)).expect(200);
  const resources = (at(body, 'spec', 'resources') as { name: string }[]).map((one) =>
    one.name === 'vms' ? { ...one, schema: `v2.vms.${COMPUTE}` } : one,
  );
  (await world.kcp.admin.patch('merge', exported, { spec: { resources } })).expect(200);
}
