// Writes the rights in `system:admin` of each shard. The types that the webhook may read are derived from what is bound; `bind` may add types meanwhile.
import { isKcpError, type ClusterClient, type Connection } from '@dep-ctrl/kcp-client';
import type { ShardAdmin } from '../command-line/connect.js';
import { deriveTypes, type DerivedTypes } from '../read-access/derive-types.js';
import { reportAccess, type AccessReport } from '../read-access/describe-access.js';
import { accessAfterBootstrap } from '../read-access/next-access.js';
import { changeReaderRole, readReaderRole } from '../read-access/reader-role.js';
import { applyObjects, refuseForeign, type OnEnsured } from './apply-objects.js';
import { OWN_LABELS, type BootstrapPlan } from './plan-bootstrap.js';
import { refusedByShard, RIGHTS_ON_SHARD } from '../shard-rights/refused-by-shard.js';

/** The types that the webhook may read: all, or those that bound providers export. */
export type WantedAccess = 'listed' | 'wildcard';

/** What to write on the shards. */
export interface ShardWriting {
  readonly connection: Connection;
  readonly home: ClusterClient;
  readonly plan: BootstrapPlan;
  readonly readAccess: WantedAccess;
  readonly adopt: boolean;
  readonly noting: (where: string) => OnEnsured;
  readonly signal: AbortSignal;
}

/** What the webhook may read now on each shard, and notes about it for people. */
export interface Reading {
  readonly shards: readonly AccessReport[];
  readonly notes: readonly string[];
}

const EVERYTHING: DerivedTypes = { types: [], isWhole: true, notes: [] };

/** Writes the rights on each shard. */
export async function writeShards(shards: readonly ShardAdmin[], writing: ShardWriting): Promise<Reading> {
  const { connection, home, plan, readAccess: wanted, adopt, noting, signal } = writing;
  if (shards.length === 0) return { shards: [], notes: [] };
  const firsts = await Promise.all(
    shards.map((shard) => onShard(shard, () => readReaderRole(shard.systemAdmin, plan.readerRole, { signal }))),
  );
  const { notes, ...derived } = wanted === 'wildcard' ? EVERYTHING : await deriveTypes(connection, home, { signal });
  const reports: AccessReport[] = [];
  for (const [index, shard] of shards.entries()) {
    const where = `system:admin (${shard.file})`;
    const first = firsts[index];
    await onShard(shard, async () => {
      const options = {
        signal,
        labels: OWN_LABELS,
        mayTouch: (observed: Parameters<typeof refuseForeign>[0]) => refuseForeign({ kind: 'ClusterRole', ...observed }, adopt),
      };
      const change = await changeReaderRole(
        shard.systemAdmin,
        plan.readerRole,
        (now) => accessAfterBootstrap(now, { ...derived, wanted, first }),
        options,
      );
      noting(where)('ClusterRole', plan.readerRole, change.change);
      reports.push(reportAccess(where, change));
      await applyObjects(shard.systemAdmin, plan.shard, { adopt, onEnsured: noting(where), signal });
    });
  }
  return { shards: reports, notes };
}

/** Works on a shard; a refusal names the file that was given. */
export async function onShard<T>(shard: ShardAdmin, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isKcpError(error) ? refusedByShard(error, shard, RIGHTS_ON_SHARD) : error;
  }
}
