import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from '@dep-ctrl/command-settings';
import { bindCommand } from '../commands/bind-command.js';
import { bootstrapCommand } from '../commands/bootstrap-command.js';
import { consoleCommand } from '../commands/console-command.js';
import { deleteNamespaceCommand } from '../commands/delete-namespace-command.js';
import { doctorCommand } from '../commands/doctor-command.js';
import { explainCommand } from '../commands/explain-command.js';
import { graphCommand } from '../commands/graph-command.js';
import { lintCommand } from '../commands/lint-command.js';
import { backupCommand, restoreCommand } from '../commands/backup-commands.js';
import { rotateTokenCommand } from '../commands/rotate-token-command.js';
import { statusCommand } from '../commands/status-command.js';
import { uninstallCommand } from '../commands/uninstall-command.js';
import { DEV_PATHS } from '../dev/dev-paths.js';

/** A command line of an operator, without the flags that lead to kcp. */
export interface CommandLine {
  readonly line: string;
  readonly command: Command;
  readonly argv: readonly string[];
}

const RULE = `apiVersion: dependencies.opendefense.cloud/v1alpha1
kind: DependencyRule
metadata:
  name: saved
  annotations: {dependencies.opendefense.cloud/backup-of: root}
spec:
  dependent: {apiExportName: compute.example.com, group: compute.example.com, version: v1alpha1, kind: VirtualMachine, resource: virtualmachines}
  dependencies:
  - apiExportRef: {path: "root:providers:network", name: network.example.com}
    group: network.example.com
    version: v1alpha1
    resource: vpcs
    fieldRef: {path: ".spec.vpcRef.name"}
`;

/** One line at least of each command that an operator runs against a kcp; files that they need are written to the folder. */
export async function operatorCommands(dir: string): Promise<readonly CommandLine[]> {
  const { network, compute, teamA } = DEV_PATHS;
  const file = join(dir, 'rule.yaml');
  await writeFile(file, RULE);
  const lines: readonly (readonly [Command, ...string[]])[] = [
    [bootstrapCommand],
    [bootstrapCommand, '--dry-run'],
    [bindCommand, network],
    [statusCommand],
    [doctorCommand],
    [explainCommand, 'vpcs/my-vpc', '--workspace', teamA],
    [explainCommand, '--workspace', teamA],
    [deleteNamespaceCommand, 'default', '--ordered', '--workspace', teamA],
    [lintCommand, file, '--workspace', compute],
    [graphCommand],
    [consoleCommand, '--address', ':0'],
    [rotateTokenCommand],
    [backupCommand],
    [restoreCommand, file],
    [uninstallCommand, '--yes'],
  ];
  return lines.map(([command, ...argv]) => ({ line: [command.name, ...argv].join(' ').replace(`${dir}/`, ''), command, argv }));
}
