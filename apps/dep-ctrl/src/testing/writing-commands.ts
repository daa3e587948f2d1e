import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '@dep-ctrl/kcp-client';
import type { Command } from '@dep-ctrl/command-settings';
import { deleteIfExists } from '@dep-ctrl/kcp-objects';
import { RULES } from '@dep-ctrl/rule-registry';
import { bindCommand } from '../commands/bind-command.js';
import { bootstrapCommand } from '../commands/bootstrap-command.js';
import { backupCommand, restoreCommand } from '../commands/backup-commands.js';
import { uninstallCommand } from '../commands/uninstall-command.js';
import { DEV_PATHS } from '../dev/dev-paths.js';
import type { EmbeddedWorld } from './embedded-world.js';
import { install } from './installation-state.js';
import { makeReferringMachine } from './referring-machine.js';
import { runCli } from './run-cli.js';

const { network, compute } = DEV_PATHS;
const options = () => ({ signal: AbortSignal.timeout(60_000), clock: systemClock });

/** A command that writes. */
export interface WritingCommand {
  readonly command: Command;
  /** Makes what the command is run on. */
  readonly prepare: (world: EmbeddedWorld) => Promise<void>;
  readonly argv: (world: EmbeddedWorld) => readonly string[];
}

const as = ({ adminKubeconfig }: EmbeddedWorld): readonly string[] => ['--kubeconfig', adminKubeconfig];
const onShard = ({ adminKubeconfig }: EmbeddedWorld): readonly string[] => ['--shard-kubeconfig', adminKubeconfig];
const fileIn = ({ dir }: EmbeddedWorld): string => join(dir, 'saved.yaml');

/** The commands of an operator that write. */
export const WRITING_COMMANDS: readonly WritingCommand[] = [
  {
    command: bootstrapCommand,
    prepare: ({ admin }) => makeReferringMachine(admin),
    argv: (world) => [...as(world), ...onShard(world)],
  },
  {
    command: bindCommand,
    prepare: async (world) => {
      await runCli(bootstrapCommand, [...as(world), ...onShard(world)]);
      await makeReferringMachine(world.admin);
    },
    argv: (world) => [network, compute, ...as(world), ...onShard(world)],
  },
  {
    command: restoreCommand,
    prepare: async (world) => {
      await install(world);
      const { stdout } = await runCli(backupCommand, as(world));
      await writeFile(fileIn(world), stdout);
      await deleteIfExists(world.admin.cluster(compute), RULES, { name: 'vm-dependencies' }, options());
    },
    argv: (world) => [fileIn(world), ...as(world)],
  },
  { command: uninstallCommand, prepare: install, argv: (world) => ['--yes', ...as(world), ...onShard(world)] },
];
