// Rights of installations whose workspace is gone. They are not in use, and no other command removes them. That a workspace is gone is believed only if
// every shard of kcp has listed its logical clusters without it: a 404 alone may be that of a shard that starts.
import { isKcpError, type Connection } from '@dep-ctrl/kcp-client';
import { clusterOf, type LogicalClusterName } from '@dep-ctrl/kcp-names';
import { LOGICAL_CLUSTERS } from '@dep-ctrl/kcp-objects';
import { describeFailure } from '@dep-ctrl/command-settings';
import type { ShardAdmin } from '../command-line/connect.js';
import { installedRights, type InstalledRight } from './installed-rights.js';
import { unsweptShards } from './shards-not-given.js';

/** The rights on one shard that are not in use. */
export interface OrphanedRights {
  readonly shard: ShardAdmin;
  readonly rights: readonly InstalledRight[];
}

/** What was found, and what could not be judged. */
export interface Orphans {
  readonly found: readonly OrphanedRights[];
  /** For people: why rights of other installations stay although they may be orphans. */
  readonly notes: readonly string[];
}

interface Options {
  readonly signal: AbortSignal;
}

const NONE: Orphans = { found: [], notes: [] };

/** Looks for them on the shards that were given. `own`: the installation that asks, if there is one yet. */
export async function findOrphans(
  connection: Connection,
  shards: readonly ShardAdmin[],
  own: LogicalClusterName | undefined,
  options: Options,
): Promise<Orphans> {
  try {
    const perShard = await Promise.all(
      shards.map(async (shard) => {
        const all = await installedRights(shard.systemAdmin, options);
        return { shard, rights: all.filter(({ installation, isMarked }) => installation !== own && isMarked) };
      }),
    );
    const others = new Set(perShard.flatMap(({ rights }) => rights.map(({ installation }) => installation)));
    if (others.size === 0) return NONE;
    const unswept = await unsweptShards(connection, shards, options);
    if (unswept.length > 0) return { found: [], notes: [staying(others, unswept.map(({ where, why }) => `${where}: ${why}`).join('; '))] };
    const living = new Set((await Promise.all(shards.map(({ connection: each }) => clustersOn(each, options)))).flatMap((set) => [...set]));
    const found = perShard.map(({ shard, rights }) => ({ shard, rights: rights.filter(({ installation }) => !living.has(installation)) }));
    return { found: onceEach(found).filter(({ rights }) => rights.length > 0), notes: [] };
  } catch (error) {
    if (!isKcpError(error) || error.code === 'aborted') throw error;
    return { found: [], notes: [`rights of former installations were not looked for: ${describeFailure(error)}`] };
  }
}

function staying(others: ReadonlySet<string>, why: string): string {
  const names = [...others].sort().map((each) => `"${each}"`);
  return `rights of the ${names.length === 1 ? 'installation' : 'installations'} ${names.join(', ')} stay in system:admin, as nobody can tell whether it is gone: ${why}`;
}

/** A shard that was given twice shows everything twice. */
function onceEach(found: readonly OrphanedRights[]): readonly OrphanedRights[] {
  const seen = new Set<string>();
  return found.map(({ shard, rights }) => ({
    shard,
    rights: rights.filter(({ object: { metadata } }) => {
      const { size } = seen;
      return seen.add(metadata.uid ?? '').size > size;
    }),
  }));
}

async function clustersOn(shard: Connection, options: Options): Promise<ReadonlySet<LogicalClusterName>> {
  const clusters = new Set<LogicalClusterName>();
  for await (const page of shard.wildcard().list(LOGICAL_CLUSTERS, {}, options)) {
    for (const object of page.objects()) {
      const cluster = clusterOf(object);
      // What is no name of a logical cluster is none of an installation either.
      if (cluster.ok) clusters.add(cluster.value);
    }
  }
  return clusters;
}
