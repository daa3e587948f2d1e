// `dep-ctrl backup`: every rule and guard, as a text. Reads only, and prints nothing where it could not read all of them.
import { systemClock } from '@dep-ctrl/kcp-client';
import type { WorkspacePath } from '@dep-ctrl/kcp-names';
import type { World } from '@dep-ctrl/command-settings';
import type { ConnectionSettings } from '../command-line/connect.js';
import { connectAsker } from '../installation/connect-asker.js';
import { allOf } from '../installation/known-rules.js';
import { providersOf, workspaceNames } from '../installation/providers.js';
import { readInstallation } from '../installation/read-installation.js';
import { wholeInstallation } from '../installation/whole-installation.js';
import { savedOf, writeBackup, type Saved } from './backup-document.js';

/** The settings of `backup`. */
export interface BackupSettings extends ConnectionSettings {
  readonly workspace: WorkspacePath;
}

/** Prints the backup. */
export async function runBackup(settings: BackupSettings, world: World): Promise<void> {
  const asker = connectAsker(settings, world, systemClock);
  try {
    // A backup of some rules would be taken for one of all.
    const installation = wholeInstallation(await readInstallation(asker, settings.workspace), 'nothing is saved');
    const kinds = [
      ['DependencyGuard', 'guards'],
      ['DependencyRule', 'rules'],
    ] as const;
    const saved = kinds.flatMap(([kind, type]) =>
      allOf(installation.shards, type).flatMap(({ cluster, object }) => savedOf(cluster, kind, object) ?? []),
    );
    world.stdout.write(writeBackup(saved, workspaceNames(providersOf(installation), installation)));
    const workspaces = new Set(saved.map(({ cluster }) => cluster)).size;
    world.stderr.write(
      `${counts(saved, 'DependencyRule', 'rule')} and ${counts(saved, 'DependencyGuard', 'guard')} of ${counted(workspaces, 'workspace')}\n`,
    );
  } finally {
    await asker.connection.close();
  }
}

function counts(saved: readonly Saved[], kind: Saved['kind'], noun: string): string {
  return counted(saved.filter((each) => each.kind === kind).length, noun);
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
