// Makes the dep-ctrl workspace with what every process needs in it: the schemas of our kinds and the export that serves them. Idempotent. An upgrade
// adds the new schemas first and then points the export at them, so that no binding is ever without a type.
import type { Clock, ClusterClient, Connection, Stoppable } from '@dep-ctrl/kcp-client';
import type { ExportRef, LogicalClusterName, WorkspacePath } from '@dep-ctrl/kcp-names';
import { EXPORT_NAME } from '@dep-ctrl/rule-registry';
import {
  API_EXPORT_ENDPOINT_SLICES,
  API_EXPORTS,
  ensureWorkspace,
  getIfExists,
  isNotThereYet,
  judgeRefusals,
  type IsLasting,
  type Probed,
  until,
} from '@dep-ctrl/kcp-objects';
import { applyObjects, type ApplyOptions } from './apply-objects.js';
import { apiObjects } from './plan-bootstrap.js';

/** Where dep-ctrl lives. */
export interface DepCtrlHome extends ApplyOptions {
  readonly connection: Connection;
  readonly path: WorkspacePath;
  /** The shard of a new workspace: the front-proxy knows ServiceAccounts of the root shard only. */
  readonly shard?: string;
  readonly clock: Clock;
  /** Called as soon as the workspace is made. */
  readonly onCreated?: (path: WorkspacePath) => void;
}

// The identity of an export and its endpoint slice come within a second.
const SERVED_WITHIN_MS = 30_000;

/** Makes sure that the workspace exists and exports our kinds. */
export async function bootstrapExport(home: DepCtrlHome): Promise<ExportRef & { readonly cluster: LogicalClusterName }> {
  const { connection, path, onEnsured } = home;
  const { cluster, created } = await ensureWorkspace(connection, path, home);
  onEnsured('Workspace', path, created ? 'created' : 'unchanged');
  const client = connection.cluster(path);
  const patience = { ...home, timeoutMs: SERVED_WITHIN_MS };
  const isLasting = judgeRefusals(client, home);
  await until('the export', (options) => applyPatiently(client, { ...home, ...options }, isLasting), patience);
  await until('the export being served', (options) => probeServed(client, options), patience);
  return { path, name: EXPORT_NAME, cluster };
}

async function applyPatiently(client: ClusterClient, options: ApplyOptions, isLasting: IsLasting): Promise<Probed<true>> {
  try {
    await applyObjects(client, apiObjects(), options);
    return { done: true };
  } catch (error) {
    // A workspace made a moment ago is refused until every part of kcp knows it.
    if (isNotThereYet(error) && !(await isLasting(error))) return { waitingFor: error.message };
    throw error;
  }
}

async function probeServed(client: ClusterClient, options: Stoppable): Promise<Probed<true>> {
  const found = await client.get(API_EXPORTS, { name: EXPORT_NAME }, options);
  const { identityHash } = (found['status'] ?? {}) as { readonly identityHash?: string };
  if (identityHash === undefined) return { waitingFor: 'it has no identity yet' };
  const slice = await getIfExists(client, API_EXPORT_ENDPOINT_SLICES, { name: EXPORT_NAME }, options);
  return slice === undefined ? { waitingFor: 'it has no endpoint slice yet' } : { done: true };
}
