// A kcp with a tree of workspaces, for specs.
import type { EmbeddedKcp } from '@dep-ctrl/embedded-kcp';
import { eventually, TestKcp } from '@dep-ctrl/embedded-kcp/testing';
import { splitWorkspacePath, workspacePath, type WorkspacePath } from '@dep-ctrl/kcp-names';
import { Connection, listAll } from '@dep-ctrl/kcp-client';

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
  /** Makes a workspace and answers with its logical cluster, once it is ready. */
  readonly makeWorkspace: (text: string) => Promise<string>;
  readonly stop: () => Promise<void>;
}

/** Starts a kcp without delays. */
export async function startKcp(): Promise<KcpWorld> {
  const kcp = await TestKcp.start();
  const connections: Connection[] = [];
  const connectAs = (user: string): Connection => {
    const connection = new Connection(kcp.access('root', user));
    connections.push(connection);
    return connection;
  };
  return {
    kcp: kcp.server,
    admin: connectAs('admin'),
    connectAs,
    makeWorkspace: async (text) => {
      await kcp.add({ workspaces: { [text]: {} } });
      return kcp.workspace(text).cluster;
    },
    stop: async () => {
      await Promise.all(connections.map((connection) => connection.close()));
      await kcp.stop();
    },
  };
}

/** Deletes a workspace and waits until it is gone. */
export async function removeWorkspace(connection: Connection, text: string): Promise<void> {
  const { parent, name } = splitWorkspacePath(path(text)) ?? { parent: path('root'), name: text };
  const client = connection.cluster(parent);
  await client.delete(WORKSPACES, { name }, { signal });
  await eventually(`${text} is gone`, async () => {
    const { objects } = await listAll(client, WORKSPACES, {}, { signal });
    if (objects.some(({ metadata }) => metadata.name === name)) throw new Error('it is there');
  });
}
