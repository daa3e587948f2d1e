// Finds the shards without a --shard-kubeconfig: objects on them were not looked at, and nothing else shows them.
import { listAll, parseServerUrl, type Connection, type Stoppable } from '@dep-ctrl/kcp-client';
import { parseWorkspacePath } from '@dep-ctrl/kcp-names';
import { LOGICAL_CLUSTERS, SHARDS } from '@dep-ctrl/kcp-objects';
import { describeFailure } from '@dep-ctrl/command-settings';
import type { ShardAdmin } from '../command-line/connect.js';

/** A shard as kcp lists it. */
export interface ListedShard {
  readonly name: string;
  readonly url: string;
}

/** Where a kubeconfig leads. The name is that of the shard at this address, or what the shard calls itself; undefined when neither is known. */
export interface GivenShard {
  readonly name: string | undefined;
  readonly url: string;
}

/** A place that was not looked at, and why, with what to do. */
export interface Unswept {
  readonly where: string;
  readonly why: string;
}

// kcp 0.32 and newer writes the shard's name on each logical cluster.
const SHARD_ANNOTATION = 'core.kcp.io/shard';

/** The shards that no kubeconfig leads to. If kcp's shards cannot be listed, the answer says so. */
export async function unsweptShards(
  connection: Connection,
  shards: readonly ShardAdmin[],
  options: Stoppable,
): Promise<readonly Unswept[]> {
  try {
    const listed = await listShards([connection, ...shards.map((shard) => shard.connection)], options);
    const given = await Promise.all(shards.map((shard) => whichShard(shard, listed, options)));
    return shardsNotGiven(listed, given).map(({ name, url }) => ({
      where: `shard "${name}" at ${url}`,
      why: 'no --shard-kubeconfig leads there; give one of its admin too',
    }));
  } catch (error) {
    const why = `${describeFailure(error)}; give --kubeconfig one that may list them`;
    return [{ where: 'shards of kcp other than those given, if there are any', why }];
  }
}

/** Listed shards that no kubeconfig leads to. A kubeconfig whose shard is not known may lead to any of them. Pure. */
export function shardsNotGiven(listed: readonly ListedShard[], given: readonly GivenShard[]): readonly ListedShard[] {
  const notGiven = listed.filter(({ name }) => !given.some((each) => each.name === name));
  const unknown = new Set(given.filter(({ name }) => name === undefined).map(({ url }) => url));
  return unknown.size >= notGiven.length ? [] : notGiven;
}

/** Listed with the first connection that may do so: the admin of the root shard may, too. */
async function listShards([first, ...others]: readonly Connection[], options: Stoppable): Promise<readonly ListedShard[]> {
  const root = parseWorkspacePath('root');
  if (!root.ok) throw new Error(root.problem);
  if (first === undefined) return [];
  try {
    const { objects } = await listAll(first.cluster(root.value), SHARDS, {}, options);
    return objects.map(({ metadata, spec }) => {
      const { baseURL = '' } = (spec ?? {}) as { readonly baseURL?: string };
      const server = parseServerUrl(baseURL);
      return { name: metadata.name ?? '', url: server.ok ? server.value.baseUrl : baseURL };
    });
  } catch (error) {
    if (others.length === 0 || options.signal.aborted) throw error;
    return listShards(others, options).catch(() => Promise.reject(error instanceof Error ? error : new Error(String(error))));
  }
}

/** A shard may have other addresses than the one that kcp lists. If the address is not listed, the shard is asked for its name. */
async function whichShard({ connection }: ShardAdmin, listed: readonly ListedShard[], options: Stoppable): Promise<GivenShard> {
  const url = connection.baseUrl;
  const atAddress = listed.find((each) => each.url === url);
  return { url, name: atAddress?.name ?? (await nameOfShard(connection, options)) };
}

async function nameOfShard(connection: Connection, options: Stoppable): Promise<string | undefined> {
  try {
    for await (const page of connection.wildcard().list(LOGICAL_CLUSTERS, { limit: 1 }, options)) {
      return page.objects()[0]?.metadata.annotations?.[SHARD_ANNOTATION];
    }
  } catch {
    // That it does not answer is told by who looks through it.
  }
  return undefined;
}
