/* eslint-disable no-console -- a program that says what it did */
// Needs KUBECONFIG: of a user who may list, watch and terminate the WorkspaceType "ordered" of "root:platform", and write Leases there.
import { randomUUID } from 'node:crypto';
import {
  Connection,
  isKcpError,
  LeaderElector,
  listAll,
  pause,
  systemClock,
  workspacePath,
  type ClusterClient,
} from '@dep-ctrl/kcp-client';
import { loadKubeconfig } from '@dep-ctrl/kcp-client/kubeconfig';
import type { GroupVersionResource } from '@dep-ctrl/kcp-names';
import { LifecycleController } from '@dep-ctrl/workspace-lifecycle';

// Dependents before what they depend on.
const ORDER = ['configmaps', 'secrets'].map((resource) => ({ group: '', version: 'v1', resource }));

const loaded = loadKubeconfig();
if (!loaded.ok) throw new Error(loaded.problem);
const connection = new Connection(loaded.value);
const workspace = connection.cluster(workspacePath('root:platform'));
const logger = { debug: () => undefined, info: () => undefined, warn: console.warn, error: console.error };

const controller = new LifecycleController({
  connection,
  workspace,
  typeName: 'ordered',
  kind: 'terminating',
  elector: new LeaderElector({ client: workspace, namespace: 'default', name: 'ordered', identity: randomUUID(), logger }),
  logger,
  handle: async ({ client, cluster, path }, { signal }) => {
    const known = await path({ signal });
    for (const type of ORDER) await deleteAll(client, type, signal);
    console.log(`in order: ${known.ok ? known.value : cluster}`);
  },
});

/** Deletes what is ours, as kcp does at the same time, and waits until it is gone: finalizers of others may hold it. */
async function deleteAll(client: ClusterClient, type: GroupVersionResource, signal: AbortSignal): Promise<void> {
  const { objects } = await listAll(client, type, { labelSelector: 'example.com/ours=true' }, { signal });
  for (const { metadata } of objects) {
    const { name = '', namespace = '' } = metadata;
    await client.delete(type, { name, namespace }, { signal }).catch((error: unknown) => {
      if (!isKcpError(error, 'not-found')) throw error;
    });
  }
  if (objects.length === 0) return;
  await pause(100, { clock: systemClock, signal });
  await deleteAll(client, type, signal);
}

const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());
await controller.run(stop.signal);
await connection.close();
