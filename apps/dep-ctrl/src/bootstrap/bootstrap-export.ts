// The dep-ctrl workspace and what both roles need in it: the schemas of our kinds and the export that serves them. Idempotent; an upgrade adds the
// new schemas first, then points the export at them, so that no binding is ever without a type.
import type { Clock, ClusterClient, Connection } from '@dep-ctrl/kcp-client';
import type { ExportRef, KubeObject, LogicalClusterName, WorkspacePath } from '@dep-ctrl/kcp-names';
import { apiExport, apiResourceSchemas } from '@dep-ctrl/rule-registry';
import { MANAGED_BY } from '../controller/configuration-labels.js';
import { ensureObject, getIfExists, type Ensured } from '../kcp-objects/ensure-object.js';
import { ensureWorkspace, isNotThereYet } from '../kcp-objects/ensure-workspace.js';
import { API_EXPORTS, API_EXPORT_ENDPOINT_SLICES, API_RESOURCE_SCHEMAS } from '../kcp-objects/types.js';
import { until, type Probed } from '../kcp-objects/until.js';

/** Where dep-ctrl lives. */
export interface DepCtrlHome {
  readonly connection: Connection;
  readonly path: WorkspacePath;
  /** Where a new workspace is put: ServiceAccounts of other shards than root are not known to the front-proxy. */
  readonly shard?: string;
  /** Take over an export of our name that we did not make. */
  readonly adopt?: boolean;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Told about every object, also those that were right already. */
  readonly onEnsured?: (kind: string, name: string, ensured: Ensured) => void;
}

// The identity of an export and its endpoint slice come within a second.
const SERVED_WITHIN_MS = 30_000;

/** Makes sure that the workspace exists and exports our kinds. */
export async function bootstrapExport(home: DepCtrlHome): Promise<ExportRef & { readonly cluster: LogicalClusterName }> {
  const { connection, path, onEnsured } = home;
  const { cluster, created } = await ensureWorkspace(connection, path, home);
  onEnsured?.('Workspace', path, created ? 'created' : 'unchanged');
  const client = connection.cluster(path);
  const name = await until('the export', (options) => writeExport(client, home, options), { ...home, timeoutMs: SERVED_WITHIN_MS });
  await until('the export being served', (options) => probeServed(client, name, options), { ...home, timeoutMs: SERVED_WITHIN_MS });
  return { path, name, cluster };
}

async function writeExport(
  client: ClusterClient,
  { adopt, onEnsured }: DepCtrlHome,
  options: { readonly signal: AbortSignal },
): Promise<Probed<string>> {
  try {
    for (const schema of apiResourceSchemas()) {
      // Immutable, and named after its content: what has the name is right.
      const name = schema.metadata.name ?? '';
      const exists = (await getIfExists(client, API_RESOURCE_SCHEMAS, { name }, options)) !== undefined;
      if (!exists) await client.create(API_RESOURCE_SCHEMAS, schema, options);
      onEnsured?.('APIResourceSchema', name, exists ? 'unchanged' : 'created');
    }
    const desired = managed(apiExport());
    const name = desired.metadata.name ?? '';
    const mayTouch = (observed: KubeObject) => refuseForeign(observed, adopt ?? false);
    onEnsured?.('APIExport', name, await ensureObject(client, API_EXPORTS, desired, { ...options, mayTouch }));
    return { done: name };
  } catch (error) {
    // A workspace made a moment ago is refused until every part of kcp knows it.
    if (isNotThereYet(error)) return { waitingFor: error.message };
    throw error;
  }
}

/** The object with the label that says who keeps it. */
export function managed(object: KubeObject): KubeObject {
  const labels = { ...object.metadata.labels, [MANAGED_BY.label]: MANAGED_BY.value };
  return { ...object, metadata: { ...object.metadata, labels } };
}

/** Throws when the object was made by somebody else and may not be taken over. */
export function refuseForeign(observed: KubeObject, adopt: boolean): void {
  if (adopt || observed.metadata.labels?.[MANAGED_BY.label] === MANAGED_BY.value) return;
  throw new Error(
    `${observed.kind ?? 'an object'} "${observed.metadata.name ?? ''}" exists and was not made by dep-ctrl: give --adopt to take it over`,
  );
}

async function probeServed(client: ClusterClient, name: string, options: { readonly signal: AbortSignal }): Promise<Probed<true>> {
  const found = await client.get(API_EXPORTS, { name }, options);
  const { identityHash } = (found['status'] ?? {}) as { readonly identityHash?: string };
  if (identityHash === undefined) return { waitingFor: 'it has no identity yet' };
  const slice = await getIfExists(client, API_EXPORT_ENDPOINT_SLICES, { name }, options);
  return slice === undefined ? { waitingFor: 'it has no endpoint slice yet' } : { done: true };
}
