// Asks kcp as each role, with the kubeconfigs that bootstrap wrote: whether it knows the identity, and one list in the workspace of a provider. A granted
// right is not enough for that (tokens of ServiceAccounts, a root shard that is down).
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '@dep-ctrl/kcp-client';
import { loadKubeconfig } from '@dep-ctrl/kcp-client/kubeconfig';
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import { EXPORT_NAME } from '@dep-ctrl/rule-registry';
import type { World } from '@dep-ctrl/command-settings';
import { connectAsker } from '../../installation/connect-asker.js';
import type { InstallationFacts } from '../../installation/facts.js';
import { reading } from '../../installation/reading.js';
import { API_BINDINGS, API_EXPORT_ENDPOINT_SLICES } from '@dep-ctrl/kcp-objects';
import { tryList } from '../../own-objects/tenant-lists.js';
import type { IdentityFacts } from './probes.js';
import { foreignWorkspaces, type NameOf } from './read-rights.js';

const ROLES = ['controller', 'webhook', 'all'] as const;

/** Acts as each role of which the folder has a kubeconfig. */
export async function readIdentities(
  dir: string,
  installation: InstallationFacts,
  nameOf: NameOf,
  { world, clock }: { readonly world: World; readonly clock: Clock },
): Promise<readonly IdentityFacts[]> {
  const there = ROLES.map((role) => ({ role, file: join(dir, `${role}.kubeconfig`) })).filter(({ file }) => existsSync(file));
  return Promise.all(there.map((each) => readIdentity(each, installation, nameOf, { world, clock })));
}

async function readIdentity(
  { role, file }: Pick<IdentityFacts, 'role' | 'file'>,
  installation: InstallationFacts,
  nameOf: NameOf,
  { world, clock }: { readonly world: World; readonly clock: Clock },
): Promise<IdentityFacts> {
  const loaded = loadKubeconfig({ env: world.env, file });
  if (!loaded.ok) return { file, role, home: { state: 'damaged', problem: loaded.problem }, foreign: [] };
  const { connection } = connectAsker({ kubeconfig: file, context: undefined }, world, clock);
  try {
    const { path } = installation.home;
    const home = await reading(
      { what: `the endpoints in ${path} as ${role}`, needs: `ClusterRole dep-ctrl:${role === 'all' ? 'controller' : role} in ${path}` },
      async () => {
        await connection.cluster(path).get(API_EXPORT_ENDPOINT_SLICES, { name: EXPORT_NAME }, world);
        return true as const;
      },
    );
    const foreign = await Promise.all(
      foreignWorkspaces(installation).map(async (cluster: LogicalClusterName) => {
        const workspace = nameOf(cluster);
        const needs = 'the rights in system:admin of that shard, which bootstrap grants with --shard-kubeconfig';
        const listed = await reading({ what: `the bindings in ${workspace} as ${role}`, needs }, async () => {
          await tryList(connection.cluster(cluster), API_BINDINGS, world);
          return true as const;
        });
        return { workspace, listed };
      }),
    );
    return { file, role, home, foreign };
  } finally {
    await connection.close();
  }
}
