// Shards of kcp of which nobody gave a kubeconfig: what is left on them was not looked at, and nothing else shows it.
import { listAll, parseServerUrl, type Connection } from '@dep-ctrl/kcp-client';
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

interface Options {
  readonly signal: AbortSignal;
}

// kcp 0.32 and newer writes the shard's name on each logical cluster.
const SHARD_ANNOTATION = 'core.kcp.io/shard';

/** The shards that no kubeconfig leads to. Where kcp's shards cannot be listed nobody can tell, and that is the answer. */
export async function unsweptShards(connection: Connection, shards: readonly ShardAdmin[], options: Options): Promise<readonly Unswept[]> {
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

/** Listed shards that no kubeconfig leads to. One that leads to nobody knows which may lead to any of them. Pure. */
export function shardsNotGiven(listed: readonly ListedShard[], given: readonly GivenShard[]): readonly ListedShard[] {
  const notGiven = listed.filter(({ name }) => !given.some((each) => each.name === name));
  const unknown = new Set(given.filter(({ name }) => name === undefined).map(({ url }) => url));
  return unknown.size >= notGiven.length ? [] : notGiven;
}

/** As the first sees them who may: the admin of the shard that has root may too. */
async function listShards([first, ...others]: readonly Connection[], options: Options): Promise<readonly ListedShard[]> {
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

/** There are more ways to a shard than the address that kcp lists, so where that does not tell, the shard itself is asked. */
async function whichShard({ connection }: ShardAdmin, listed: readonly ListedShard[], options: Options): Promise<GivenShard> {
  const url = connection.baseUrl;
  const atAddress = listed.find((each) => each.url === url);
  return { url, name: atAddress?.name ?? (await nameOfShard(connection, options)) };
}

async function nameOfShard(connection: Connection, options: Options): Promise<string | undefined> {
  try {
    for await (const page of connection.wildcard().list(LOGICAL_CLUSTERS, { limit: 1 }, options)) {
      return page.objects()[0]?.metadata.annotations?.[SHARD_ANNOTATION];
    }
  } catch {
    // That it does not answer is told by who looks through it.
  }
  return undefined;
}
