import { Connection, systemClock, type Clock } from '@dep-ctrl/kcp-client';
import type { World } from '@dep-ctrl/command-settings';
import { connectionFlags, connectionOptions, connectShard, type ConnectionSettings, type ShardAdmin } from '../command-line/connect.js';
import { VERSION } from '../command-line/version.js';
import type { Asker } from './ask-server.js';

// People wait for the answer: what takes longer is told as that.
const BOUNDS = { requestTimeoutMs: 4_000, connectTimeoutMs: 4_000 } as const;

/** A connection of which every request ends soon. To be closed. */
export function connectAsker(settings: ConnectionSettings, { env, signal }: World, clock: Clock = systemClock): Asker {
  const options = connectionOptions(settings, env);
  return {
    connection: new Connection({ ...options, ...BOUNDS, userAgent: `dep-ctrl/${VERSION}` }),
    options,
    clock,
    signal,
    flags: connectionFlags(settings),
  };
}

/** The same for the admin of a shard. */
export function connectShardBriefly(file: string): ShardAdmin {
  const { connection: _, ...shard } = connectShard(file);
  const connection = new Connection({ ...shard.options, ...BOUNDS, userAgent: `dep-ctrl/${VERSION}` });
  const { address } = shard.systemAdmin;
  return { ...shard, connection, systemAdmin: address === undefined ? shard.systemAdmin : connection.cluster(address) };
}
