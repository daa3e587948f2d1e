// Gives each APIExport an identity, an endpoint slice, and an endpoint on each shard where a workspace has bound it.
import { parseWorkspacePath, PATH_ANNOTATION, type KubeObject, type LogicalClusterName } from '@dep-ctrl/kcp-names';
import { recordAt, stringAt } from '../json/json.js';
import { withConditions } from '../kcp/kinds/conditions.js';
import { identityHashOf, newIdentity } from '../kcp/bootstrap/root-resources.js';
import { API_BINDINGS, API_EXPORT_ENDPOINT_SLICES, API_EXPORTS } from '../kcp/kinds/system-resources.js';
import { universalResource } from '../kcp/shards/workspace-catalog.js';
import { timestamp } from '../machinery/resources/object-meta.js';
import type { BucketEvent } from '../storage/shard-store.js';
import type { StoredObject } from '../storage/stored-object.js';
import { exportOf } from '../admission/claim-labels.js';
import { joinKey, shardOf, splitKey, type ControllerContext, type ShardControl } from '../background/controller-context.js';
import { ObjectQueue, watchShards } from '../background/object-queue.js';
import { NotYet, WorkQueue, type WorkOutcome } from '../background/work-queue.js';

const SKIP_SLICE = 'apiexports.apis.kcp.io/skip-endpointslice';
const IDENTITY_NAMESPACE = 'kcp-system';

/** One endpoint of an export. */
export interface ExportEndpoint {
  readonly shard: string;
  readonly cluster: string;
  readonly exportName: string;
}

/** Watches the exports of all shards and the bindings to them. */
export class ExportController {
  readonly #context: ControllerContext;
  readonly #exports: ObjectQueue;
  readonly #slices: WorkQueue;
  readonly #withdrawn = new Set<string>();

  constructor(context: ControllerContext) {
    this.#context = context;
    const { background } = context;
    this.#exports = new ObjectQueue(context, {
      name: 'export controller',
      definition: API_EXPORTS,
      run: (shard, stored) => this.#reconcileExport(shard, stored),
      longestRetry: 'namespaceRetryLongest',
    });
    this.#slices = new WorkQueue({
      name: 'endpoint controller',
      background,
      run: (key) => this.#reconcileSlices(key),
      firstRetryMs: background.pause('retryFirst'),
      longestRetryMs: background.pause('namespaceRetryLongest'),
    });
  }

  /** Begins to watch. */
  start(): void {
    watchShards(this.#context, (shard, change) => this.#follow(shard, change));
  }

  /** Takes a shard's endpoint out of an export's slices, or puts it back. */
  withdraw({ shard, cluster, exportName }: ExportEndpoint, isWithdrawn: boolean): void {
    const key = joinKey(shard, cluster, exportName);
    if (isWithdrawn) this.#withdrawn.add(key);
    else this.#withdrawn.delete(key);
    this.#slices.add(joinKey(cluster, exportName), 0);
  }

  #follow(shard: ShardControl, { bucket, event: { current, type } }: BucketEvent): void {
    const { background } = this.#context;
    if (bucket === API_EXPORTS.bucket) this.#exports.add(shard, current, background.pause('reaction'));
    if (bucket === API_EXPORT_ENDPOINT_SLICES.bucket && type === 'added') {
      const named = exportOfSlice(shard, current);
      if (named !== undefined) this.#slices.add(joinKey(named.cluster, named.name), background.pause('reaction'));
    }
    if (bucket !== API_BINDINGS.bucket) return;
    const bound = exportOf(shard.view, current.object, current.cluster);
    if (bound === undefined) return;
    const pause = type === 'deleted' ? 'endpointWithdrawn' : 'endpointPublished';
    this.#slices.add(joinKey(bound.cluster, bound.name), background.pause(pause));
  }

  async #reconcileExport(shard: ShardControl, stored: StoredObject): Promise<WorkOutcome> {
    if (stored.object.metadata.deletionTimestamp !== undefined) return undefined;
    const identityHash = await this.#identity(shard, stored);
    await this.#status(shard, stored, identityHash);
    if (stored.object.metadata.annotations?.[SKIP_SLICE] === undefined) await this.#slice(shard, stored);
    return undefined;
  }

  /** The hash of the export's secret key; the secret is made where the export names none. */
  async #identity(shard: ShardControl, { object, cluster, name }: StoredObject): Promise<string | undefined> {
    const given = stringAt(object, 'spec', 'identity', 'secretRef', 'name');
    const namespace = stringAt(object, 'spec', 'identity', 'secretRef', 'namespace') ?? IDENTITY_NAMESPACE;
    if (given === undefined) {
      await shard.loopback.ensure(
        universalResource('', 'namespaces'),
        { cluster },
        { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
      );
      const data = { key: Buffer.from(newIdentity().key).toString('base64') };
      const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace }, data };
      await shard.loopback.ensure(universalResource('', 'secrets'), { cluster, namespace }, secret);
      await shard.loopback.change(API_EXPORTS, { cluster }, name, (current) => ({
        ...current,
        spec: { ...recordAt(current, 'spec'), identity: { secretRef: { name, namespace } } },
      }));
    }
    const secret = shard.loopback.get(universalResource('', 'secrets'), { cluster, namespace }, given ?? name);
    const encoded = stringAt(secret?.object, 'data', 'key');
    return encoded === undefined ? undefined : identityHashOf(Buffer.from(encoded, 'base64').toString());
  }

  async #status(shard: ShardControl, { cluster, name, object }: StoredObject, identityHash: string | undefined): Promise<void> {
    if (identityHash === undefined || stringAt(object, 'status', 'identityHash') === identityHash) return;
    const now = timestamp(this.#context.now());
    await shard.loopback.change(
      API_EXPORTS,
      { cluster },
      name,
      (current) =>
        withConditions(
          { ...current, status: { ...recordAt(current, 'status'), identityHash } },
          [{ type: 'IdentityValid', status: 'True' }],
          now,
        ),
      'status',
    );
  }

  async #slice(shard: ShardControl, { cluster, name, object, uid }: StoredObject): Promise<void> {
    const path = object.metadata.annotations?.[PATH_ANNOTATION] ?? cluster;
    // The schema of slices takes no other text as a path: a real kcp tries again until the workspace says a better one.
    if (!parseWorkspacePath(path).ok) throw new NotYet(`${JSON.stringify(path)} is no path`);
    const slice: KubeObject = {
      apiVersion: 'apis.kcp.io/v1alpha1',
      kind: 'APIExportEndpointSlice',
      metadata: { name, ownerReferences: [{ apiVersion: 'apis.kcp.io/v1alpha1', kind: 'APIExport', name, uid }] },
      spec: { export: { path, name } },
    };
    await shard.loopback.ensure(API_EXPORT_ENDPOINT_SLICES, { cluster }, slice);
  }

  /** Every slice of an export lists the shards where a binding to it is. */
  async #reconcileSlices(key: string): Promise<WorkOutcome> {
    const [cluster = '', name = ''] = splitKey(key);
    const home = shardOf(this.#context, cluster as LogicalClusterName);
    if (home === undefined) return undefined;
    const endpoints = this.#context.shards
      .filter((shard) => isBoundOn(shard, cluster, name) && !this.#withdrawn.has(joinKey(shard.name, cluster, name)))
      .map((shard) => ({ url: `${shard.url}/services/apiexport/${cluster}/${name}` }));
    for (const shard of this.#context.shards) {
      for (const slice of shard.loopback.list(API_EXPORT_ENDPOINT_SLICES, '*')) {
        const named = exportOfSlice(shard, slice);
        if (named?.cluster === cluster && named.name === name) await this.#publish(shard, slice, endpoints);
      }
    }
    return undefined;
  }

  async #publish(shard: ShardControl, slice: StoredObject, endpoints: readonly { readonly url: string }[]): Promise<void> {
    const now = timestamp(this.#context.now());
    const make = (current: KubeObject): KubeObject => {
      const { endpoints: _before, ...status } = recordAt(current, 'status');
      const next = { ...current, status: { ...status, ...(endpoints.length === 0 ? {} : { endpoints }) } };
      return withConditions(
        next,
        [
          { type: 'APIExportValid', status: 'True' },
          { type: 'PartitionValid', status: 'True' },
        ],
        now,
      );
    };
    await shard.loopback.change(API_EXPORT_ENDPOINT_SLICES, slice, slice.name, make, 'status');
  }
}

function exportOfSlice(shard: ShardControl, slice: StoredObject): StoredObject | undefined {
  const [path, name] = [
    stringAt(slice.object, 'spec', 'export', 'path') ?? slice.cluster,
    stringAt(slice.object, 'spec', 'export', 'name') ?? '',
  ];
  return shard.view.findByPath(API_EXPORTS.bucket, path, name);
}

function isBoundOn({ loopback }: ShardControl, cluster: string, name: string): boolean {
  return loopback
    .list(API_BINDINGS, '*')
    .some(
      ({ object }) =>
        stringAt(object, 'status', 'apiExportClusterName') === cluster && stringAt(object, 'spec', 'reference', 'export', 'name') === name,
    );
}
