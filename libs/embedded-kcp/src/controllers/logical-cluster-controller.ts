// Brings a logical cluster from creation to ready: rights of its creator, default bindings and namespaces, one initializer after another.
import type { KubeObject, LogicalClusterName } from '@dep-ctrl/kcp-names';
import { OWNER_ANNOTATION, TYPE_ANNOTATION } from '../admission/workspace-admission.js';
import { recordAt, stringAt, stringsAt, valueAt, withLabels, withoutUndefined } from '../json/json.js';
import { isTrueCondition, withConditions, type Condition } from '../kcp/kinds/conditions.js';
import { LOGICAL_CLUSTER_NAME } from '../kcp/shards/shard-view.js';
import { API_BINDINGS, LOGICAL_CLUSTERS } from '../kcp/kinds/system-resources.js';
import { BINDINGS_INITIALIZER, defaultBindingsOf } from '../kcp/kinds/workspace-types.js';
import { universalResource } from '../kcp/shards/workspace-catalog.js';
import { lifecycleLabels } from '../kcp/kinds/lifecycle-labels.js';
import { PHASE_LABEL } from '../kcp/kinds/workspace-marks.js';
import { generateSuffix, timestamp } from '../machinery/resources/object-meta.js';
import type { StoredObject } from '../storage/stored-object.js';
import type { ControllerContext, ShardControl } from '../background/controller-context.js';
import { ObjectQueue, watchShards } from '../background/object-queue.js';
import type { WorkOutcome } from '../background/work-queue.js';
import { foundType } from './found-type.js';

/** The initializer that kcp itself takes care of. */
const UNIVERSAL_INITIALIZER = 'root:universal';

/** Watches the logical clusters of all shards. */
export class LogicalClusterController {
  readonly #context: ControllerContext;
  readonly #queue: ObjectQueue;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#queue = new ObjectQueue(context, {
      name: 'logical cluster controller',
      definition: LOGICAL_CLUSTERS,
      run: (shard, stored) => this.#reconcile(shard, stored),
      firstRetry: 'reaction',
      longestRetry: 'workspaceStep',
    });
  }

  /** Begins to watch. */
  start(): void {
    const pause = this.#context.background.pause('workspaceStep') / 3;
    watchShards(this.#context, (shard, { bucket, event: { current } }) => {
      const isOwn = bucket === LOGICAL_CLUSTERS.bucket || bucket === API_BINDINGS.bucket;
      if (isOwn) this.#queue.add(shard, { cluster: current.cluster, name: LOGICAL_CLUSTER_NAME }, pause);
    });
  }

  async #reconcile(shard: ShardControl, { cluster, object }: StoredObject): Promise<WorkOutcome> {
    if (object.metadata.deletionTimestamp !== undefined) return undefined;
    switch (stringAt(object, 'status', 'phase') ?? 'Scheduling') {
      case 'Scheduling':
        await this.#begin(shard, cluster, object);
        return undefined;
      case 'Initializing':
        await this.#initialize(shard, cluster, object);
        return undefined;
      default:
        return undefined;
    }
  }

  async #begin(shard: ShardControl, cluster: LogicalClusterName, object: KubeObject): Promise<void> {
    const owner = stringAt(JSON.parse(object.metadata.annotations?.[OWNER_ANNOTATION] ?? '{}'), 'username') ?? '';
    if (owner !== '')
      await shard.loopback.ensure(universalResource('rbac.authorization.k8s.io', 'clusterrolebindings'), { cluster }, adminBinding(owner));
    const [initializers, terminators] = [stringsAt(object, 'spec', 'initializers'), stringsAt(object, 'spec', 'terminators')];
    await this.#status(shard, cluster, 'Initializing', { initializers, terminators }, []);
  }

  async #initialize(shard: ShardControl, cluster: LogicalClusterName, object: KubeObject): Promise<void> {
    const left = stringsAt(object, 'status', 'initializers');
    const terminators = stringsAt(object, 'status', 'terminators');
    const done: string[] = [];
    if (left.includes(UNIVERSAL_INITIALIZER)) {
      for (const name of ['default', 'kube-system'])
        await shard.loopback.ensure(universalResource('', 'namespaces'), { cluster }, namespace(name));
      done.push(UNIVERSAL_INITIALIZER);
    }
    const hasMaker = valueAt(object, 'spec', 'createdBy') !== undefined;
    const isBound = hasMaker && left.includes(BINDINGS_INITIALIZER) && (await this.#bindDefaults(shard, cluster, object));
    if (isBound) done.push(BINDINGS_INITIALIZER);
    const initializers = left.filter((one) => !done.includes(one));
    const bindings: Condition = isBound ? { type: 'APIBindingsInitialized', status: 'True' } : hasMaker ? WAITING : withoutMaker(cluster);
    const conditions = left.includes(BINDINGS_INITIALIZER) ? [bindings] : [];
    if (initializers.length === 0) {
      await this.#status(shard, cluster, 'Ready', { initializers, terminators }, [
        ...conditions,
        { type: 'WorkspaceInitialized', status: 'True' },
      ]);
    } else if (done.length > 0) await this.#status(shard, cluster, 'Initializing', { initializers, terminators }, conditions);
  }

  async #bindDefaults(shard: ShardControl, cluster: LogicalClusterName, object: KubeObject): Promise<boolean> {
    const [path = '', name = ''] = splitType(object.metadata.annotations?.[TYPE_ANNOTATION] ?? '');
    const { closure } = foundType(shard, { path, name });
    let complete = true;
    for (const wanted of defaultBindingsOf(closure)) {
      const found = shard.loopback.list(API_BINDINGS, cluster).find((one) => isBindingOf(one.object, wanted));
      if (found === undefined) await shard.loopback.ensure(API_BINDINGS, { cluster }, defaultBinding(wanted));
      complete &&= found !== undefined && isTrueCondition(found.object, 'InitialBindingCompleted');
    }
    return complete;
  }

  async #status(
    shard: ShardControl,
    cluster: LogicalClusterName,
    phase: string,
    { initializers, terminators }: { readonly initializers: readonly string[]; readonly terminators: readonly string[] },
    conditions: readonly Condition[],
  ): Promise<void> {
    const now = timestamp(this.#context.now());
    const URL = `${this.#context.externalUrl}/clusters/${cluster}`;
    const change = (make: (current: KubeObject) => KubeObject, subresource?: string): Promise<void> =>
      shard.loopback.change(LOGICAL_CLUSTERS, { cluster }, LOGICAL_CLUSTER_NAME, make, subresource);
    await change((current) => withLabels(current, { ...lifecycleLabels(current, { initializers, terminators }), [PHASE_LABEL]: phase }));
    await change((current) => {
      const next = withConditions(current, conditions, now);
      const lists = { initializers: nonEmpty(initializers), terminators: nonEmpty(terminators) };
      return { ...next, status: withoutUndefined({ ...recordAt(next, 'status'), URL, phase, ...lists }) };
    }, 'status');
  }
}

const WAITING: Condition = {
  type: 'APIBindingsInitialized',
  status: 'False',
  reason: 'WaitingOnAPIBindings',
  severity: 'Info',
  message: 'APIBinding(s) not yet fully bound',
};

// The bindings are made in the name of the maker.
function withoutMaker(cluster: LogicalClusterName): Condition {
  return {
    type: 'APIBindingsInitialized',
    status: 'False',
    reason: 'APIBindingErrors',
    severity: 'Error',
    message: `encountered errors: an error on the server ("LogicalCluster ${cluster}|cluster had no createdBy recorded") has prevented the request from succeeding (post apibindings.apis.kcp.io)`,
  };
}

interface DefaultBinding {
  readonly path: string;
  readonly export: string;
}

function isBindingOf(binding: KubeObject, wanted: DefaultBinding): boolean {
  const reference = recordAt(binding, 'spec', 'reference', 'export');
  return reference['path'] === wanted.path && reference['name'] === wanted.export;
}

function defaultBinding(wanted: DefaultBinding): KubeObject {
  return {
    apiVersion: 'apis.kcp.io/v1alpha2',
    kind: 'APIBinding',
    metadata: { name: `${wanted.export}-${generateSuffix()}` },
    spec: { reference: { export: { path: wanted.path, name: wanted.export } } },
  };
}

function adminBinding(user: string): KubeObject {
  const apiGroup = 'rbac.authorization.k8s.io';
  return {
    apiVersion: `${apiGroup}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name: 'workspace-admin', annotations: { 'internal.kcp.io/replicate': 'apis.kcp.io,tenancy.kcp.io' } },
    subjects: [{ kind: 'User', apiGroup, name: user }],
    roleRef: { apiGroup, kind: 'ClusterRole', name: 'cluster-admin' },
  };
}

function namespace(name: string): KubeObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, annotations: { 'bootstrap.kcp.io/create-only': 'true' } } };
}

function splitType(text: string): readonly string[] {
  const colon = text.lastIndexOf(':');
  return [text.slice(0, colon), text.slice(colon + 1)];
}

function nonEmpty(values: readonly string[]): readonly string[] | undefined {
  return values.length === 0 ? undefined : values;
}
