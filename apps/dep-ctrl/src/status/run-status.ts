// `dep-ctrl status`: one look at everything, or one look after the other. Reads only.
import { pause, systemClock, type Clock } from '@dep-ctrl/kcp-client';
import type { WorkspacePath } from '@dep-ctrl/kcp-names';
import type { World } from '@dep-ctrl/command-settings';
import { type ConnectionSettings, type ShardAdmin } from '../command-line/connect.js';
import { printResult } from '@dep-ctrl/command-settings';
import { readShardAdmins } from '../doctor/probes/read-shard-admins.js';
import type { Asker } from '../installation/ask-server.js';
import { connectAsker, connectShardBriefly } from '../installation/connect-asker.js';
import type { Facts } from '../installation/facts.js';
import { printStatus } from './print-status.js';
import { readStatus } from './read-status.js';
import type { StatusView } from './status-view.js';

/** The settings of `status`. */
export interface StatusSettings extends ConnectionSettings {
  readonly workspace: WorkspacePath;
  readonly shardKubeconfigs: readonly string[];
  readonly watch: boolean;
  readonly output: 'json' | 'yaml' | undefined;
}

/** The server to ask. */
interface From {
  readonly asker: Asker;
  readonly shards: readonly ShardAdmin[];
}

const WATCH_EVERY_MS = 5_000;

/** Prints it. Throws when something is wrong; with --watch by the last look. */
export async function runStatus(
  settings: StatusSettings,
  world: World,
  { clock }: { readonly clock: Clock } = { clock: systemClock },
): Promise<void> {
  const asker = connectAsker(settings, world, clock);
  const shards = settings.shardKubeconfigs.map(connectShardBriefly);
  const from = { asker, shards };
  try {
    let wrong = await look(from, settings, world);
    while (settings.watch && (await waited(clock, world))) {
      wrong = await lookAgain(from, settings, world, wrong);
    }
    if (wrong !== '') throw new Error(wrong);
  } finally {
    await Promise.all([asker, ...shards].map(({ connection }) => connection.close()));
  }
}

/** False once it was told to stop. */
async function waited(clock: Clock, { signal }: World): Promise<boolean> {
  await pause(WATCH_EVERY_MS, { clock, signal });
  return !signal.aborted;
}

/** Answers with the problems in one line; empty: none. Throws if there is no status to print. */
async function look({ asker, shards }: From, settings: StatusSettings, world: World): Promise<string> {
  const isThere = (facts: Facts): boolean => facts.installation?.home.presence.state === 'found';
  const { view, wrong } = await readStatus(asker, {
    ...settings,
    // What is left on shards, and what no endpoint shows.
    probe: async (facts) => ({ shardAdmins: isThere(facts) ? await readShardAdmins(asker.connection, shards, world) : [] }),
  });
  if (settings.watch && settings.output === 'json') world.stdout.write(`${JSON.stringify(view)}\n`);
  else
    printResult<StatusView>(view, {
      output: settings.output,
      stdout: world.stdout,
      asText: (each) => `${heading(settings, world, each)}${printStatus(each)}`,
    });
  return wrong;
}

/** A watch goes on where kcp is away for a while, and says so. */
async function lookAgain(from: From, settings: StatusSettings, world: World, before: string): Promise<string> {
  try {
    return await look(from, settings, world);
  } catch (error) {
    if (world.signal.aborted) return before;
    const problem = error instanceof Error ? error.message : String(error);
    world.stderr.write(`${new Date(from.asker.clock.now()).toISOString()} ${problem}\n`);
    return problem;
  }
}

function heading({ watch }: StatusSettings, { stdout }: World, { at }: StatusView): string {
  if (!watch) return '';
  // On a terminal each view takes the place of the one before.
  return stdout.isTerminal ? `\u001b[H\u001b[2J${at}\n` : `\n${at}\n`;
}
