import { Connection, isKcpError, type ClusterClient, type ConnectionOptions, type Logger, type Stoppable } from '@dep-ctrl/kcp-client';
import { loadKubeconfig, type LoadedKubeconfig } from '@dep-ctrl/kcp-client/kubeconfig';
import { logicalCluster } from '@dep-ctrl/kcp-names';
import { UsageError, type World } from '@dep-ctrl/command-settings';
import { VERSION } from './version.js';

/** How a command was told to find its kcp. */
export interface ConnectionSettings {
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
}

/** The flags that make another command find the same kcp; kubectl has them too. */
export function connectionFlags({ kubeconfig, context }: ConnectionSettings): readonly string[] {
  return [...(kubeconfig === undefined ? [] : ['--kubeconfig', kubeconfig]), ...(context === undefined ? [] : ['--context', context])];
}

/** A connection by --kubeconfig, KUBECONFIG or the Pod that this runs in. Throws UsageError; asks nothing of the server. */
export function connect(
  settings: ConnectionSettings,
  env: World['env'],
  bounds: Pick<ConnectionOptions, 'connectTimeoutMs'> = {},
): Connection {
  return new Connection({ ...connectionOptions(settings, env), ...bounds, userAgent: `dep-ctrl/${VERSION}` });
}

/** How long a person waits for a kcp that says nothing. */
const ANSWERS_WITHIN_MS = 4_000;
// What any other answer means is told by what is asked next.
const NO_ANSWERS = ['unreachable', 'timeout', 'unauthorized', 'aborted'] as const;

/** A connection for a command, after kcp has answered once. Later requests of the command may take longer. Throws KcpError if no server answers. */
export async function connectAnswering(settings: ConnectionSettings, { env, signal }: Pick<World, 'env' | 'signal'>): Promise<Connection> {
  const connection = connect(settings, env, { connectTimeoutMs: ANSWERS_WITHIN_MS });
  try {
    await reach(connection, { signal });
    return connection;
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** Throws KcpError if kcp does not answer soon. */
export async function reach(connection: Connection, { signal }: Stoppable): Promise<void> {
  const { baseUrl, workspace } = connection;
  const url = `${baseUrl}${workspace === undefined ? '' : `/clusters/${workspace}`}/version`;
  try {
    await connection.request({ method: 'GET', url, asked: 'reach kcp', timeoutMs: ANSWERS_WITHIN_MS }, { signal });
  } catch (error) {
    if (isKcpError(error, ...NO_ANSWERS)) throw error;
  }
}

/** The options of a connection, for callers that need more than the connection. */
export function connectionOptions({ kubeconfig, context }: ConnectionSettings, env: World['env'], logger?: Logger): LoadedKubeconfig {
  const loaded = loadKubeconfig({
    env,
    ...(logger === undefined ? {} : { logger }),
    ...(kubeconfig === undefined ? {} : { file: kubeconfig }),
    ...(context === undefined ? {} : { context }),
  });
  const flag = kubeconfig === undefined && context !== undefined ? '--context' : '--kubeconfig';
  if (!loaded.ok) throw new UsageError(`${flag}: ${loaded.problem}`);
  const { server } = loaded.value;
  if (!server.startsWith('https://')) throw new UsageError(`${flag}: kcp answers by https alone, and the server there is ${server}`);
  return loaded.value;
}

// One connection for each request that the webhook has open at a time (`defaultReadLimits.asks`), and some for everything else: a request that kcp does
// not answer holds its connection, and must not delay others. Connections are opened as they are needed.
const ROLE_CONNECTIONS = 80;

/** The export that a process works for, and its workspace. */
export interface Home {
  readonly exportName: string;
  readonly workspace: ClusterClient;
}

/** The connection of a process that runs roles: its kubeconfig points at the dep-ctrl workspace, and is followed. */
export function connectHome(
  settings: ConnectionSettings & { readonly kcpBaseHost: string | undefined; readonly exportName: string },
  { env, logger }: Pick<World, 'env'> & { readonly logger: Logger },
): { readonly connection: Connection; readonly home: Home; readonly kubeconfig: Pick<LoadedKubeconfig, 'problem'> } {
  const options = connectionOptions(settings, env, logger);
  const { kcpBaseHost } = settings;
  const server = kcpBaseHost === undefined ? options.server : `${kcpBaseHost}${/\/clusters\/.*$/.exec(options.server)?.[0] ?? ''}`;
  const connection = new Connection({ ...options, server, requestConnections: ROLE_CONNECTIONS, userAgent: `dep-ctrl/${VERSION}` });
  if (connection.workspace === undefined) {
    throw new UsageError(
      `--kubeconfig: the server must name the workspace of dep-ctrl, such as ${connection.baseUrl}/clusters/root:dep-ctrl, not ${connection.baseUrl}`,
    );
  }
  return { connection, home: { exportName: settings.exportName, workspace: connection.ownWorkspace() }, kubeconfig: options };
}

/** The `system:admin` workspace of one shard, and the connection to close in the end. */
export interface ShardAdmin {
  readonly file: string;
  /** The context that was taken from the file. */
  readonly context: string;
  readonly connection: Connection;
  readonly options: ConnectionOptions;
  readonly systemAdmin: ClusterClient;
}

// kcp's own admin.kubeconfig reaches the shard itself with these; its current context goes through the front-proxy, which hides system:admin.
const SHARD_CONTEXTS = ['system:admin', 'shard-base', undefined] as const;

/** Reaches `system:admin` with a kubeconfig of a shard's admin. */
export function connectShard(file: string): ShardAdmin {
  const systemAdmin = logicalCluster('system:admin');
  let problem = '';
  for (const context of SHARD_CONTEXTS) {
    const loaded = loadKubeconfig({ file, ...(context === undefined ? {} : { context }) });
    if (loaded.ok) {
      const connection = new Connection({ ...loaded.value, connectTimeoutMs: ANSWERS_WITHIN_MS, userAgent: `dep-ctrl/${VERSION}` });
      const { contextName } = loaded.value;
      return { file, context: contextName, connection, options: loaded.value, systemAdmin: connection.cluster(systemAdmin) };
    }
    problem = loaded.problem;
  }
  throw new UsageError(`--shard-kubeconfig: ${problem}`);
}
