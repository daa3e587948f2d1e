// Both roles on an embedded kcp, over real sockets: two providers and their rule, a WorkspaceType with our terminator, and workspaces that die.
import { EmbeddedKcp } from '@dep-ctrl/embedded-kcp';
import { runAll, systemClock, type ClusterClient, type Connection } from '@dep-ctrl/kcp-client';
import { recordingLogger } from '@dep-ctrl/kcp-client/testing';
import { bindExport } from '@dep-ctrl/exported-types';
import type { ExportRef, GroupVersionResource, KubeObject, LogicalClusterName, WorkspacePath } from '@dep-ctrl/kcp-names';
import { ensureObject, ensureWorkspace, getIfExists, patiently, until } from '@dep-ctrl/kcp-objects';
import type { TeardownEnd } from '@dep-ctrl/ordered-teardown';
import { RULES, type RegistryReader } from '@dep-ctrl/rule-registry';
import { bindDepCtrl } from '../../../bind/bind-dep-ctrl.js';
import { bootstrapExport } from '../../../bootstrap/bootstrap-export.js';
import { compose, partsOf } from '../../../composition/compose.js';
import {
  computeProvider,
  networkProvider,
  virtualMachine,
  VIRTUAL_MACHINES,
  vmDependencies,
  VPCS,
  vpc,
} from '../../../dev/provider-manifests.js';
import { prepareRoles } from '../../../roles/prepare-roles.js';
import { roleModules } from '../../../roles/role-modules.js';
import { connectTo } from '../../../testing/embedded-world.js';
import { exportType } from '../../../testing/export-type.js';
import { pathOf } from '../../../testing/path-of.js';
import { silentObserver, type DecidedReview } from '../../../webhook/decision/review-observer.js';
import { ControllerRole } from '../../controller-role.js';

const { signal } = new AbortController();
const options = { clock: systemClock, signal };
const patience = { ...options, timeoutMs: 60_000 };
const WORKSPACES = { group: 'tenancy.kcp.io', version: 'v1alpha1', resource: 'workspaces' };
const TYPES = { group: 'tenancy.kcp.io', version: 'v1alpha1', resource: 'workspacetypes' };
const ROOT = pathOf('root');
const HOME = pathOf('root:dep-ctrl');
/** Where the stage's providers live. */
export const NETWORK = pathOf('root:network');
export const COMPUTE = pathOf('root:compute');
const TYPE_NAME = 'dependency-ordered';

/** A workspace of the type. */
export interface DyingWorkspace {
  readonly name: string;
  readonly cluster: LogicalClusterName;
  readonly client: ClusterClient;
}

/** Roles that run. */
export interface RunningRoles {
  readonly controller: ControllerRole;
  /** `level message {fields}`. */
  readonly logged: readonly string[];
  readonly reviews: readonly DecidedReview[];
  readonly ends: readonly TeardownEnd[];
  readonly registry: RegistryReader;
  readonly stop: () => Promise<void>;
}

/** See above. */
export class TeardownStage {
  readonly kcp: EmbeddedKcp;
  readonly connection: Connection;
  readonly #depCtrlExport: ExportRef;
  #running: RunningRoles[] = [];
  #workspaces = 0;

  private constructor(kcp: EmbeddedKcp, connection: Connection, depCtrlExport: ExportRef) {
    this.kcp = kcp;
    this.connection = connection;
    this.#depCtrlExport = depCtrlExport;
  }

  /** Sets up kcp and the providers. No role runs, and there is no type yet. */
  static async start(delays: 'fast' | number = 'fast'): Promise<TeardownStage> {
    const kcp = await EmbeddedKcp.start({ delays });
    const connection = connectTo(kcp.kubeconfig());
    const depCtrlExport = await bootstrapExport({ connection, path: HOME, ...options, adopt: true, onEnsured: () => undefined });
    const stage = new TeardownStage(kcp, connection, depCtrlExport);
    await stage.provider(NETWORK, networkProvider());
    await stage.provider(COMPUTE, computeProvider());
    await stage.rule(COMPUTE, vmDependencies(NETWORK));
    return stage;
  }

  /** A workspace that exports a type and binds dep-ctrl. */
  async provider(path: WorkspacePath, manifests: Parameters<typeof exportType>[1]): Promise<void> {
    await ensureWorkspace(this.connection, path, options);
    await exportType(this.connection.cluster(path), manifests, patience);
    await bindDepCtrl(this.connection.cluster(path), this.#depCtrlExport, options);
  }

  /** Writes a rule, and waits for nothing. */
  async rule(author: WorkspacePath, object: KubeObject): Promise<void> {
    await patiently('the rule', () => ensureObject(this.connection.cluster(author), RULES, object, options), patience);
  }

  /** What `bootstrap --ordered-teardown` and `bind` make. */
  async makeType(change: { readonly verbs?: readonly string[]; readonly groups?: readonly string[] } = {}): Promise<void> {
    const { verbs = ['get', 'list', 'delete', 'patch'], groups = [VPCS.group, VIRTUAL_MACHINES.group] } = change;
    await this.connection.cluster(HOME).create(
      TYPES,
      {
        apiVersion: 'tenancy.kcp.io/v1alpha1',
        kind: 'WorkspaceType',
        metadata: { name: TYPE_NAME },
        spec: {
          terminator: true,
          extend: { with: [{ name: 'universal', path: 'root' }] },
          terminatorPermissions: [
            { apiGroups: ['apis.kcp.io'], resources: ['apibindings'], verbs: ['get', 'list'] },
            { apiGroups: groups, resources: ['*'], verbs },
          ],
        },
      },
      { signal },
    );
  }

  removeType(): Promise<void> {
    return this.connection.cluster(HOME).delete(TYPES, { name: TYPE_NAME }, { signal });
  }

  /** A workspace of the type that binds providers. */
  async workspace(binds: readonly { readonly path: WorkspacePath; readonly name: string }[] = BOTH): Promise<DyingWorkspace> {
    const name = `team-${(this.#workspaces += 1)}`;
    const spec = { type: { name: TYPE_NAME, path: HOME } };
    const object = { apiVersion: 'tenancy.kcp.io/v1alpha1', kind: 'Workspace', metadata: { name }, spec };
    await patiently('the workspace', () => ensureObject(this.connection.cluster(ROOT), WORKSPACES, object, options), patience);
    const { cluster } = await ensureWorkspace(this.connection, pathOf(`root:${name}`), options);
    const client = this.connection.cluster(cluster);
    for (const each of binds) await bindExport(client, { export: each, claims: [] }, options);
    return { name, cluster, client };
  }

  /** Creates an object as soon as its type is served. */
  async create(
    { client }: DyingWorkspace,
    type: GroupVersionResource,
    object: KubeObject,
    finalizers: readonly string[] = [],
  ): Promise<void> {
    const metadata = { ...object.metadata, ...(finalizers.length > 0 && { finalizers }) };
    await patiently('the object', () => ensureObject(client, type, { ...object, metadata }, options), patience);
  }

  /** One VPC and machines that refer to it. */
  async stock(workspace: DyingWorkspace, machines: readonly string[], finalizers: readonly string[] = []): Promise<void> {
    await this.create(workspace, VPCS, vpc('net'));
    for (const name of machines) await this.create(workspace, VIRTUAL_MACHINES, virtualMachine(name, 'net'), finalizers);
  }

  /** Takes finalizers off. */
  async release({ client }: DyingWorkspace, type: GroupVersionResource, name: string): Promise<void> {
    await client.patch(type, { name, namespace: 'default' }, { kind: 'merge', body: { metadata: { finalizers: null } } }, { signal });
  }

  /** Begins to delete a workspace. */
  async remove({ name }: DyingWorkspace): Promise<void> {
    await this.connection.cluster(ROOT).delete(WORKSPACES, { name }, { signal });
  }

  /** Waits until a workspace is gone. */
  async gone({ name }: DyingWorkspace): Promise<void> {
    await until(
      `the end of ${name}`,
      async () => {
        const left = await getIfExists(this.connection.cluster(ROOT), WORKSPACES, { name }, options);
        return left === undefined ? { done: true } : { waitingFor: JSON.stringify(left['status']) };
      },
      patience,
    );
  }

  /** Which entries hold a workspace. */
  async terminators({ client }: DyingWorkspace): Promise<readonly string[]> {
    const type = { group: 'core.kcp.io', version: 'v1alpha1', resource: 'logicalclusters' };
    const { status } = await client.get(type, { name: 'cluster' }, { signal });
    return (status as { readonly terminators?: readonly string[] }).terminators ?? [];
  }

  /** What our terminator deleted, in the order in which kcp was asked. */
  deletes({ cluster }: DyingWorkspace): readonly string[] {
    return this.#asked('DELETE', cluster);
  }

  /** What our terminator patched in the content. */
  patches({ cluster }: DyingWorkspace): readonly string[] {
    return this.#asked('PATCH', cluster).filter((path) => path !== 'cluster/status');
  }

  #asked(method: string, cluster: LogicalClusterName): readonly string[] {
    const inside = new RegExp(`^/services/terminatingworkspaces/[^/]+/clusters/${cluster}/.*/([^/?]+/[^/?]+)(?:\\?.*)?$`);
    return this.kcp.requests.recorded({ method, path: inside }).map(({ path }) => inside.exec(path)?.[1] ?? path);
  }

  /** Starts both roles, and waits until the rule is in force. */
  async run({
    teardownTimeoutMs = 60_000,
    workspaceType = TYPE_NAME,
  }: { readonly teardownTimeoutMs?: number; readonly workspaceType?: string } = {}): Promise<RunningRoles> {
    const [logged, reviews, ends]: [string[], DecidedReview[], TeardownEnd[]] = [[], [], []];
    const connection = connectTo(this.kcp.kubeconfig());
    const home = { exportName: this.#depCtrlExport.name, workspace: connection.cluster(HOME) };
    const logger = recordingLogger(logged);
    const controller = { leaderElect: false, workspaceType, teardownTimeoutMs };
    const roles = { controller, webhook: { port: 0, host: '127.0.0.1', maxRuleAgeMs: 30_000 } };
    const stopping = new AbortController();
    const prepared = await prepareRoles({ roles, files: {}, home, clock: systemClock, logger, signal: stopping.signal });
    const metrics = {
      ...silentObserver,
      decided: (review: DecidedReview) => void reviews.push(review),
      objectDeleted: () => undefined,
      objectAnnotated: () => undefined,
      teardownEnded: (end: TeardownEnd) => void ends.push(end),
    };
    const { registry, ...modules } = roleModules({ connection, home, roles, metrics, logger }, prepared);
    const container = compose(modules);
    const ended = runAll([...partsOf(container), ...prepared.followers], stopping.signal);
    ended.catch(() => undefined);
    const running: RunningRoles = {
      controller: container.get(ControllerRole),
      logged,
      reviews,
      ends,
      registry,
      stop: async () => {
        this.#running = this.#running.filter((each) => each !== running);
        stopping.abort();
        await ended;
        await connection.close();
      },
    };
    this.#running.push(running);
    await until(
      'the configuration',
      () => {
        const { configurations, waitingFor } = running.controller.state();
        const isInstalled = configurations.installed > 0 && configurations.pending === 0;
        return Promise.resolve(isInstalled ? { done: true } : { waitingFor: waitingFor.join() });
      },
      patience,
    );
    return running;
  }

  /** Waits until the roles know so many rules. */
  async knowsRules({ registry }: RunningRoles, count: number): Promise<void> {
    const known = () => registry.ruleCount;
    await until('the rules', () => Promise.resolve(known() === count ? { done: true } : { waitingFor: `${known()} rules` }), patience);
  }

  /** Stops the roles that still run. */
  async stopRoles(): Promise<void> {
    await Promise.all(this.#running.map((each) => each.stop()));
  }

  async stop(): Promise<void> {
    await this.stopRoles();
    await this.connection.close();
    await this.kcp.stop();
  }
}

const BOTH = [
  { path: NETWORK, name: VPCS.group },
  { path: COMPUTE, name: VIRTUAL_MACHINES.group },
];

/** The reviews that ended in a refusal. */
export function refusals({ reviews }: RunningRoles): readonly string[] {
  return reviews.flatMap(({ decision }) => (decision.verdict === 'deny' ? [decision.because] : []));
}
