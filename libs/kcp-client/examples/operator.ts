// Keeps the label `checked` on each VPC of each workspace that binds the export network.example.com, on all shards.
import { hostname } from 'node:os';
import {
  EndpointObjects,
  ExportEndpoints,
  isKcpError,
  KeyedQueue,
  LeaderElector,
  runAll,
  type Connection,
  type TouchedObject,
} from '@dep-ctrl/kcp-client';
import type { WorkspacePath } from '@dep-ctrl/kcp-names';

const VPCS = { group: 'network.example.com', version: 'v1', resource: 'vpcs' };

/** Runs until the signal aborts. `home` is the workspace of the export; the replicas of this operator share a Lease there. */
export async function runOperator(connection: Connection, home: WorkspacePath, signal: AbortSignal): Promise<void> {
  const workspace = connection.cluster(home);
  const seen = new EndpointObjects<'vpcs'>();
  const touched = new Map<string, TouchedObject<'vpcs'>>();

  const queue = new KeyedQueue<string>({
    concurrency: 5,
    run: async (key, running) => {
      const it = touched.get(key);
      const vpc = it && seen.get('vpcs', it.cluster, it.name);
      if (it === undefined || vpc === undefined || vpc.object.metadata.labels?.['checked'] === 'yes') return { kind: 'done' };
      const client = connection.virtualWorkspace(vpc.endpoint).cluster(vpc.cluster);
      const body = { metadata: { labels: { checked: 'yes' } } };
      try {
        await client.patch(VPCS, { name: it.name }, { kind: 'merge', body }, { signal: running });
        return { kind: 'done' };
      } catch (error) {
        if (!isKcpError(error)) throw error; // a bug: it ends the operator
        return { kind: 'retry', ...(error.retryAfterMs !== undefined && { afterMs: error.retryAfterMs }) };
      }
    },
  });

  const endpoints = new ExportEndpoints({
    connection,
    workspace,
    exportName: 'network.example.com',
    types: [VPCS],
    onEvent: (event) => {
      if (event.kind !== 'observed') return;
      for (const object of seen.apply(event.endpoint, 'vpcs', event.event)) {
        const key = `${object.cluster}/${object.name}`;
        touched.set(key, object);
        if (!queue.add(key)) throw new Error('the queue is full: this change would be lost');
      }
    },
  });

  const elector = new LeaderElector({
    client: workspace,
    namespace: 'default',
    name: 'vpc-operator',
    identity: `${hostname()}-${String(process.pid)}`,
  });
  await elector.run((leading) => runAll([queue, endpoints], leading), signal);
}
