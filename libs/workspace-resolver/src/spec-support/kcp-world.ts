// A kcp with a tree of workspaces, for specs.
import { EmbeddedKcp } from '@dep-ctrl/embedded-kcp';
import { workspacePath, splitWorkspacePath, type WorkspacePath } from '@dep-ctrl/kcp-names';
import { Connection, systemClock, type ClusterClient } from '@dep-ctrl/kcp-client';

const WORKSPACES = { group: 'tenancy.kcp.io', version: 'v1alpha1', resource: 'workspaces' };
const signal = AbortSignal.timeout(300_000);

/** A path that is one. */
export function path(text: string): WorkspacePath {
  return workspacePath(text);
}

/** One running kcp and an admin's connection to it. */
export interface KcpWorld {
  readonly kcp: EmbeddedKcp;
  readonly admin: Connection;
  /** A connection of a user with no rights but those of every user. */
  readonly connectAs: (user: string) => Connection;
  readonly stop: () => Promise<void>;
}

/** Starts a kcp without delays. */
export async function startKcp(): Promise<KcpWorld> {
  const kcp = await EmbeddedKcp.start({ delays: 'fast' });
  const connections: Connection[] = [];
  const connect = (token: string): Connection => {
    const connection = new Connection({ server: kcp.baseUrl, credentials: { ca: kcp.ca, token } });
    connections.push(connection);
    return connection;
  };
  return {
    kcp,
    admin: connect(kcp.token('kcp-admin', ['system:kcp:admin'])),
    connectAs: (user) => connect(kcp.token(user)),
    stop: async () => {
      await Promise.all(connections.map((connection) => connection.close()));
      await kcp.stop();
    },
  };
}

/** Makes a workspace and answers with its logical cluster, once it is ready. */
export async function makeWorkspace(connection: Connection, text: string): Promise<string> {
  const { parent, name } = splitWorkspacePath(path(text)) ?? { parent: path('root'), name: text };
  const client = connection.cluster(parent);
  const type = { name: 'universal', path: 'root' };
  await client.create(
    WORKSPACES,
    { apiVersion: 'tenancy.kcp.io/v1alpha1', kind: 'Workspace', metadata: { name }, spec: { type } },
    { signal },
  );
  return until(async () => {
    const { spec, status } = await client.get(WORKSPACES, { name }, { signal });
    const cluster = (spec as { readonly cluster?: string }).cluster;
    return (status as { readonly phase?: string } | undefined)?.phase === 'Ready' ? cluster : undefined;
  });
}

/** Deletes a workspace and waits until it is gone. */
export async function removeWorkspace(connection: Connection, text: string): Promise<void> {
  const { parent, name } = splitWorkspacePath(path(text)) ?? { parent: path('root'), name: text };
  const client = connection.cluster(parent);
  await client.delete(WORKSPACES, { name }, { signal });
  await until(async () => ((await exists(client, name)) ? undefined : 'gone'));
}

async function exists(client: ClusterClient, name: string): Promise<boolean> {
  for await (const page of client.list(WORKSPACES, {}, { signal })) {
    if (page.objects().some(({ metadata }) => metadata.name === name)) return true;
  }
  return false;
}

async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await systemClock.sleep(10, { signal });
  }
}
