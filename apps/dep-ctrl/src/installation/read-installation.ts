// Reads an installation with the caller's rights, through the export's virtual workspace on every shard. Writes nothing.
import { hintedPath, type LogicalClusterName, type WorkspacePath } from '@dep-ctrl/kcp-names';
import { GUARD_NAME } from '@dep-ctrl/rule-registry';
import { askServer, type Asker } from './ask-server.js';
import type { Facts, HomeFacts, InstallationFacts, ShardFacts } from './facts.js';
import { allOf, namedPaths, ownBindings } from './known-rules.js';
import { readHome } from './read-home.js';
import { endpointsOf, readShard } from './read-shard.js';
import { readWebhooks } from './read-webhooks.js';
import { valueOr } from './reading.js';
import { resolvePaths, withProvenPath } from './resolve-paths.js';

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
    resolveAll(asker, home, shards),
    readWebhooks(valueOr(home.admission, undefined), configurations, { now: () => clock.now(), signal: asker.signal }),
  ]);
  return { nowMs, server, installation: { home: withProvenPaths(home, paths), shards, paths, webhooks } };
}

/** Those that rules and guards name, and those that workspaces say of themselves: each may be many, and neither crowds out the other. */
async function resolveAll(
  { connection, signal }: Asker,
  { dying }: HomeFacts,
  shards: readonly ShardFacts[],
): Promise<InstallationFacts['paths']> {
  const bound = ownBindings(allOf(shards, 'bindings').map(({ object }) => object)).flatMap(({ object }) => hintedPath(object) ?? []);
  const waiting = valueOr(dying, []).flatMap(({ path = [] }) => path);
  const named = await resolvePaths(connection, namedPaths(shards), { signal });
  return new Map([
    ...named,
    ...(await resolvePaths(
      connection,
      [...bound, ...waiting].filter((path) => !named.has(path)),
      { signal },
    )),
  ]);
}

function withProvenPaths(home: HomeFacts, paths: InstallationFacts['paths']): HomeFacts {
  const { dying } = home;
  return dying.state === 'unread' ? home : { ...home, dying: { ...dying, value: dying.value.map((each) => withProvenPath(each, paths)) } };
}
