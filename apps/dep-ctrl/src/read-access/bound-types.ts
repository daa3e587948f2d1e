// Reads the types that each bound provider exports. A provider that cannot be read is named, because its types are unknown, not absent.
import { isKcpError, listAll, parseVirtualWorkspaceUrl, type ClusterClient, type Connection, type Stoppable } from '@dep-ctrl/kcp-client';
import { clusterOf, type GroupResource, type LogicalClusterName, type WorkspacePath } from '@dep-ctrl/kcp-names';
import { EXPORT_NAME } from '@dep-ctrl/rule-registry';
import { API_BINDINGS, API_EXPORT_ENDPOINT_SLICES, API_EXPORTS } from '@dep-ctrl/kcp-objects';
import { isBindingOf } from '@dep-ctrl/exported-types';
import { describeFailure } from '@dep-ctrl/command-settings';
import { OF_TENANTS } from '../own-objects/tenant-lists.js';
import { exportedTypes } from './exported-types.js';

/** The types of each provider, and the reads that failed, each with the reason. */
export interface BoundTypes {
  readonly providers: ReadonlyMap<LogicalClusterName, readonly GroupResource[]>;
  readonly unread: readonly string[];
}

// A provider takes one short list.
const AT_A_TIME = 8;

/** Reads on each shard which workspaces have bound dep-ctrl, and what each of them exports. */
export async function readBoundTypes(connection: Connection, home: ClusterClient, options: Stoppable): Promise<BoundTypes> {
  const providers = new Map<LogicalClusterName, readonly GroupResource[]>();
  const { clusters, unread } = await boundClusters(connection, await endpointsOf(home, options), options);
  for (let at = 0; at < clusters.length; at += AT_A_TIME) {
    const reading = clusters.slice(at, at + AT_A_TIME).map(async (cluster) => {
      try {
        providers.set(cluster, await readExportedTypes(connection, cluster, options));
      } catch (error) {
        unread.push(`what logical cluster ${cluster} exports: ${failureText(error)}`);
      }
    });
    await Promise.all(reading);
  }
  return { providers, unread: unread.toSorted() };
}

/** The types of a workspace that the webhook may have to read. Throws KcpError. */
export async function readExportedTypes(
  connection: Connection,
  address: LogicalClusterName | WorkspacePath,
  options: Stoppable,
): Promise<readonly GroupResource[]> {
  return exportedTypes((await listAll(connection.cluster(address), API_EXPORTS, {}, options)).objects);
}

async function endpointsOf(home: ClusterClient, options: Stoppable): Promise<readonly string[]> {
  const slice = await home.get(API_EXPORT_ENDPOINT_SLICES, { name: EXPORT_NAME }, options);
  const { endpoints = [] } = (slice['status'] ?? {}) as { readonly endpoints?: readonly { readonly url: string }[] };
  return endpoints.map(({ url }) => url);
}

async function boundClusters(
  connection: Connection,
  endpoints: readonly string[],
  options: Stoppable,
): Promise<{ readonly clusters: readonly LogicalClusterName[]; readonly unread: string[] }> {
  const clusters = new Set<LogicalClusterName>();
  const unread: string[] = [];
  for (const url of endpoints) {
    try {
      const endpoint = parseVirtualWorkspaceUrl(url);
      if (!endpoint.ok) throw new Error(endpoint.problem);
      const { objects } = await listAll(connection.virtualWorkspace(endpoint.value).wildcard(), API_BINDINGS, OF_TENANTS, options);
      for (const binding of objects.filter((each) => isBindingOf(each, EXPORT_NAME))) {
        const cluster = clusterOf(binding);
        if (!cluster.ok) throw new Error(cluster.problem);
        clusters.add(cluster.value);
      }
    } catch (error) {
      unread.push(`who has bound dep-ctrl behind ${url}: ${failureText(error)}`);
    }
  }
  return { clusters: [...clusters], unread };
}

function failureText(error: unknown): string {
  return isKcpError(error, 'forbidden') ? 'these credentials may not read it' : describeFailure(error);
}
