// Reads an installation with the caller's rights, through the export's virtual workspace on every shard. Writes nothing.
import type { LogicalClusterName, WorkspacePath } from '@dep-ctrl/kcp-names';
import { GUARD_NAME } from '@dep-ctrl/rule-registry';
import { WorkspaceResolver } from '@dep-ctrl/workspace-resolver';
import { askServer, type Asker } from './ask-server.js';
import type { Facts, InstallationFacts, ShardFacts } from './facts.js';
import { allOf, namedPaths } from './known-rules.js';
import { readHome } from './read-home.js';
import { endpointsOf, readShard } from './read-shard.js';
import { readWebhooks } from './read-webhooks.js';
import { valueOr } from './reading.js';

// Anybody can name thousands of paths. Those beyond are not known, and are not judged.
const MOST_PATHS = 500;
const AT_A_TIME = 8;

/** Reads the server first: where it does not answer, nothing else is asked. */
export async function readInstallation(asker: Asker, workspace: LogicalClusterName | WorkspacePath): Promise<Facts> {
  const { connection, clock } = asker;
  const { baseUrl } = connection;
  const server = await askServer(asker, { baseUrl, versionUrl: `${baseUrl}/clusters/${workspace}/version` });
  const { peek, version } = server;
  const nowMs = clock.now() + (peek.state === 'answered' ? (peek.skewMs ?? 0) : 0);
  const isDeaf = version.state === 'unread' && (version.because === 'silent' || version.because === 'rejected');
  if (peek.state === 'silent' || isDeaf) return { nowMs, server };
  const home = await readHome(connection, workspace, asker);
  const shards = await Promise.all(endpointsOf(home).map((url) => readShard(asker, url, home)));
  const ours = allOf(shards, 'configurations').filter(({ object }) => object.metadata.name === GUARD_NAME);
  const configurations = ours.map(({ object }) => object);
  const [paths, webhooks] = await Promise.all([
    resolvePaths(asker, shards),
    readWebhooks(valueOr(home.admission, undefined), configurations, { now: () => clock.now(), signal: asker.signal }),
  ]);
  return { nowMs, server, installation: { home, shards, paths, webhooks } };
}

async function resolvePaths({ connection, signal }: Asker, shards: readonly ShardFacts[]): Promise<InstallationFacts['paths']> {
  const resolver = new WorkspaceResolver({ connection });
  const paths = new Map<WorkspacePath, LogicalClusterName | 'missing'>();
  const named = namedPaths(shards).slice(0, MOST_PATHS);
  for (let at = 0; at < named.length; at += AT_A_TIME) {
    await Promise.all(
      named.slice(at, at + AT_A_TIME).map(async (path) => {
        const resolution = await resolver.resolve(path, { signal });
        if (resolution.state === 'found') paths.set(path, resolution.cluster);
        else if (resolution.state === 'missing') paths.set(path, 'missing');
      }),
    );
  }
  return paths;
}
