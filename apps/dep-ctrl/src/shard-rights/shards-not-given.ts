// Finds the shards without a --shard-kubeconfig: objects on them were not looked at, and nothing else shows them.
import { listAll, parseServerUrl, type ClusterClient, type Connection, type Stoppable } from '@dep-ctrl/kcp-client';
import { workspacePath } from '@dep-ctrl/kcp-names';
import { SHARDS } from '@dep-ctrl/kcp-objects';
import { describeFailure } from '@dep-ctrl/command-settings';
import type { ShardAdmin } from '../command-line/connect.js';

/** A shard as kcp lists it. */
export interface ListedShard {
  readonly name: string;
  readonly url: string;
}

/** Where a kubeconfig leads. */
export interface GivenShard {
  /** That of the listed shard at this address; undefined: none is listed there. */
  readonly name: string | undefined;
  readonly url: string;
  /** Another one for each shard; undefined: it could not be read. */
  readonly uid: string | undefined;
}

/** A place that was not looked at, and why, with what to do. */
export interface Unswept {
  readonly where: string;
  readonly why: string;
}

// kcp makes it in system:admin of each shard when that starts for the first time, and tenants cannot write there. The annotation core.kcp.io/shard of a
// logical cluster is not asked for the name of its shard: the admin of that workspace may write it.
const CLUSTER_ROLES = { group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'clusterroles' };
const IN_EACH_SHARD = 'system:kcp:workspace:access';

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
  const named = new Set(given.flatMap(({ name, uid }) => (name === undefined || uid === undefined ? [] : [uid])));
  const unknown = new Set(
    given.flatMap(({ name, uid, url }) => (name !== undefined || (uid !== undefined && named.has(uid)) ? [] : [uid ?? url])),
  );
  return unknown.size >= notGiven.length ? [] : notGiven;
}

/** Listed with the first connection that may do so: the admin of the root shard may, too. */
async function listShards([first, ...others]: readonly Connection[], options: Stoppable): Promise<readonly ListedShard[]> {
  const root = workspacePath('root');
  if (first === undefined) return [];
  try {
    const { objects } = await listAll(first.cluster(root), SHARDS, {}, options);
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

/** A shard may have other addresses than the one that kcp lists. */
async function whichShard(
  { connection, systemAdmin }: ShardAdmin,
  listed: readonly ListedShard[],
  options: Stoppable,
): Promise<GivenShard> {
  const url = connection.baseUrl;
  const name = listed.find((each) => each.url === url)?.name;
  return { name, url, uid: await uidOf(systemAdmin, options) };
}

async function uidOf(systemAdmin: ClusterClient, options: Stoppable): Promise<string | undefined> {
  try {
    return (await systemAdmin.get(CLUSTER_ROLES, { name: IN_EACH_SHARD }, options)).metadata.uid;
  } catch {
    // That it does not answer is told by who looks through it.
    return undefined;
  }
}
