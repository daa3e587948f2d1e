import type { Command } from '@dep-ctrl/command-settings';
import { backupCommand, restoreCommand } from './backup-commands.js';
import { bindCommand } from './bind-command.js';
import { bootstrapCommand } from './bootstrap-command.js';
import { completionCommand } from './completion-command.js';
import { consoleCommand } from './console-command.js';
import { deleteNamespaceCommand } from './delete-namespace-command.js';
import { devCommand } from './dev-command.js';
import { doctorCommand } from './doctor-command.js';
import { explainCommand } from './explain-command.js';
import { graphCommand } from './graph-command.js';
import { lintCommand } from './lint-command.js';
import { allCommand, controllerCommand, webhookCommand } from './role-commands.js';
import { rotateTokenCommand } from './rotate-token-command.js';
import { statusCommand } from './status-command.js';
import { uninstallCommand } from './uninstall-command.js';

/** All commands, in the order in which the help lists them. */
export const commands: readonly Command[] = [
  devCommand,
  allCommand,
  controllerCommand,
  webhookCommand,
  bootstrapCommand,
  bindCommand,
  statusCommand,
  doctorCommand,
  explainCommand,
  deleteNamespaceCommand,
  lintCommand,
  graphCommand,
  consoleCommand,
  backupCommand,
  restoreCommand,
  rotateTokenCommand,
  uninstallCommand,
  completionCommand(() => commands),
];
