// Configurations of other installations on the shards. They stay, because such an installation may still run; uninstall names them. Pure.
import { printFirst } from '@dep-ctrl/exported-types';
import { compareText } from '@dep-ctrl/kcp-names';
import type { Place } from './find-removals.js';
import type { Staying } from './what-stays.js';

/** Another installation, by the logical cluster that its configurations name, and the workspaces that have one, by path where that is known. */
export interface OtherInstallation {
  readonly owner: string;
  readonly workspaces: readonly string[];
}

// As many as fit into one line.
const NAMED = 10;

/** The other installations in these places, sorted by name. */
export function otherInstallations(places: readonly Place[]): readonly OtherInstallation[] {
  const byOwner = new Map<string, Set<string>>();
  for (const { foreign, paths } of places) {
    for (const { owner, cluster } of foreign) byOwner.set(owner, (byOwner.get(owner) ?? new Set()).add(paths.get(cluster) ?? cluster));
  }
  return [...byOwner]
    .map(([owner, workspaces]) => ({ owner, workspaces: [...workspaces].sort() }))
    .sort((a, b) => compareText(a.owner, b.owner));
}

/** The configurations of another installation, and the command that removes them if it is gone. */
export function stayingOf(
  { owner, workspaces }: OtherInstallation,
  shardKubeconfigs: readonly string[],
  flags: readonly string[],
): Staying {
  const where = printFirst(workspaces, { most: NAMED });
  const what = workspaces.length === 1 ? `the configuration in ${where} is` : `the configurations in ${where} are`;
  const shards = shardKubeconfigs.flatMap((file) => ['--shard-kubeconfig', file]);
  return {
    what: `${what} of another installation, "${owner}"`,
    removedBy: `if that is gone: ${['dep-ctrl uninstall --workspace', owner, ...shards, '--yes', ...flags].join(' ')}`,
  };
}
