// One kcp with dep-ctrl installed, and the providers, rules and consumers that scenarios set up in it.
import { equal, match } from 'node:assert/strict';
import type { Backend } from '../backends/backend.js';
import type { Answer } from '../https/answer.js';
import { at, type Tree } from '../https/kube-body.js';
import type { Figure } from '../running/outcome.js';
import { eventually } from '../stage/eventually.js';
import {
  WEBHOOK_CONFIGURATIONS,
  answeredClaim,
  bind,
  makeExport,
  served,
  webhookClaim,
  type Export,
  type ExportWish,
  type Maker,
} from '../stage/exports.js';
import { Stage, type Workspace, type WorkspaceWish } from '../stage/stage.js';
import { COMPUTE, COMPUTE_TYPES, NETWORK, NETWORK_TYPES, compute, network, refersTo } from './cloud-types.js';
import { builtProgram, Product, type InstallWish } from './product.js';
import { RULES, vmRule } from './rules.js';

// Literally those of the export: kcp intersects verbs as texts, so that ["*"] would accept nothing.
const CLAIMED_VERBS = ['get', 'list', 'watch', 'create', 'update', 'delete'];

/** The chart, from the root of the repository. */
export const CHART = 'deploy/chart';

/** A provider of VPCs and a provider of VMs that refer to them, both bound to dep-ctrl. */
export interface Cloud {
  readonly network: Export;
  readonly compute: Export;
}

/** A namespace of a consumer of both providers. */
export interface Tenant {
  readonly workspace: Workspace;
  readonly namespace: string;
  readonly vpcs: string;
  readonly vms: string;
  readonly zones: string;
  readonly hosts: string;
}

/** What every scenario is given. */
export class World {
  readonly kcp: Stage;
  readonly product: Product;
  /** The build of dep-ctrl that scenarios are about. */
  readonly program: string;
  /** The folder of the chart that scenarios are about. */
  readonly chart: string;
  /** What scenarios measured, one line each, for the end of the run. */
  readonly #figures: Figure[];

  private constructor(made: Pick<World, 'kcp' | 'product' | 'program' | 'chart'>, figures: Figure[] = []) {
    this.kcp = made.kcp;
    this.product = made.product;
    this.program = made.program;
    this.chart = made.chart;
    this.#figures = figures;
  }

  /** The same kcp with another installation of dep-ctrl; the caller stops it. */
  async second(wish: Partial<InstallWish> = {}): Promise<World> {
    const { kcp, program, chart } = this;
    return new World({ kcp, program, chart, product: await Product.install(kcp, { program, ...wish }) }, this.#figures);
  }

  /** Installs dep-ctrl into a backend. */
  static async open(backend: Backend, { chart = CHART, ...wish }: Partial<InstallWish> & { readonly chart?: string } = {}): Promise<World> {
    const kcp = await Stage.open(backend);
    try {
      const program = wish.program ?? builtProgram('DEP_CTRL_PROGRAM');
      return new World({ kcp, program, chart, product: await Product.install(kcp, { ...wish, program }) });
    } catch (error) {
      await kcp.close();
      throw error;
    }
  }

  /** Has a figure told at the end of the run, and kept with the record of it. */
  tell(test: string, says: string): void {
    this.#figures.push({ test, says });
  }

  /** What was told so far. */
  get figures(): readonly Figure[] {
    return this.#figures;
  }

  /** The export of dep-ctrl, for bindings. */
  get depCtrl(): { readonly path: string; readonly name: string } {
    return { path: this.product.path, name: 'dependencies.opendefense.cloud' };
  }

  /** The logical cluster of dep-ctrl's own workspace. */
  async homeCluster(): Promise<string> {
    const name = this.product.path.split(':')[1] ?? '';
    const { body } = (await this.kcp.admin.get(`/clusters/root/apis/tenancy.kcp.io/v1alpha1/workspaces/${name}`)).expect(200);
    return String(at(body, 'spec', 'cluster'));
  }

  /** Deletes dep-ctrl's own workspace and waits until it is gone. */
  async removeHome(): Promise<void> {
    const workspace = `/clusters/root/apis/tenancy.kcp.io/v1alpha1/workspaces/${this.product.path.split(':')[1] ?? ''}`;
    (await this.kcp.admin.delete(workspace)).expect(200);
    await eventually(`${this.product.path} is gone`, async () => void (await this.kcp.admin.get(workspace)).expect(404));
  }

  /** Makes a provider and binds it to dep-ctrl with its claim accepted, unless told otherwise. */
  async provider(wish: ExportWish, options: { readonly bound?: boolean } = {}): Promise<Export> {
    const made = await makeExport(this.kcp, wish);
    if (options.bound !== false) await this.bindDepCtrl(made.workspace);
    return made;
  }

  /** Binds a workspace to dep-ctrl; where the claim is accepted, the webhook may read what the workspace exports. `by`: see `bindOnly`. */
  async bindDepCtrl(workspace: Workspace, state: 'Accepted' | 'Rejected' = 'Accepted', by: Maker = this.kcp): Promise<void> {
    await this.bindOnly(workspace, state, by);
    if (state === 'Accepted') await this.grantReading(workspace);
  }

  /** Has `bind` grant what workspaces export that are bound already. */
  async grantReading(...workspaces: readonly Workspace[]): Promise<void> {
    let done = await this.product.bind(...workspaces.map(({ path }) => path));
    // Commands give up where kcp says nothing for 4 s, and other cases load this machine fully: somebody at a terminal would try again.
    for (let again = 0; again < 2 && /no answer within|no connection in time/.test(done.stderr); again += 1) {
      done = await this.product.bind(...workspaces.map(({ path }) => path));
    }
    equal(done.code, 0, done.stdout + done.stderr);
  }

  /** Binds a workspace to dep-ctrl as its provider may, or `by` those who own it: the webhook gets no right to read. */
  async bindOnly(workspace: Workspace, state: 'Accepted' | 'Rejected' = 'Accepted', by: Maker = this.kcp): Promise<void> {
    const target = { name: this.depCtrl.name, identity: '', workspace: { ...workspace, path: this.depCtrl.path } };
    await bind(by, workspace, target, { name: 'dep-ctrl', claims: [answeredClaim(webhookClaim(CLAIMED_VERBS), { state })] });
    await served(by, workspace.at + RULES);
  }

  /** Makes both providers of their own. */
  async cloud(options: { readonly shard?: number } = {}): Promise<Cloud> {
    const [networkHome, computeHome] = await Promise.all([this.kcp.workspace(options), this.kcp.workspace(options)]);
    const [net, comp] = await Promise.all([
      this.provider({ name: NETWORK, group: NETWORK, types: NETWORK_TYPES, workspace: networkHome }, { bound: false }),
      this.provider({ name: COMPUTE, group: COMPUTE, types: COMPUTE_TYPES, workspace: computeHome }, { bound: false }),
    ]);
    await Promise.all([this.bindOnly(networkHome), this.bindOnly(computeHome)]);
    await this.grantReading(networkHome, computeHome);
    return { network: net, compute: comp };
  }

  /** Both providers with the rule that a VM refers to its VPC, shared by the scenarios that only use it. */
  async sharedCloud(): Promise<Cloud> {
    return this.kcp.shared('cloud with the VM rule', async () => {
      const cloud = await this.cloud();
      await this.addRule(cloud, vmRule(cloud));
      return cloud;
    });
  }

  /** Writes a rule into the compute provider's workspace. */
  async addRule(cloud: Cloud, rule: Tree): Promise<Answer> {
    return eventually('the rule is admitted', async () =>
      (await this.kcp.admin.post(cloud.compute.workspace.at + RULES, rule)).expect(201),
    );
  }

  /** A consumer workspace of both providers. */
  async consumer(cloud: Cloud, options: Pick<WorkspaceWish, 'shard' | 'type'> = {}): Promise<Workspace> {
    const workspace = await this.kcp.workspace(options);
    await Promise.all([bind(this.kcp, workspace, cloud.network), bind(this.kcp, workspace, cloud.compute)]);
    const { vpcs, vms, zones, hosts } = tenantOf(workspace, 'default');
    await Promise.all([vpcs, vms, zones, hosts].map((path) => served(this.kcp, path)));
    return workspace;
  }

  /** A namespace of its own in a consumer. */
  async tenant(workspace: Workspace): Promise<Tenant> {
    const namespace = this.kcp.unique('n');
    (await this.kcp.admin.post(`${workspace.at}/api/v1/namespaces`, { metadata: { name: namespace } })).expect(201);
    return tenantOf(workspace, namespace);
  }

  /** A namespace in a consumer of the shared cloud, once deletes are guarded there. */
  async sharedTenant(): Promise<Tenant> {
    const cloud = await this.sharedCloud();
    const workspace = await this.kcp.shared('consumer of the shared cloud', () => this.consumer(cloud));
    const tenant = await this.tenant(workspace);
    await this.kcp.shared('the shared cloud is guarded', () => this.guarded(tenant));
    return tenant;
  }

  /** Waits until the VM rule is in force for a consumer: until a probe that is referred to is refused. */
  async guarded(tenant: Tenant, when = ''): Promise<void> {
    const { vpcs, vms } = tenant;
    const probe = this.kcp.unique('probe');
    (await this.kcp.admin.post(vpcs, network('VPC', probe))).expect(201);
    (await this.kcp.admin.post(vms, compute('VM', probe, refersTo(probe)))).expect(201);
    await this.refuses(`${vpcs}/${probe}`, when);
    (await this.kcp.admin.delete(`${vms}/${probe}`)).expect(200);
    await this.allows(`${vpcs}/${probe}`);
  }

  /** Creates objects at a collection. */
  async create(collection: string, ...objects: readonly Tree[]): Promise<void> {
    for (const object of objects) (await this.kcp.admin.post(collection, object)).expect(201);
  }

  /** Waits until a dry run of a delete is refused because something refers to the object, and answers how. `when` is for people, and for saboteurs. */
  async refuses(object: string, when = ''): Promise<Answer> {
    return eventually(`a delete of ${object} is refused ${when}`.trim(), async () => {
      const answer = (await this.kcp.admin.delete(`${object}?dryRun=All`)).expect(403);
      match(answer.body.message ?? '', /still referenced by/);
      return answer;
    });
  }

  /** A VPC and a VM that refers to it, in a tenant; answers the path of the VPC. */
  async pair({ vpcs, vms }: Tenant, name = this.kcp.unique('pair')): Promise<{ readonly vpc: string; readonly vm: string }> {
    await this.create(vpcs, network('VPC', name));
    await this.create(vms, compute('VM', name, refersTo(name)));
    return { vpc: `${vpcs}/${name}`, vm: `${vms}/${name}` };
  }

  /** A cloud of its own with the VM rule, a consumer of it, and a pair that is refused. */
  async guardedPair(): Promise<{ readonly cloud: Cloud; readonly tenant: Tenant; readonly vpc: string; readonly vm: string }> {
    const cloud = await this.cloud();
    await this.addRule(cloud, vmRule(cloud));
    const tenant = tenantOf(await this.consumer(cloud), 'default');
    const pair = await this.pair(tenant);
    await this.refuses(pair.vpc);
    return { cloud, tenant, ...pair };
  }

  /** The conditions of a rule, by type. */
  async ruleConditions(
    cloud: Cloud,
    name = 'vm-dependencies',
  ): Promise<Readonly<Record<string, { status: string; reason: string; message: string }>>> {
    const { body } = (await this.kcp.admin.get(`${cloud.compute.workspace.at}${RULES}/${name}`)).expect(200);
    const conditions = (at(body, 'status', 'conditions') ?? []) as { type: string; status: string; reason: string; message: string }[];
    return Object.fromEntries(conditions.map((condition) => [condition.type, condition]));
  }

  /** The names of the webhook configurations in a workspace. */
  async configurations(workspace: Workspace): Promise<readonly (string | undefined)[]> {
    const { body } = (await this.kcp.admin.get(`${workspace.at}${WEBHOOK_CONFIGURATIONS}`)).expect(200);
    return (body.items ?? []).map(({ metadata }) => metadata.name);
  }

  /** Waits until a delete is allowed, and deletes. */
  async allows(object: string): Promise<void> {
    await eventually(`a delete of ${object} is allowed`, async () => {
      (await this.kcp.admin.delete(object)).expect(200);
    });
    await eventually(`${object} is gone`, async () => equal((await this.kcp.admin.get(object)).status, 404));
  }

  /** Ends the product and every connection. */
  async close(): Promise<void> {
    await this.product.stop();
    await this.kcp.close();
  }
}

/** Resource paths of a namespace in a consumer. */
export function tenantOf(workspace: Workspace, namespace: string): Tenant {
  const at = (group: string): string => `${workspace.at}/apis/${group}/v1`;
  return {
    workspace,
    namespace,
    vpcs: `${at(NETWORK)}/namespaces/${namespace}/vpcs`,
    vms: `${at(COMPUTE)}/namespaces/${namespace}/vms`,
    zones: `${at(NETWORK)}/zones`,
    hosts: `${at(COMPUTE)}/hosts`,
  };
}
