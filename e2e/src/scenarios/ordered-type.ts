// The WorkspaceType whose workspaces are torn down in order, and workspaces of it, with an installation of their own.
import { equal } from 'node:assert/strict';
import { at } from '../https/kube-body.js';
import { eventually, patience } from '../stage/eventually.js';
import { nameInRoot, ROOT_WORKSPACES } from '../stage/lifecycle-workspaces.js';
import type { Workspace } from '../stage/stage.js';
import type { InstallWish } from './product.js';
import { tenantOf, type Cloud, type Tenant, type World } from './world.js';

/** What the controller looks for unless told otherwise. */
const TYPE = 'dependency-ordered';

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

/** A workspace of the type that binds both providers. */
export async function orderedTenant(own: World, cloud: Cloud, shard?: number): Promise<Tenant> {
  const type = { name: TYPE, path: own.product.path };
  return tenantOf(await own.consumer(cloud, { type, ...(shard !== undefined && { shard }) }), 'default');
}

/** Begins to delete a workspace. */
export async function deleteWorkspace({ kcp }: World, workspace: Workspace): Promise<void> {
  (await kcp.admin.delete(`${ROOT_WORKSPACES}/${nameInRoot(workspace)}`)).expect(200);
}

/** Waits until a workspace is gone. */
export async function workspaceGone({ kcp }: World, workspace: Workspace): Promise<void> {
  const object = `${ROOT_WORKSPACES}/${nameInRoot(workspace)}`;
  await eventually('the workspace is gone', async () => equal((await kcp.admin.get(object)).status, 404), 4 * patience.ms);
}

/** Waits until nobody holds a dying workspace any more but its content. */
export async function letGo({ kcp }: World, workspace: Workspace): Promise<void> {
  await eventually('the workspace is let go', async () => {
    const { body } = (await kcp.admin.get(`${ROOT_WORKSPACES}/${nameInRoot(workspace)}`)).expect(200);
    equal(JSON.stringify(at(body, 'status', 'terminators') ?? []), '[]');
  });
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
