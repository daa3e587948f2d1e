import type { Command } from '@dep-ctrl/command-settings';
import { bindCommand } from './bind-command.js';
import { bootstrapCommand } from './bootstrap-command.js';
import { devCommand } from './dev-command.js';
import { explainCommand } from './explain-command.js';
import { allCommand, controllerCommand, webhookCommand } from './role-commands.js';
import { uninstallCommand } from './uninstall-command.js';

/** All commands, in the order in which the help lists them. */
export const commands: readonly Command[] = [
  devCommand,
  allCommand,
  controllerCommand,
  webhookCommand,
  bootstrapCommand,
  bindCommand,
  explainCommand,
  uninstallCommand,
];
