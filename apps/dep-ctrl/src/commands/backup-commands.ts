import { notParsed, parsed } from '@dep-ctrl/kcp-names';
import { toggle, withDefault } from '@dep-ctrl/command-settings';
import { runBackup } from '../backup/run-backup.js';
import { runRestore } from '../backup/run-restore.js';
import { connectionSettings, logSettings } from '../command-line/common-settings.js';
import { defineCommand } from '../command-line/define-command.js';
import { parsePath } from '../command-line/parse-own-values.js';

/** `dep-ctrl backup`. */
export const backupCommand = defineCommand({
  name: 'backup',
  about:
    'Print every rule and guard of all workspaces as YAML. Keep the file: if the workspace of dep-ctrl is lost, they are lost with it. Changes nothing.',
  exits: '0 printed; 1 not everything could be read, and nothing is printed; 2 wrong usage',
  settings: {
    ...connectionSettings,
    workspace: withDefault({ flag: '--workspace', value: 'PATH', about: 'workspace of dep-ctrl', parse: parsePath }, 'root:dep-ctrl'),
    ...logSettings,
  },
  examples: ['dep-ctrl backup --kubeconfig admin.kubeconfig > rules.yaml'],
  check: (values) => parsed(values),
  run: (settings, world) => runBackup(settings, world),
});

/** `dep-ctrl restore`. */
export const restoreCommand = defineCommand({
  name: 'restore',
  about:
    'Write the rules and guards of a backup into the workspaces that they were in, where they are missing. The workspaces have to bind dep-ctrl.',
  operands: 'FILE...',
  exits: '0 everything is as the backup says; 1 something is not, each with its reason; 2 wrong usage',
  isSafeToRepeat: true,
  settings: {
    ...connectionSettings,
    overwrite: toggle('--overwrite', 'replace what is there with another spec'),
    dryRun: toggle('--dry-run', 'write nothing, list the objects that would be restored'),
    ...logSettings,
  },
  examples: ['dep-ctrl restore rules.yaml --kubeconfig admin.kubeconfig', 'dep-ctrl restore - --dry-run < rules.yaml'],
  check: (values, files) =>
    files.length === 0 ? notParsed('FILE is missing: give the backup, or - for stdin') : parsed({ ...values, files }),
  run: (settings, world) => runRestore(settings, world),
});
