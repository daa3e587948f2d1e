// The whole role on an embedded kcp, over real sockets: two providers, their rule, consumers that use both. No controller: reviews are
// posted as kcp posts them, built from what kcp says about the object.
import { EmbeddedKcp } from '@dep-ctrl/embedded-kcp';
import { silentLogger, systemClock, type ClusterClient, type Connection } from '@dep-ctrl/kcp-client';
import type { KubeObject, LogicalClusterName } from '@dep-ctrl/kcp-names';
import { createRegistry, RULES, type RegistryReader } from '@dep-ctrl/rule-registry';
import type { FinishedList } from '@dep-ctrl/shared-lists';
import type { UrlSecrets } from '@dep-ctrl/admission-server';
import { httpsPost, testCertificates, type TestCertificates } from '@dep-ctrl/admission-server/testing';
import { ensureObject, ensureWorkspace, patiently, until } from '@dep-ctrl/kcp-objects';
import { bindDepCtrl } from '../../bind/bind-dep-ctrl.js';
import { bindExport } from '@dep-ctrl/exported-types';
import { bootstrapExport } from '../../bootstrap/bootstrap-export.js';
import {
  computeProvider,
  networkProvider,
  virtualMachine,
  vmDependencies,
  vpc,
  VIRTUAL_MACHINES,
  VPCS,
} from '../../dev/provider-manifests.js';
import { compose } from '../../composition/compose.js';
import { rulesModule } from '../../composition/rules-module.js';
import { webhookModules, type WebhookOptions } from '../../composition/webhook-modules.js';
import { RuleSource } from '../../rules/rule-source.js';
import { connectTo } from '../../testing/embedded-world.js';
import { exportType } from '../../testing/export-type.js';
import { pathOf } from '../../testing/path-of.js';
import { silentObserver, type DecidedReview } from '../decision/review-observer.js';
import { WebhookRole } from '../webhook-role.js';
import { deleteReview, wire, type ReviewChange } from './reviews.js';

/** How a stage differs from the usual one. */
export interface RoleStageOptions {
  readonly shards?: number;
  /** Where the compute provider and its rule live. */
  readonly computeShard?: string;
  readonly urlSecrets?: () => UrlSecrets;
  readonly limits?: NonNullable<WebhookOptions['limits']>;
  /** The compute provider's type, if it is not the story's. */
  readonly computeSchema?: (schema: KubeObject) => KubeObject;
  readonly maxRuleAgeMs?: number;
}

/** What a review says, as a spec looks at it. */
export interface ReviewResponse {
  readonly uid: string;
  readonly allowed: boolean;
  readonly status?: { readonly code: number; readonly reason: string; readonly message: string; readonly details?: object };
  readonly warnings?: readonly string[];
  readonly auditAnnotations?: Readonly<Record<string, string>>;
}

/** A consumer workspace. */
export interface Consumer {
  readonly cluster: LogicalClusterName;
  readonly client: ClusterClient;
}

const { signal: forever } = new AbortController();
const options = { clock: systemClock, signal: forever };
// Where everything is, unless a spec wants something elsewhere.
const onRoot = { ...options, shard: 'root' };
/** How long specs wait for kcp on the stage. */
export const patience = { ...options, timeoutMs: 20_000 };

interface StageParts extends Pick<
  RoleStage,
  'kcp' | 'connection' | 'role' | 'source' | 'registry' | 'decided' | 'lists' | 'network' | 'compute' | 'exportName'
> {
  readonly certificates: TestCertificates;
  readonly stopRole: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** What the role calls itself to kcp. */
export const ROLE_AGENT = 'webhook-role';

/** Workspace paths of the stage. */
export const PATHS = {
  depCtrl: pathOf('root:dep-ctrl'),
  network: pathOf('root:network'),
  compute: pathOf('root:compute'),
} as const;

/** See above. */
export class RoleStage {
  readonly kcp: EmbeddedKcp;
  readonly connection: Connection;
  readonly role: WebhookRole;
  readonly source: RuleSource;
  readonly registry: RegistryReader;
  readonly decided: readonly DecidedReview[];
  readonly lists: readonly FinishedList[];
  readonly network: LogicalClusterName;
  readonly compute: LogicalClusterName;
  readonly exportName: string;
  readonly #certificates: TestCertificates;
  readonly #stopRole: () => Promise<void>;
  readonly #close: () => Promise<void>;
  #consumers = 0;

  private constructor(parts: StageParts) {
    this.kcp = parts.kcp;
    this.connection = parts.connection;
    this.role = parts.role;
    this.source = parts.source;
    this.registry = parts.registry;
    this.decided = parts.decided;
    this.lists = parts.lists;
    this.network = parts.network;
    this.compute = parts.compute;
    this.exportName = parts.exportName;
    this.#certificates = parts.certificates;
    this.#stopRole = parts.stopRole;
    this.#close = parts.close;
  }

  /** Sets everything up and waits until the role is ready and knows the rule. */
  static async start({
    shards = 1,
    computeShard = 'root',
    urlSecrets,
    limits,
    computeSchema = (schema) => schema,
    maxRuleAgeMs = 30_000,
  }: RoleStageOptions = {}) {
    const kcp = await EmbeddedKcp.start({ shards, delays: 'fast' });
    const connection = connectTo(kcp.kubeconfig());
    const roleConnection = connectTo(kcp.kubeconfig(), { userAgent: ROLE_AGENT, requestConnections: 80 });
    const depCtrlExport = await bootstrapExport({ connection, path: PATHS.depCtrl, ...onRoot, adopt: true, onEnsured: () => undefined });
    const network = await ensureWorkspace(connection, PATHS.network, onRoot);
    const compute = await ensureWorkspace(connection, PATHS.compute, { ...options, shard: computeShard });
    const { schema, ...provider } = computeProvider();
    await exportType(connection.cluster(PATHS.network), networkProvider(), patience);
    await exportType(connection.cluster(PATHS.compute), { ...provider, schema: computeSchema(schema) }, patience);
    for (const path of [PATHS.network, PATHS.compute]) await bindDepCtrl(connection.cluster(path), depCtrlExport, options);
    await patiently(
      'the rule',
      () => ensureObject(connection.cluster(PATHS.compute), RULES, vmDependencies(PATHS.network), options),
      patience,
    );

    const certificates = await testCertificates();
    const home = { exportName: depCtrlExport.name, workspace: roleConnection.cluster(PATHS.depCtrl) };
    const decided: DecidedReview[] = [];
    const lists: FinishedList[] = [];
    const { reader: registry, writer } = createRegistry();
    const shared = { connection: roleConnection, home, registry, clock: systemClock, logger: silentLogger };
    const container = compose({
      process: [
        rulesModule(shared, writer),
        ...webhookModules(shared, {
          port: 0,
          host: '127.0.0.1',
          maxRuleAgeMs,
          readServingPair: () => Promise.resolve(certificates.pair),
          urlSecrets: urlSecrets && { current: urlSecrets },
          ...(limits === undefined ? {} : { limits }),
          observer: {
            ...silentObserver,
            decided: (review) => void decided.push(review),
            listed: (list) => void lists.push(list),
          },
        }),
      ],
    });
    const [source, role] = [container.get(RuleSource), container.get(WebhookRole)];
    const stop = new AbortController();
    const running = Promise.all([source.run(stop.signal), role.run(stop.signal)]);
    const stage = new RoleStage({
      kcp,
      connection,
      role,
      source,
      registry,
      decided,
      lists,
      network: network.cluster,
      compute: compute.cluster,
      exportName: home.exportName,
      certificates,
      stopRole: async () => {
        stop.abort();
        await running;
      },
      close: async () => {
        await Promise.all([connection.close(), roleConnection.close()]);
        await kcp.stop();
      },
    });
    await until('the role getting ready', () => Promise.resolve(probeReady(stage)), patience);
    return stage;
  }

  get port(): number {
    const address = this.role.address();
    if (address === undefined) throw new Error('the role does not listen');
    return address.port;
  }

  /** A new workspace that has bound both providers. */
  async consumer({ binds = ['network', 'compute'] }: { readonly binds?: readonly ('network' | 'compute')[] } = {}): Promise<Consumer> {
    const path = pathOf(`root:consumer-${String((this.#consumers += 1))}`);
    const { cluster } = await ensureWorkspace(this.connection, path, onRoot);
    const client = this.connection.cluster(cluster);
    for (const provider of binds) {
      const name = provider === 'network' ? VPCS.group : VIRTUAL_MACHINES.group;
      await bindExport(client, { export: { path: PATHS[provider], name }, claims: [] }, options);
    }
    await patiently('the types', () => ensureObject(client, VPCS, vpc('my-vpc'), options), patience);
    return { cluster, client };
  }

  /** Creates virtual machines that refer to a VPC. */
  async create({ client }: Consumer, vpcName: string, ...names: readonly string[]): Promise<void> {
    for (const name of names) {
      await patiently(name, () => ensureObject(client, VIRTUAL_MACHINES, virtualMachine(name, vpcName), options), patience);
    }
  }

  /** What the webhook answers when the consumer's `my-vpc` is to be deleted. */
  async review(
    { cluster }: Pick<Consumer, 'cluster'>,
    { path = `/validate/${this.network}`, change = {} }: { readonly path?: string; readonly change?: ReviewChange } = {},
  ): Promise<ReviewResponse> {
    const { metadata, ...rest } = change;
    const annotations = { 'kcp.io/cluster': cluster };
    const { code, body } = await this.post(path, wire(deleteReview({ ...rest, metadata: { annotations, ...metadata } })));
    if (code !== 200) throw new Error(`HTTP ${String(code)}: ${body}`);
    return (JSON.parse(body) as { readonly response: ReviewResponse }).response;
  }

  /** Cuts the role off from what a shard shows of dep-ctrl's export, and from nothing else. */
  async cutOff(name: string): Promise<void> {
    const shard = this.kcp.shards.find((each) => each.name === name);
    // A watch that runs ends only with its connection.
    await shard?.stop();
    this.kcp.faults.onRequest({ listener: name, path: /^\/services\/apiexport\// }, { kind: 'drop' });
    await shard?.start();
  }

  /** A workspace on another shard that binds dep-ctrl, so that the shard has an endpoint, once the role watches it. */
  async elsewhere(shard: string): Promise<void> {
    const path = pathOf('root:elsewhere');
    await ensureWorkspace(this.connection, path, { ...options, shard });
    await bindDepCtrl(this.connection.cluster(path), { path: PATHS.depCtrl, name: this.exportName }, options);
    const count = (): number => [...this.source.state().endpoints.keys()].length;
    const isReady = (): boolean => this.role.readinessChecks.every((each) => each.check().ready);
    await until(
      'the second endpoint',
      () => Promise.resolve(count() === 2 && isReady() ? { done: true } : { waitingFor: `${String(count())} endpoints` }),
      patience,
    );
  }

  /** Resolves once kcp was asked such a thing by the role. */
  async asked(path: RegExp): Promise<void> {
    const isAsked = (): boolean => this.kcp.requests.recorded({ path }).some(({ userAgent }) => userAgent === ROLE_AGENT);
    await until('the request', () => Promise.resolve(isAsked() ? { done: true } : { waitingFor: String(path) }), patience);
  }

  /** Tries again while kcp has not caught up with itself. */
  patiently(what: string, act: () => Promise<unknown>): Promise<void> {
    return patiently(what, act, patience);
  }

  /** Base64 of the CA that the role's certificate is of. */
  get caBundle(): string {
    return Buffer.from(this.#certificates.authority.certificate).toString('base64');
  }

  /** Posts anything. */
  post(path: string, body: Uint8Array): ReturnType<typeof httpsPost> {
    return httpsPost({ port: this.port, path, ca: this.#certificates.authority.certificate, body });
  }

  /** Stops the role alone. */
  stopRole(): Promise<void> {
    return this.#stopRole();
  }

  async stop(): Promise<void> {
    await this.#stopRole();
    await this.#close();
  }
}

function probeReady({ role, registry, network, compute }: RoleStage): { readonly done: true } | { readonly waitingFor: string } {
  for (const each of role.readinessChecks) {
    const answer = each.check();
    if (!answer.ready) return { waitingFor: `${each.name}: ${answer.missing}` };
  }
  const { matches } = registry.guarding(network, VPCS, new Set([compute]));
  const isResolved = matches.some(({ dependency }) => registry.paths.clusterOf(dependency.export.path) === network);
  return isResolved ? { done: true } : { waitingFor: 'the rule' };
}
