// `bootstrap --dry-run`: prints the manifests that bootstrap would write. If the workspace of dep-ctrl exists, reads what is bound. Writes nothing.
import { isKcpError, type Connection, type Stoppable } from '@dep-ctrl/kcp-client';
import { clusterOf, type LogicalClusterName, type WorkspacePath } from '@dep-ctrl/kcp-names';
import { stringify } from 'yaml';
import { isRefusal, LOGICAL_CLUSTERS, lookForWorkspace } from '@dep-ctrl/kcp-objects';
import type { World } from '@dep-ctrl/command-settings';
import { describeRole } from '../command-line/missing-role.js';
import { PROTECTION_PLACE } from '../own-objects/home-protection.js';
import { deriveTypes, type DerivedTypes } from '../read-access/derive-types.js';
import { readerRole } from '../read-access/reader-role.js';
import type { Identities } from './identities.js';
import { teardownObjects, wantedTeardown } from './ordered-teardown.js';
import { OWN_LABELS, planBootstrap, type PlannedObject } from './plan-bootstrap.js';
import type { WantedAccess } from './write-shards.js';

/** The settings of a dry run. */
export interface DryRun {
  readonly workspace: WorkspacePath;
  readonly readAccess: WantedAccess;
  readonly protectWorkspace: boolean;
  readonly orderedTeardown: boolean;
  readonly output: 'json' | 'yaml' | undefined;
}

/** No workspace has bound dep-ctrl, or kcp was not asked. */
export const NOTHING_BOUND: DerivedTypes = { types: [], isWhole: true, notes: [] };

/** Prints the manifests in the order of writing, and notes about them to stderr. */
export async function printDryRun(
  connection: Connection,
  identities: Identities,
  { workspace, readAccess, protectWorkspace, orderedTeardown, output }: DryRun,
  { stdout, stderr, signal }: World,
): Promise<void> {
  const cluster = await clusterIfThere(connection, workspace, { signal });
  const plan = planBootstrap(identities, cluster ?? `<logical cluster of ${workspace}>`);
  const { api, home, shard, protection, readerRole: name } = plan;
  const client = cluster === undefined ? undefined : connection.cluster(workspace);
  const wanted = await wantedTeardown(client, orderedTeardown, { signal });
  const isDerived = (readAccess === 'listed' || wanted.isWanted) && client !== undefined;
  const derived = isDerived ? await derivedIfThere(connection, workspace, { signal }) : NOTHING_BOUND;
  const { types, notes } = derived;
  const reader = readerRole(name, readAccess === 'wildcard' ? { kind: 'wildcard' } : { kind: 'listed', types }, OWN_LABELS);
  for (const note of notes) stderr.write(`note: ${note}\n`);
  const parts: readonly (readonly [string, readonly Pick<PlannedObject, 'object'>[]])[] = [
    [`# workspace ${workspace}`, [...api, ...home, ...teardownObjects(plan, wanted, derived)]],
    ['# system:admin of every shard', [{ object: reader }, ...shard]],
    ...(protectWorkspace ? [[`# workspace ${PROTECTION_PLACE}`, protection] as const] : []),
  ];
  if (output === 'json') {
    const items = parts.flatMap(([, part]) => part.map(({ object }) => object));
    stdout.write(`${JSON.stringify({ apiVersion: 'v1', kind: 'List', items }, undefined, 2)}\n`);
    return;
  }
  for (const [title, part] of parts) stdout.write(`${title}\n${part.map(({ object }) => `---\n${stringify(object)}`).join('')}`);
}

/** The logical cluster of the workspace; undefined where there is none. */
export async function clusterIfThere(
  connection: Connection,
  path: WorkspacePath,
  options: Stoppable,
): Promise<LogicalClusterName | undefined> {
  try {
    const cluster = clusterOf(await connection.cluster(path).get(LOGICAL_CLUSTERS, { name: 'cluster' }, options));
    if (!cluster.ok) throw new Error(cluster.problem);
    return cluster.value;
  } catch (error) {
    // The front-proxy says 403 of a workspace that is not there, too: the printed objects name the cluster, which is not known yet.
    if (isRefusal(error)) return undefined;
    throw error;
  }
}

/** A workspace that is there may have no export yet. One that may not be read may have one: what is printed then takes rights away where it is applied. */
export async function derivedIfThere(connection: Connection, path: WorkspacePath, options: Stoppable): Promise<DerivedTypes> {
  try {
    return await deriveTypes(connection, connection.cluster(path), options);
  } catch (error) {
    if (isKcpError(error, 'not-found')) return NOTHING_BOUND;
    if (!isKcpError(error, 'forbidden', 'not-served')) throw error;
    if (error.code === 'not-served') {
      if ((await lookForWorkspace(connection, path, options)).state === 'missing') return NOTHING_BOUND;
      throw error;
    }
    const role = describeRole({ path, clusterRole: 'cluster-admin' }, connection.baseUrl);
    return { ...NOTHING_BOUND, isWhole: false, notes: [`${UNREAD}; ${role}`] };
  }
}

const UNREAD =
  'these credentials may not read which workspaces bind dep-ctrl: do not apply the printed ClusterRole of the webhook, because it lacks their types';
