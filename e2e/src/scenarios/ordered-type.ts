// The WorkspaceType whose workspaces are torn down in order, and workspaces of it that live or die, with an installation of their own.
import { deepEqual, equal } from 'node:assert/strict';
import { at } from '../https/kube-body.js';
import { eventually, patience } from '../stage/eventually.js';
import { LOGICAL_CLUSTERS, nameInRoot, ROOT_WORKSPACES } from '../stage/lifecycle-workspaces.js';
import type { Workspace, WorkspaceWish } from '../stage/stage.js';
import { compute, network, refersTo } from './cloud-types.js';
import type { InstallWish } from './product.js';
import { vmRule } from './rules.js';
import { tenantOf, type Cloud, type Tenant, type World } from './world.js';

/** What the controller looks for unless told otherwise. */
const TYPE = 'dependency-ordered';

/** Workspaces have content behind the terminator's virtual workspace from here on. */
export const SINCE = '0.32';

/** Metadata of an object that does not go until `release`. */
export const HELD = { finalizers: ['example.com/held'] };

/** Runs with an installation of its own that has the type. */
export async function withOrderedType(world: World, wish: Partial<InstallWish>, run: (own: World) => Promise<void>): Promise<void> {
  const own = await world.second(wish);
  try {
    const { code, stdout, stderr } = await own.product.bootstrap('--ordered-teardown');
    equal(code, 0, stdout + stderr);
    await run(own);
  } finally {
    await own.product.stop();
  }
}

/** The type, as other types extend it. */
export function orderedType({ product }: World): { readonly name: string; readonly path: string } {
  return { name: TYPE, path: product.path };
}

/** The type as an object. */
export async function typeObject(own: World): Promise<string> {
  return `/clusters/${await own.homeCluster()}/apis/tenancy.kcp.io/v1alpha1/workspacetypes/${TYPE}`;
}

/** Both providers with the rule that a VM refers to its VPC. */
export async function cloudWithRule(own: World, where: { readonly shard?: number } = {}): Promise<Cloud> {
  const cloud = await own.cloud(where);
  await own.addRule(cloud, vmRule(cloud));
  return cloud;
}

/** A workspace of the type, unless another one is wanted, that binds both providers. */
export async function orderedTenant(own: World, cloud: Cloud, wish: Pick<WorkspaceWish, 'shard' | 'type'> = {}): Promise<Tenant> {
  return tenantOf(await own.consumer(cloud, { type: orderedType(own), ...wish }), 'default');
}

/** The same, where the VM rule is in force. */
export async function guardedTenant(own: World, cloud: Cloud, wish: Pick<WorkspaceWish, 'shard' | 'type'> = {}): Promise<Tenant> {
  const tenant = await orderedTenant(own, cloud, wish);
  await own.guarded(tenant);
  return tenant;
}

/** A workspace that dies, and in it a VPC and a VM that refers to it and does not go. */
export async function dyingTenant(own: World, cloud: Cloud, wish: Pick<WorkspaceWish, 'shard' | 'type'> = {}): Promise<Tenant> {
  const tenant = await guardedTenant(own, cloud, wish);
  await heldPair(own, tenant);
  await deleteWorkspace(own, tenant.workspace);
  await isGoing(own, `${tenant.vms}/slow`);
  await controllerWaits(own);
  return tenant;
}

/** A VPC, and a VM that refers to it and takes its time to end. */
export async function heldPair(own: World, { vpcs, vms }: Tenant): Promise<void> {
  await own.create(vpcs, network('VPC', 'net'));
  await own.create(vms, compute('VM', 'slow', refersTo('net'), HELD));
}

/** Keeps the namespace of a workspace: as long as there is anything in it, kcp lets the bindings alone, and the Zones and Hosts that they brought. */
export async function heldNamespace(own: World, { at: home }: Workspace): Promise<string> {
  const configMaps = `${home}/api/v1/namespaces/default/configmaps`;
  await own.create(configMaps, { metadata: { name: 'slow', ...HELD } });
  return `${configMaps}/slow`;
}

/** Waits until an object is being deleted. */
export async function isGoing({ kcp }: World, object: string): Promise<void> {
  await eventually(`${object} is going`, async () => {
    equal(typeof (await kcp.admin.get(object)).expect(200).body.metadata.deletionTimestamp, 'string');
  });
}

/** Waits until an object is gone. */
export async function isGone({ kcp }: World, object: string): Promise<void> {
  await eventually(`${object} is gone`, async () => equal((await kcp.admin.get(object)).status, 404));
}

/** Waits until the controller says that so many dying workspaces are held by others. */
export async function controllerWaits(own: World, workspaces = 1): Promise<void> {
  await eventually('the controller waits', async () => equal(await counted(own, 'controller', 'dep_ctrl_teardown_held'), workspaces));
}

/** Takes the finalizer off that holds an object; of a held pair, off its VM. */
export async function release({ kcp }: World, held: Tenant | string): Promise<void> {
  const object = typeof held === 'string' ? held : `${held.vms}/slow`;
  let isMaybeDone = false;
  await eventually(`${object} is released`, async () => {
    const answer = await kcp.admin.patch('merge', object, { metadata: { finalizers: null } });
    // Where it was done all the same, the next one finds neither object nor workspace.
    if (isMaybeDone && (answer.status === 403 || answer.status === 404)) return;
    // At the moment when the workspace is let go, kcp ends requests with 504 that have just begun.
    isMaybeDone ||= answer.status === 504;
    answer.expect(200);
  });
}

/** Begins to delete a workspace. */
export async function deleteWorkspace({ kcp }: World, workspace: Workspace): Promise<void> {
  (await kcp.admin.delete(objectOf(workspace))).expect(200);
}

/** Waits until a workspace is gone. */
export async function workspaceGone({ kcp }: World, workspace: Workspace): Promise<void> {
  await eventually('the workspace is gone', async () => equal((await kcp.admin.get(objectOf(workspace))).status, 404), 4 * patience.ms);
}

function objectOf(workspace: Workspace): string {
  return `${ROOT_WORKSPACES}/${nameInRoot(workspace)}`;
}

/** Waits until nobody holds a dying workspace any more but its content; then it may be gone at once. */
export async function letGo(own: World, workspace: Workspace): Promise<void> {
  await eventually('the workspace is let go', async () => {
    if ((await own.kcp.admin.get(objectOf(workspace))).status !== 404) deepEqual(await terminatorsOf(own, workspace), []);
  });
}

/** Whose removal a workspace waits for. Its Workspace object says so too, but only a moment after the delete. */
export async function terminatorsOf({ kcp }: World, workspace: Workspace): Promise<readonly unknown[]> {
  const { body } = (await kcp.admin.get(`${workspace.at}${LOGICAL_CLUSTERS}/cluster`)).expect(200);
  return (at(body, 'status', 'terminators') ?? []) as unknown[];
}

/** The sum of a metric over the labels that contain a text. */
export async function counted({ product }: World, role: 'controller' | 'webhook', metric: string, label = ''): Promise<number> {
  const lines = [...(await product[role].metrics())].filter(([name]) => name.startsWith(metric) && name.includes(label));
  return lines.reduce((sum, [, value]) => sum + value, 0);
}

/** How many deletes were refused so far. */
export function refusedReviews(own: World): Promise<number> {
  return counted(own, 'webhook', 'dep_ctrl_reviews_total', 'verdict="deny"');
}

/** How many workspaces were let go so far, by how that ended. */
export function ended(own: World, end: string): Promise<number> {
  return counted(own, 'controller', 'dep_ctrl_teardown_seconds_count', `end="${end}"`);
}
