import { parsed } from '@dep-ctrl/kcp-names';
import { runBackup } from '../backup/run-backup.js';
import { connectionSettings, homeSettings, logSettings } from '../command-line/common-settings.js';
import { defineCommand } from '../command-line/define-command.js';

/** `dep-ctrl backup`. */
export const backupCommand = defineCommand({
  name: 'backup',
  about:
    'Print every rule and guard of all workspaces as YAML. Keep the file: if the workspace of dep-ctrl is lost, they are lost with it. Changes nothing.',
  exits: '0 printed; 1 not everything could be read, and nothing is printed; 2 wrong usage',
  settings: {
    ...connectionSettings,
    ...homeSettings,
    ...logSettings,
  },
  examples: ['dep-ctrl backup --kubeconfig admin.kubeconfig > rules.yaml'],
  check: (values) => parsed(values),
  run: (settings, world) => runBackup(settings, world),
});
