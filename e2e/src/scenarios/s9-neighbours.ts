// The stage of S9: an honest cloud with two teams that use it, and providers beside it that none of them has bound.
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import type { TokenUser } from '../backends/backend.js';
import type { Answer } from '../https/answer.js';
import { at, type Tree } from '../https/kube-body.js';
import { always, eventually } from '../stage/eventually.js';
import { bind, type Export } from '../stage/exports.js';
import { ACCESS, grant, group } from '../stage/identities.js';
import { Outsider } from '../stage/outsider.js';
import type { Workspace } from '../stage/stage.js';
import { version, type TypeToServe } from '../stage/example-types.js';
import { compute, network, refersTo } from './cloud-types.js';
import type { InstallWish } from './product.js';
import { GUARDS, RULES, vmRule } from './rules.js';
import { tenantOf, type Cloud, type Tenant, type World } from './world.js';

/** Group and export name of a provider that no team has bound. */
export const STORAGE = 'storage.example.com';

const anything = { type: 'object', properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } } };

/** What it exports. */
export const STORAGE_TYPES: readonly TypeToServe[] = [
  { plural: 'disks', kind: 'Disk', scope: 'Namespaced', versions: [version('v1', anything)] },
];

// What kcp gives a webhook; a delete that takes longer was not answered.
const ANSWERED_MS = 10_000;
// Longer than a change takes to be seen, resolved and written.
const WHILE_MS = 2_000;
/** How long a role may take to say that it is alive. */
const ALIVE_MS = 1_000;
/** The VPC of every team that a VM of the same name refers to. */
export const HELD = 'used';

/** A type as rules name it. */
export interface NamedType {
  readonly path: string;
  readonly exportName: string;
  readonly group: string;
  readonly resource: string;
  readonly kind: string;
}

/** Any rule; `field` is where every target is read from. */
export function ruleAbout(name: string, dependent: Omit<NamedType, 'path'>, targets: readonly Tree[]): Tree {
  const { exportName: apiExportName, group: of, resource, kind } = dependent;
  return {
    apiVersion: 'dependencies.opendefense.cloud/v1alpha1',
    kind: 'DependencyRule',
    metadata: { name },
    spec: { dependent: { apiExportName, group: of, version: 'v1', kind, resource }, dependencies: targets },
  };
}

/** One target of a rule. */
export function target({ path, exportName, group: of, resource }: Omit<NamedType, 'kind'>, field = '.metadata.name'): Tree {
  return { apiExportRef: { path, name: exportName }, group: of, version: 'v1', resource, fieldRef: { path: field } };
}

/** The honest providers, the teams that use them, and those beside them. */
export class Neighbours {
  readonly own: World;
  readonly cloud: Cloud;
  readonly teams: readonly Tenant[];

  private constructor(own: World, cloud: Cloud, teams: readonly Tenant[]) {
    this.own = own;
    this.cloud = cloud;
    this.teams = teams;
  }

  /** Sets all up in an installation of its own, which ends with the run. Where there are two shards, each has a team. */
  static async play(world: World, run: (scene: Neighbours) => Promise<void>, wish: NeighboursWish = {}): Promise<void> {
    const own = await world.second(wish.install);
    try {
      const shards = own.kcp.backend.shards.length;
      const cloud = await (wish.cloud?.(own) ?? own.cloud());
      await own.addRule(cloud, vmRule(cloud));
      await everybodyMayBind(own, `/clusters/${await own.homeCluster()}`, own.depCtrl.name);
      const places = wish.teams ?? [0, 1 % shards];
      const teams = await Promise.all(places.map(async (shard) => tenantOf(await own.consumer(cloud, { shard }), 'default')));
      const scene = new Neighbours(own, cloud, teams);
      for (const { vpcs, vms } of teams) {
        await own.create(vpcs, network('VPC', HELD));
        await own.create(vms, compute('VM', HELD, refersTo(HELD)));
        await own.refuses(`${vpcs}/${HELD}`);
      }
      await scene.answered();
      await run(scene);
    } finally {
      await own.product.stop();
    }
  }

  /** The types of the honest providers, as any rule may name them. */
  get types(): { readonly vpcs: NamedType; readonly vms: NamedType } {
    const { network: net, compute: comp } = this.cloud;
    return {
      vpcs: { path: net.workspace.path, exportName: net.name, group: net.name, resource: 'vpcs', kind: 'VPC' },
      vms: { path: comp.workspace.path, exportName: comp.name, group: comp.name, resource: 'vms', kind: 'VM' },
    };
  }

  /** A user who owns nothing yet. */
  outsider(name: TokenUser = 'alice'): Outsider {
    return new Outsider(this.own.kcp, name);
  }

  /** A provider that no team has bound, with an export and a binding to dep-ctrl that its owner made. */
  async provider(
    by: Outsider,
    { shard, groupName = STORAGE, name = groupName, types = STORAGE_TYPES }: ProviderWish = {},
  ): Promise<Export> {
    const workspace = await by.workspace(shard === undefined ? {} : { shard });
    const made = await by.export({ name, group: groupName, types, workspace });
    await this.own.bindDepCtrl(workspace, 'Accepted', by);
    return made;
  }

  /** Lets everybody bind one of the honest exports. */
  async openTo(exported: Export): Promise<void> {
    await everybodyMayBind(this.own, exported.workspace.at, exported.name);
  }

  /** A consumer workspace of both honest providers that is an outsider's own. */
  async consumerOf(by: Outsider, options: { readonly shard?: number } = {}): Promise<Tenant> {
    const workspace = await by.workspace(options);
    for (const exported of [this.cloud.network, this.cloud.compute]) await bind(by, workspace, exported);
    const tenant = tenantOf(workspace, 'default');
    for (const path of [tenant.vpcs, tenant.vms, tenant.hosts]) {
      await eventually(`${path} is served`, async () => void (await by.admin.get(path)).expect(200));
    }
    return tenant;
  }

  /** Asks once for every team: what is free goes at the first asking, what is held is refused because of its VM and of nothing else. */
  async answered(): Promise<void> {
    await Promise.all(
      this.teams.map(async ({ vpcs }) => {
        const { admin } = this.own.kcp;
        const free = this.own.kcp.unique('free');
        await this.own.create(vpcs, network('VPC', free));
        const [gone, kept] = await Promise.all([
          admin.delete(`${vpcs}/${free}`, undefined, { timeoutMs: ANSWERED_MS }),
          admin.delete(`${vpcs}/${HELD}`, undefined, { timeoutMs: ANSWERED_MS }),
        ]);
        isFreed(gone);
        isHeld(kept);
      }),
    );
  }

  /** The same, again and again. */
  async unharmed(what: string, forMs = WHILE_MS): Promise<void> {
    await always(what, () => this.answered(), forMs);
  }

  /** The same, while the event loops of both roles turn all the time. */
  async unharmedAndAlive(what: string, forMs = WHILE_MS): Promise<void> {
    const { webhook, controller } = this.own.product;
    const alive = async (): Promise<void> => {
      await Promise.all([webhook.isAlive(ALIVE_MS), controller.isAlive(ALIVE_MS)]);
    };
    await Promise.all([this.unharmed(what, forMs), always(`${what}: alive`, alive, forMs)]);
  }

  /** The same after either role was killed and started again, one after the other. */
  async unharmedByRestarts(what: string): Promise<void> {
    const { webhook, controller } = this.own.product;
    for (const role of [webhook, controller]) {
      await role.kill();
      await role.start();
      await this.unharmed(`${what}, and the ${role.name} started again`, WHILE_MS / 2);
    }
  }

  /** Whatever the answer, nothing that is held is let go. */
  async nothingHeldGoes(): Promise<void> {
    for (const { vpcs } of this.teams) {
      const { status, text } = await this.own.kcp.admin.delete(`${vpcs}/${HELD}`, undefined, { timeoutMs: 2 * ANSWERED_MS });
      ok(status >= 400, `what is held was deleted: ${text}`);
    }
  }

  /** The guard of an outsider's own workspace, made or edited; one without a spec would not stay. */
  async guardBy(by: Outsider, { at: home }: Workspace, spec: Tree): Promise<Answer> {
    return eventually('the guard is written or refused', async () => {
      const made = await by.admin.post(home + GUARDS, guardWith(spec));
      if (made.status !== 409) return isStoredOrRefused(made);
      return isStoredOrRefused(await by.admin.patch('merge', `${home}${GUARDS}/dependency-controller`, { spec }));
    });
  }

  /** What the status of that guard is to say. */
  async guardStatusBy(by: Outsider, { at: home }: Workspace, status: Tree): Promise<void> {
    await eventually('the status is written', async () => {
      (await by.admin.patch('merge', `${home}${GUARDS}/dependency-controller/status`, { status })).expect(200);
    });
  }

  /** A rule of an outsider. */
  async ruleBy(by: Outsider, workspace: Workspace, rule: Tree): Promise<Answer> {
    return eventually('the rule is stored or refused', async () => isStoredOrRefused(await by.admin.post(workspace.at + RULES, rule)));
  }

  /** The honest rule is in force, and says so. */
  async honestRuleIsReady(): Promise<void> {
    await eventually('the honest rule is in force', async () => {
      const conditions = await this.own.ruleConditions(this.cloud);
      equal(conditions['Ready']?.status, 'True', JSON.stringify(conditions));
    });
  }
}

/** How a scene differs from the usual one. */
export interface NeighboursWish {
  readonly install?: Partial<InstallWish>;
  readonly cloud?: (own: World) => Promise<Cloud>;
  /** The shards of the teams. */
  readonly teams?: readonly number[];
}

/** How a provider differs from the usual one. */
export interface ProviderWish {
  readonly shard?: number;
  readonly groupName?: string;
  /** Of the export; the group's unless told. */
  readonly name?: string;
  readonly types?: readonly TypeToServe[];
}

function guardWith(spec: Tree): Tree {
  return {
    apiVersion: 'dependencies.opendefense.cloud/v1alpha1',
    kind: 'DependencyGuard',
    metadata: { name: 'dependency-controller' },
    spec,
  };
}

/** What an outsider writes may be refused, by its schema or at the door, but it is answered. */
function isStoredOrRefused(answer: Answer): Answer {
  ok([200, 201, 403, 413, 422].includes(answer.status), `${answer.status}: ${answer.text.slice(0, 300)}`);
  return answer;
}

async function everybodyMayBind({ kcp }: World, home: string, exportName: string): Promise<void> {
  const mayBind = { apiGroups: ['apis.kcp.io'], resources: ['apiexports'], resourceNames: [exportName], verbs: ['bind'] };
  await grant(kcp.admin, home, 'everybody-may-bind', [mayBind, ACCESS], [group('system:authenticated')]);
}

function isFreed(answer: Answer): void {
  equal(answer.status, 200, answer.text.slice(0, 500));
  equal(answer.header('warning'), '');
}

function isHeld(answer: Answer): void {
  equal(answer.status, 403, answer.text.slice(0, 500));
  match(answer.body.message ?? '', new RegExp(`cannot delete vpcs/${HELD}: still referenced by VM/${HELD},`));
  deepEqual(at(answer.body, 'details', 'causes'), [{ reason: 'StillReferenced', message: `VM/${HELD}`, field: 'spec.vpcRef.name' }]);
}
