// `dep-ctrl backup`: every rule and guard, as a text. Reads only, and prints nothing where it could not read all of them.
import { systemClock } from '@dep-ctrl/kcp-client';
import type { WorkspacePath } from '@dep-ctrl/kcp-names';
import type { World } from '@dep-ctrl/command-settings';
import type { ConnectionSettings } from '../command-line/connect.js';
import { connectAsker } from '../installation/connect-asker.js';
import type { Facts, InstallationFacts } from '../installation/facts.js';
import { allOf } from '../installation/known-rules.js';
import { isWhole, providersOf, workspaceNames } from '../installation/providers.js';
import { readInstallation } from '../installation/read-installation.js';
import { savedOf, writeBackup } from './backup-document.js';

/** The settings of `backup`. */
export interface BackupSettings extends ConnectionSettings {
  readonly workspace: WorkspacePath;
}

/** Prints the backup. */
export async function runBackup(settings: BackupSettings, world: World): Promise<void> {
  const asker = connectAsker(settings, world, systemClock);
  try {
    const installation = wholeOf(await readInstallation(asker, settings.workspace));
    const kinds = [
      ['DependencyGuard', 'guards'],
      ['DependencyRule', 'rules'],
    ] as const;
    const saved = kinds.flatMap(([kind, type]) =>
      allOf(installation.shards, type).flatMap(({ cluster, object }) => savedOf(cluster, kind, object) ?? []),
    );
    world.stdout.write(writeBackup(saved, workspaceNames(providersOf(installation), installation)));
    world.stderr.write(`${saved.length} rules and guards of ${new Set(saved.map(({ cluster }) => cluster)).size} workspaces\n`);
  } finally {
    await asker.connection.close();
  }
}

/** A backup of some rules would be taken for one of all. */
function wholeOf({ server, installation }: Facts): InstallationFacts {
  if (installation === undefined) throw new Error(server.version.state === 'unread' ? server.version.why : 'kcp does not answer');
  const { home, shards } = installation;
  if (home.presence.state !== 'found') throw new Error(home.presence.text);
  if (isWhole(installation)) return installation;
  const readings = [home.slice, ...shards.flatMap(({ bindings, rules, guards }) => [bindings, rules, guards])];
  const unread = readings.find((reading) => reading.state === 'unread');
  throw new Error(`nothing is saved, as not everything could be read${unread === undefined ? '' : `: ${unread.what}: ${unread.why}`}`);
}
