// After binding, the webhook must be able to list the types that these workspaces export, in every workspace of every shard, and the ordered teardown to
// delete their objects. Adds rights, never removes any.
import { isKcpError, type ClusterClient, type Connection, type Stoppable } from '@dep-ctrl/kcp-client';
import { printGroupResource, type GroupResource, type LogicalClusterName, type WorkspacePath } from '@dep-ctrl/kcp-names';
import { readerRoleName } from '../shard-rights/right-names.js';
import { OWN_LABELS } from '../bootstrap/plan-bootstrap.js';
import { READING_ON_SHARD, refusedByShard } from '../shard-rights/refused-by-shard.js';
import type { ShardAdmin } from '../command-line/connect.js';
import { withRole } from '../command-line/missing-role.js';
import { readExportedTypes } from '../read-access/bound-types.js';
import { reportAccess, type AccessReport } from '../read-access/describe-access.js';
import { accessAfterBind } from '../read-access/next-access.js';
import { changeReaderRole } from '../read-access/reader-role.js';
import { mergeTypes, typesWithout } from '../read-access/read-rules.js';
import { addToTeardownType, readTeardownType } from '../teardown-type/write-teardown-type.js';

/** The workspaces whose types the webhook may list, and the shards on which to grant it. */
export interface Granting {
  readonly connection: Connection;
  /** The logical cluster of dep-ctrl's workspace; undefined where these credentials cannot tell. */
  readonly home: LogicalClusterName | undefined;
  /** The workspace of dep-ctrl, by its path. */
  readonly homeClient: ClusterClient;
  readonly paths: readonly WorkspacePath[];
  readonly shards: readonly ShardAdmin[];
  readonly signal: AbortSignal;
}

/** The result on each shard, and the failures. */
export interface Granted {
  readonly reading: readonly AccessReport[];
  /** Types whose objects the ordered teardown may delete from now on. */
  readonly teardown: readonly string[];
  readonly failures: readonly unknown[];
  /** Workspaces that export types, or may, and for which nothing was granted because no shard was given. */
  readonly ungranted: readonly WorkspacePath[];
}

/** Grants the right on every shard that was given. One failure does not stop the others. */
export async function grantReading({ connection, home, homeClient, paths, shards, signal }: Granting): Promise<Granted> {
  const { types, exporting, failures } = await exportedBy(connection, paths, { signal });
  const teardown = await grantTeardown(homeClient, types, { signal });
  if (shards.length === 0) return { reading: [], teardown, failures: [], ungranted: exporting };
  if (home === undefined) {
    const problem =
      'bound, but the webhook was given no right to read: these credentials may not read the export in --workspace, which says';
    return { reading: [], teardown, failures: [new Error(`${problem} which ClusterRole on a shard belongs to it`)], ungranted: [] };
  }
  const reading: AccessReport[] = [];
  for (const shard of shards) {
    try {
      reading.push(await grantOn(shard, { name: readerRoleName(home), types, signal }));
    } catch (error) {
      failures.push(isKcpError(error) ? refusedByShard(error, shard, READING_ON_SHARD) : error);
    }
  }
  return { reading, teardown, failures, ungranted: [] };
}

/** Where the type of the ordered teardown is there; without a right to it the next bootstrap does it. */
async function grantTeardown(home: ClusterClient, types: readonly GroupResource[], options: Stoppable): Promise<readonly string[]> {
  try {
    if ((await readTeardownType(home, options)) === undefined) return [];
    const { before, after } = await addToTeardownType(home, types, options);
    if (before?.kind !== 'listed' || after?.kind !== 'listed') return [];
    return typesWithout(after.types, before.types).map((type) => printGroupResource(type));
  } catch (error) {
    if (isKcpError(error, 'forbidden', 'not-served')) return [];
    throw error;
  }
}

async function exportedBy(
  connection: Connection,
  paths: readonly WorkspacePath[],
  options: Stoppable,
): Promise<{ readonly types: readonly GroupResource[]; readonly exporting: readonly WorkspacePath[]; readonly failures: unknown[] }> {
  const failures: unknown[] = [];
  const exporting: WorkspacePath[] = [];
  const lists: (readonly GroupResource[])[] = [];
  for (const path of paths) {
    try {
      const types = await readExportedTypes(connection, path, options);
      lists.push(types);
      if (types.length > 0) exporting.push(path);
    } catch (error) {
      exporting.push(path);
      const cause = withRole(error, { path, clusterRole: 'cluster-admin' }, connection.baseUrl);
      failures.push(
        new Error(`workspace "${path}" is bound, but what it exports could not be read, so the webhook may not read it either`, { cause }),
      );
    }
  }
  return { types: mergeTypes(...lists), exporting, failures };
}

async function grantOn(
  { systemAdmin, file }: ShardAdmin,
  { name, types, signal }: { readonly name: string; readonly types: readonly GroupResource[]; readonly signal: AbortSignal },
): Promise<AccessReport> {
  const change = await changeReaderRole(systemAdmin, name, (now) => accessAfterBind(now, types), { signal, labels: OWN_LABELS });
  if (change.before === undefined) {
    throw new Error(
      `--shard-kubeconfig ${JSON.stringify(file)}: there is no ClusterRole ${name} in system:admin of this shard: dep-ctrl bootstrap --shard-kubeconfig ${file} makes it`,
    );
  }
  return reportAccess(`system:admin (${file})`, change);
}
