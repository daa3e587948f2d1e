import { deepEqual, equal, match } from 'node:assert/strict';
import { Connection } from '@dep-ctrl/kcp-client';
import { workspacePath } from '@dep-ctrl/kcp-names';
import { printResolution, WorkspaceResolver, type Resolution } from '@dep-ctrl/workspace-resolver';
import { eventually } from '../stage/eventually.js';
import { clusterNamed } from './connect.js';
import type { Library, LibraryCase } from './library-case.js';

const WORKSPACES = { group: 'tenancy.kcp.io', version: 'v1alpha1', resource: 'workspaces' };
const { signal } = new AbortController();

/** L3: what a path means. */
export const workspaces: readonly LibraryCase[] = [
  {
    id: 'L3.1',
    title: 'a path leads to its logical cluster at any depth and on any shard, and what is missing is named',
    run: async ({ kcp, connection }) => {
      const last = kcp.backend.shards.length - 1;
      const a = await kcp.workspace({ shard: 0 });
      const b = await kcp.workspace({ parent: a.path, shard: last });
      const c = await kcp.workspace({ parent: b.path, shard: 0 });
      const resolver = new WorkspaceResolver({ connection });

      for (const { path, cluster } of [a, b, c]) equal(clusterOf(await resolver.resolve(workspacePath(path), { signal })), cluster);
      const missing = workspacePath(`${b.path}:nobody:below`);
      equal(
        printResolution(missing, await resolver.resolve(missing, { signal })),
        `workspace "${missing}" does not exist: there is no "${b.path}:nobody"`,
      );
    },
  },
  {
    id: 'L3.2',
    title: 'a workspace that is made again under its path is noticed by the next question',
    run: async ({ kcp, connection }) => {
      const parent = await kcp.workspace({ shard: 0 });
      const before = await kcp.workspace({ parent: parent.path, name: 'again' });
      const resolver = new WorkspaceResolver({ connection });
      const path = workspacePath(before.path);
      equal(clusterOf(await resolver.resolve(path, { signal })), before.cluster);

      await connection.cluster(clusterNamed(parent.cluster)).delete(WORKSPACES, { name: 'again' }, { signal });
      await eventually('it is gone', async () => deepEqual(await resolver.resolve(path, { signal }), { state: 'missing', path }));
      const after = await kcp.workspace({ parent: parent.path, name: 'again' });

      equal(clusterOf(await resolver.resolve(path, { signal })), after.cluster);
    },
  },
  {
    id: 'L3.3',
    title: 'who may not look into a parent is told which right is missing where, and which ClusterRoles grant it',
    run: async (library) => {
      const { kcp } = library;
      const parent = await kcp.workspace({ shard: 0 });
      const child = await kcp.workspace({ parent: parent.path });
      const stranger = await connectionOf(library, 'stranger');
      const resolver = new WorkspaceResolver({ connection: stranger });

      const resolution = await resolver.resolve(workspacePath(child.path), { signal });
      await stranger.close();

      equal(resolution.state, 'forbidden');
      match(
        printResolution(workspacePath(child.path), resolution),
        new RegExp(`in "${parent.path}": bind ClusterRoles system:kcp:tenancy:reader and system:kcp:workspace:access there$`, 'u'),
      );
    },
  },
];

async function connectionOf({ kcp }: Library, user: string): Promise<Connection> {
  const { cert, key } = await kcp.backend.clientCertificate({ name: user });
  return new Connection({ server: kcp.front.url, credentials: { ca: kcp.backend.ca, clientCert: cert, clientKey: key } });
}

function clusterOf(resolution: Resolution): string {
  if (resolution.state !== 'found') throw new Error(`it was not found: ${JSON.stringify(resolution)}`);
  return resolution.cluster;
}
