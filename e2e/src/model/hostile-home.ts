// Where the hostile tenant of a lane lives: workspaces in which it is cluster-admin, with dep-ctrl bound, and no right anywhere else.
import { GUARDS } from '../scenarios/rules.js';
import type { World } from '../scenarios/world.js';
import { eventually } from '../stage/eventually.js';
import { APIS } from '../stage/exports.js';
import { ACCESS, grant, group } from '../stage/identities.js';
import { Outsider } from '../stage/outsider.js';
import type { Workspace } from '../stage/stage.js';

/** The tenant of a lane: the workspaces that it owns, and dep-ctrl that it has bound there. */
export class HostileHome {
  readonly world: World;
  readonly by: Outsider;
  readonly workspaces: readonly Workspace[];

  private constructor(world: World, by: Outsider, workspaces: readonly Workspace[]) {
    this.world = world;
    this.by = by;
    this.workspaces = workspaces;
  }

  /** Moves in: one workspace on each shard. */
  static async settle(world: World): Promise<HostileHome> {
    const mayBind = { apiGroups: ['apis.kcp.io'], resources: ['apiexports'], resourceNames: [world.depCtrl.name], verbs: ['bind'] };
    const subjects = [group('system:authenticated')];
    await grant(world.kcp.admin, `/clusters/${await world.homeCluster()}`, 'everybody-may-bind', [mayBind, ACCESS], subjects);
    const by = new Outsider(world.kcp, 'alice');
    const workspaces = await Promise.all(world.kcp.backend.shards.map((_, shard) => by.workspace({ shard })));
    for (const workspace of workspaces) await world.bindOnly(workspace, 'Accepted', by);
    await world.grantReading(...workspaces);
    return new HostileHome(world, by, workspaces);
  }

  /** Makes dep-ctrl bound again where it is not, and paths what they are, for the next seed. */
  async restore(): Promise<void> {
    for (const workspace of this.workspaces) {
      const binding = `${workspace.at}${APIS}/apibindings/dep-ctrl`;
      const left = await eventually('the binding is there or gone', async () => {
        const answer = await this.by.admin.get(binding);
        if (answer.status === 200 && answer.body.metadata.deletionTimestamp !== undefined) {
          // Where it has rejected the claim on configurations, dep-ctrl tries for a minute to remove one: the tenant does not wait for that.
          await this.by.admin.patch('merge', `${workspace.at}${GUARDS}/dependency-controller`, { metadata: { finalizers: null } });
          throw new Error('it is going');
        }
        return answer.status;
      });
      if (left !== 200) await this.world.bindOnly(workspace, 'Accepted', this.by);
      await this.by.claimPath(workspace, workspace.path);
    }
  }
}
