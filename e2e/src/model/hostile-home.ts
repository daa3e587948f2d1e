// Where the hostile tenant of a lane lives: workspaces in which it is cluster-admin, with dep-ctrl bound, and no right anywhere else.
import { at } from '../https/kube-body.js';
import { GUARDS, RULES } from '../scenarios/rules.js';
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

  /** What a binding that is going waits for. */
  async #left(workspace: Workspace): Promise<string> {
    const lists = [RULES, GUARDS].map((list) => this.world.kcp.admin.get(`${workspace.at}${list}`));
    return (await Promise.all(lists))
      .map(({ status, body }) => `${status} ${JSON.stringify(body.items?.map(({ metadata }) => metadata))}`)
      .join('; ');
  }

  /** Makes dep-ctrl bound again where it is not, and paths what they are, for the next seed. */
  async restore(): Promise<void> {
    for (const workspace of this.workspaces) {
      const binding = `${workspace.at}${APIS}/apibindings/dep-ctrl`;
      const left = await eventually('the binding is there or gone', async () => {
        const answer = await this.by.admin.get(binding);
        if (answer.status === 200 && answer.body.metadata.deletionTimestamp !== undefined) {
          throw new Error(`it is going: ${JSON.stringify(at(answer.body, 'status', 'conditions'))}; ${await this.#left(workspace)}`);
        }
        return answer.status;
      });
      if (left !== 200) await this.world.bindOnly(workspace, 'Accepted', this.by);
      await this.by.claimPath(workspace, workspace.path);
    }
  }
}
