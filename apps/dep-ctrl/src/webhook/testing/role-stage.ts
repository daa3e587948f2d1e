// The whole role on an embedded kcp, over real sockets: two providers, their rule, consumers that use both. No controller: reviews are
// posted as kcp posts them, built from what kcp says about the object.
import { EmbeddedKcp } from '@dep-ctrl/embedded-kcp';
import { Connection, systemClock, type ClusterClient } from '@dep-ctrl/kcp-client';
import { loadKubeconfig } from '@dep-ctrl/kcp-client/kubeconfig';
import { parseWorkspacePath, type KubeObject, type LogicalClusterName, type WorkspacePath } from '@dep-ctrl/kcp-names';
import { createRegistry, RULES, type RegistryReader } from '@dep-ctrl/rule-registry';
import { WorkspaceResolver } from '@dep-ctrl/workspace-resolver';
import { parse } from 'yaml';
import { bindDepCtrl } from '../../bind/bind-dep-ctrl.js';
import { bindExport } from '../../bind/bind-export.js';
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
import { ensureObject } from '../../kcp-objects/ensure-object.js';
import { ensureWorkspace, isNotThereYet } from '../../kcp-objects/ensure-workspace.js';
import { API_EXPORTS, API_RESOURCE_SCHEMAS } from '../../kcp-objects/types.js';
import { until } from '../../kcp-objects/until.js';
import { LivePaths } from '../../rules/live-paths.js';
import { RuleSource } from '../../rules/rule-source.js';
import type { DecidedReview, FinishedList } from '../decisions.js';
import type { UrlSecrets } from '../url-token.js';
import { WebhookRole, type WebhookLimits } from '../webhook-role.js';
import { testCertificates, type TestCertificates } from './certificates.js';
import { httpsPost } from './https-post.js';
import { deleteReview, wire, type ReviewChange } from './reviews.js';

/** How a stage differs from the usual one. */
export interface RoleStageOptions {
  readonly shards?: number;
  readonly urlSecrets?: () => UrlSecrets;
  readonly limits?: Partial<WebhookLimits>;
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
const PATIENCE_MS = 20_000;

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
  readonly registry: RegistryReader;
  readonly decided: readonly DecidedReview[];
  readonly lists: readonly FinishedList[];
  readonly network: LogicalClusterName;
  readonly compute: LogicalClusterName;
  readonly #certificates: TestCertificates;
  readonly #stop: () => Promise<void>;
  #consumers = 0;

  private constructor(
    parts: Omit<RoleStage, 'review' | 'stop' | 'consumer' | 'port' | 'post' | 'create'> & {
      certificates: TestCertificates;
      stop: () => Promise<void>;
    },
  ) {
    this.kcp = parts.kcp;
    this.connection = parts.connection;
    this.role = parts.role;
    this.registry = parts.registry;
    this.decided = parts.decided;
    this.lists = parts.lists;
    this.network = parts.network;
    this.compute = parts.compute;
    this.#certificates = parts.certificates;
    this.#stop = parts.stop;
  }

  /** Sets everything up and waits until the role is ready and knows the rule. */
  static async start({ shards = 1, urlSecrets, limits, computeSchema = (schema) => schema, maxRuleAgeMs = 30_000 }: RoleStageOptions = {}) {
    const kcp = await EmbeddedKcp.start({ shards, delays: 'fast' });
    const connection = connect(kcp.kubeconfig());
    const depCtrlExport = await bootstrapExport({ connection, path: PATHS.depCtrl, ...options, adopt: true, onEnsured: () => undefined });
    const network = await ensureWorkspace(connection, PATHS.network, options);
    const compute = await ensureWorkspace(connection, PATHS.compute, options);
    const { schema, ...provider } = computeProvider();
    await exportType(connection, PATHS.network, networkProvider());
    await exportType(connection, PATHS.compute, { ...provider, schema: computeSchema(schema) });
    for (const path of [PATHS.network, PATHS.compute]) await bindDepCtrl(connection.cluster(path), depCtrlExport, options);
    await patiently('the rule', () => ensureObject(connection.cluster(PATHS.compute), RULES, vmDependencies(PATHS.network), options));

    const certificates = await testCertificates();
    const registry = createRegistry();
    const livePaths = new LivePaths();
    const home = { exportName: depCtrlExport.name, workspace: connection.cluster(PATHS.depCtrl) };
    const source = new RuleSource({
      connection,
      exportWorkspace: home.workspace,
      exportName: home.exportName,
      registry,
      livePaths,
      resolver: new WorkspaceResolver({ connection, clock: systemClock, liveMap: (path) => livePaths.clusterOf(path) }),
      clock: systemClock,
    });
    const decided: DecidedReview[] = [];
    const lists: FinishedList[] = [];
    const role = new WebhookRole({
      connection,
      home,
      registry: registry.reader,
      source,
      settings: { port: 0, host: '127.0.0.1', maxRuleAgeMs },
      readServingPair: () => Promise.resolve(certificates.pair),
      ...(urlSecrets === undefined ? {} : { urlSecrets }),
      ...(limits === undefined ? {} : { limits }),
      rest: (_, response) => void response.writeHead(404).end(),
      decisions: {
        decided: (review) => void decided.push(review),
        refused: () => undefined,
        listed: (list) => void lists.push(list),
        certificateServed: () => undefined,
      },
      clock: systemClock,
    });
    const stop = new AbortController();
    const running = Promise.all([source.run(stop.signal), role.run(stop.signal)]);
    const stage = new RoleStage({
      kcp,
      connection,
      role,
      registry: registry.reader,
      decided,
      lists,
      network: network.cluster,
      compute: compute.cluster,
      certificates,
      stop: async () => {
        stop.abort();
        await running;
        await connection.close();
        await kcp.stop();
      },
    });
    await until('the role getting ready', () => Promise.resolve(probeReady(stage)), { ...options, timeoutMs: PATIENCE_MS });
    return stage;
  }

  get port(): number {
    const address = this.role.address();
    if (address === undefined) throw new Error('the role does not listen');
    return address.port;
  }

  /** A new workspace that has bound both providers. */
  async consumer({ binds = [PATHS.network, PATHS.compute] }: { readonly binds?: readonly WorkspacePath[] } = {}): Promise<Consumer> {
    const path = pathOf(`root:consumer-${String((this.#consumers += 1))}`);
    const { cluster } = await ensureWorkspace(this.connection, path, options);
    const client = this.connection.cluster(cluster);
    for (const provider of binds) {
      const name = provider === PATHS.network ? VPCS.group : VIRTUAL_MACHINES.group;
      await bindExport(client, { export: { path: provider, name }, claims: [] }, options);
    }
    await patiently('the types', () => ensureObject(client, VPCS, vpc('my-vpc'), options));
    return { cluster, client };
  }

  /** Creates virtual machines that refer to a VPC. */
  async create({ client }: Consumer, vpcName: string, ...names: readonly string[]): Promise<void> {
    for (const name of names) {
      await patiently(name, () => ensureObject(client, VIRTUAL_MACHINES, virtualMachine(name, vpcName), options));
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

  /** Posts anything. */
  post(path: string, body: Uint8Array): ReturnType<typeof httpsPost> {
    return httpsPost({ port: this.port, path, ca: this.#certificates.authority.certificate, body });
  }

  stop(): Promise<void> {
    return this.#stop();
  }
}

function probeReady({ role, registry, network }: RoleStage): { readonly done: true } | { readonly waitingFor: string } {
  for (const each of role.readinessChecks) {
    const answer = each.check();
    if (!answer.ready) return { waitingFor: `${each.name}: ${answer.missing}` };
  }
  return registry.guarding(network, VPCS).matches.length > 0 ? { done: true } : { waitingFor: 'the rule' };
}

async function exportType(
  connection: Connection,
  path: WorkspacePath,
  { schema, apiExport }: { schema: KubeObject; apiExport: KubeObject },
) {
  const client = connection.cluster(path);
  await patiently(`exporting from ${path}`, async () => {
    await ensureObject(client, API_RESOURCE_SCHEMAS, schema, options);
    await ensureObject(client, API_EXPORTS, apiExport, options);
  });
}

/** Tries again while kcp has not caught up with itself. */
async function patiently(what: string, act: () => Promise<unknown>): Promise<void> {
  await until(
    what,
    async () => {
      try {
        await act();
        return { done: true };
      } catch (error) {
        if (isNotThereYet(error)) return { waitingFor: error.message };
        throw error;
      }
    },
    { ...options, timeoutMs: PATIENCE_MS },
  );
}

function connect(kubeconfig: string): Connection {
  const loaded = loadKubeconfig({ object: parse(kubeconfig) as unknown, context: 'base' });
  if (!loaded.ok) throw new Error(loaded.problem);
  return new Connection(loaded.value);
}

function pathOf(text: string): WorkspacePath {
  const path = parseWorkspacePath(text);
  if (!path.ok) throw new Error(path.problem);
  return path.value;
}
