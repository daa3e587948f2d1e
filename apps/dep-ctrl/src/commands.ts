import type { Command } from '@dep-ctrl/command-settings';
import { backupCommand, restoreCommand } from './commands/backup-commands.js';
import { bindCommand } from './commands/bind-command.js';
import { bootstrapCommand } from './commands/bootstrap-command.js';
import { completionCommand } from './commands/completion-command.js';
import { consoleCommand } from './commands/console-command.js';
import { deleteNamespaceCommand } from './commands/delete-namespace-command.js';
import { devCommand } from './commands/dev-command.js';
import { doctorCommand } from './commands/doctor-command.js';
import { explainCommand } from './commands/explain-command.js';
import { graphCommand } from './commands/graph-command.js';
import { lintCommand } from './commands/lint-command.js';
import { allCommand, controllerCommand, webhookCommand } from './commands/role-commands.js';
import { rotateTokenCommand } from './commands/rotate-token-command.js';
import { statusCommand } from './commands/status-command.js';
import { uninstallCommand } from './commands/uninstall-command.js';

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
