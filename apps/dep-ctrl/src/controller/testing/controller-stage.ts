// The controller role on an embedded kcp, over real sockets: a dep-ctrl workspace, providers as a spec wants them, and any number of
// controllers. No webhook: what counts is what stands in kcp.
import { EmbeddedKcp } from '@dep-ctrl/embedded-kcp';
import { systemClock, type ClusterClient, type Connection } from '@dep-ctrl/kcp-client';
import type { ExportRef, KubeObject, LogicalClusterName, WorkspacePath } from '@dep-ctrl/kcp-names';
import { GUARD_NAME, GUARDS, RULES } from '@dep-ctrl/rule-registry';
import { WEBHOOK_CONFIGURATIONS } from '@dep-ctrl/webhook-installer';
import { API_BINDINGS, ensureObject, ensureWorkspace, getIfExists, isNotThereYet, patiently } from '@dep-ctrl/kcp-objects';
import { bindDepCtrl } from '../../bind/bind-dep-ctrl.js';
import { bootstrapExport } from '../../bootstrap/bootstrap-export.js';
import { computeProvider, networkProvider, VIRTUAL_MACHINES, VPCS } from '../../dev/provider-manifests.js';
import { ADMISSION_CONFIGURATION } from '../../own-objects/admission-configuration.js';
import { connectTo } from '../../testing/embedded-world.js';
import { exportType } from '../../testing/export-type.js';
import { pathOf } from '../../testing/path-of.js';
import { conditionOf, statusOf } from './observations.js';
import { runController, type ControllerChange, type RunningController } from './running-controller.js';

const { signal } = new AbortController();
const options = { clock: systemClock, signal };
/** Longer than anything here takes on a machine that does eight other things. */
const patience = { ...options, timeoutMs: 60_000 };
const DEP_CTRL = pathOf('root:dep-ctrl');

/** A workspace. */
export interface Place {
  readonly path: WorkspacePath;
  readonly cluster: LogicalClusterName;
  readonly client: ClusterClient;
}

/** What a rule of a spec says. */
export interface RuleChange {
  readonly name?: string;
  readonly resource?: string;
  readonly enforcement?: 'Deny' | 'Warn' | 'Audit';
  readonly fieldPath?: string;
}

/** Where controllers run, and what stands in kcp because of them. */
export class ControllerStage {
  readonly kcp: EmbeddedKcp;
  readonly connection: Connection;
  readonly depCtrlExport: ExportRef;
  readonly #running = new Set<RunningController>();
  #places = 0;

  private constructor(kcp: EmbeddedKcp, connection: Connection, depCtrlExport: ExportRef) {
    this.kcp = kcp;
    this.connection = connection;
    this.depCtrlExport = depCtrlExport;
  }

  /** Starts a kcp with a dep-ctrl workspace. */
  static async start({ shards = 1 }: { readonly shards?: number } = {}): Promise<ControllerStage> {
    const kcp = await EmbeddedKcp.start({ shards, delays: 'fast' });
    const connection = connectTo(kcp.kubeconfig());
    const depCtrlExport = await bootstrapExport({ connection, path: DEP_CTRL, ...options, adopt: true, onEnsured: () => undefined });
    return new ControllerStage(kcp, connection, depCtrlExport);
  }

  /** The dep-ctrl workspace. */
  get depCtrl(): ClusterClient {
    return this.connection.cluster(DEP_CTRL);
  }

  /** Another workspace, which exports VPCs and virtual machines. */
  async provider({ shard, bound = true }: { readonly shard?: string; readonly bound?: boolean } = {}): Promise<Place> {
    this.#places += 1;
    const path = pathOf(`root:p${this.#places}`);
    const { cluster } = await ensureWorkspace(this.connection, path, { ...options, ...(shard !== undefined && { shard }) });
    const client = this.connection.cluster(path);
    for (const provider of [networkProvider(), computeProvider()]) await exportType(client, provider, patience);
    if (bound) await this.bind({ path, cluster, client });
    return { path, cluster, client };
  }

  /** Binds a workspace to dep-ctrl with the claim accepted. */
  async bind({ client }: Place): Promise<void> {
    await bindDepCtrl(client, this.depCtrlExport, options);
  }

  /** Starts to unbind; does not wait. */
  async unbind({ client }: Place): Promise<void> {
    for (const { metadata } of await this.#ownBindings(client))
      await client.delete(API_BINDINGS, { name: metadata.name ?? '' }, { signal });
  }

  /** Whether the workspace has no binding to dep-ctrl any more. */
  async isUnbound({ client }: Place): Promise<boolean> {
    return (await this.#ownBindings(client)).length === 0;
  }

  /** Keeps controllers from having rules checked as they are written, as no webhook would answer: an object of another owner takes the name. */
  async withoutChecks(): Promise<void> {
    const type = { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingWebhookConfiguration' };
    await this.depCtrl.create(WEBHOOK_CONFIGURATIONS, { ...type, metadata: { name: ADMISSION_CONFIGURATION }, webhooks: [] }, { signal });
  }

  /** Answers the claim anew. */
  async answerClaim({ client }: Place, state: 'Accepted' | 'Rejected'): Promise<void> {
    const [binding] = await this.#ownBindings(client);
    const spec = binding?.['spec'] as { readonly permissionClaims: readonly object[] };
    const permissionClaims = spec.permissionClaims.map((claim) => ({ ...claim, state }));
    const body = { spec: { permissionClaims } };
    await client.patch(API_BINDINGS, { name: binding?.metadata.name ?? '' }, { kind: 'merge', body }, { signal });
  }

  /** Writes a rule in one workspace about resources of another. */
  async rule(
    author: Place,
    target: Place | WorkspacePath,
    { name = 'vms', resource = VPCS.resource, enforcement, fieldPath = '.spec.vpcRef.name' }: RuleChange = {},
  ) {
    const { group, version, resource: vms } = VIRTUAL_MACHINES;
    const path = typeof target === 'string' ? target : target.path;
    const object: KubeObject = {
      apiVersion: `${RULES.group}/${RULES.version}`,
      kind: 'DependencyRule',
      metadata: { name },
      spec: {
        dependent: { apiExportName: group, group, version, kind: 'VirtualMachine', resource: vms },
        dependencies: [
          { apiExportRef: { path, name: VPCS.group }, group: VPCS.group, version: VPCS.version, resource, fieldRef: { path: fieldPath } },
        ],
        ...(enforcement !== undefined && { enforcement }),
      },
    };
    await patiently(`rule ${name}`, () => ensureObject(author.client, RULES, object, options), patience);
  }

  /** Deletes a rule. */
  async removeRule(author: Place, name = 'vms'): Promise<void> {
    await author.client.delete(RULES, { name }, { signal });
  }

  /** Starts a controller. */
  run({ connection = this.connection, ...change }: ControllerChange = {}): RunningController {
    const { stop, ...started } = runController(this.depCtrlExport, { connection, ...change });
    const running: RunningController = {
      ...started,
      stop: () => {
        this.#running.delete(running);
        return stop();
      },
    };
    this.#running.add(running);
    return running;
  }

  /** The configuration of a workspace as its users see it. */
  configuration({ client }: Place): Promise<KubeObject | undefined> {
    return getIfExists(client, WEBHOOK_CONFIGURATIONS, { name: GUARD_NAME }, options);
  }

  /** The guard of a workspace as its users see it; none where the type is not served. */
  async guard({ client }: Place): Promise<KubeObject | undefined> {
    return getIfExists(client, GUARDS, { name: GUARD_NAME }, options).catch((error: unknown) => {
      if (isNotThereYet(error)) return undefined;
      throw error;
    });
  }

  /** What `kubectl get dependencyrules` shows of a rule: ready, reason and targets. */
  async ruleState({ client }: Place, name = 'vms'): Promise<string> {
    const rule = await getIfExists(client, RULES, { name }, options);
    return `${conditionOf(rule, 'Ready')} ${statusOf(rule)['targetsInstalled'] as string}`;
  }

  /** Stops the controllers that still run. */
  async stopControllers(): Promise<void> {
    await Promise.all([...this.#running].map((running) => running.stop()));
  }

  /** Stops everything. */
  async stop(): Promise<void> {
    await this.stopControllers();
    await this.connection.close();
    await this.kcp.stop();
  }

  async #ownBindings(client: ClusterClient): Promise<readonly KubeObject[]> {
    const objects: KubeObject[] = [];
    for await (const page of client.list(API_BINDINGS, {}, { signal })) objects.push(...page.objects());
    return objects.filter(
      ({ spec }) => (spec as { reference?: { export?: { name?: string } } }).reference?.export?.name === this.depCtrlExport.name,
    );
  }
}
