import { parsed } from '@dep-ctrl/kcp-names';
import { defineCommand } from '../command-line/define-command.js';
import { connectionSettings, homeSettings, logSettings, outputSettings, shardSettings } from '../command-line/common-settings.js';
import { toggle } from '@dep-ctrl/command-settings';
import { runStatus } from '../status/run-status.js';

/** `dep-ctrl status`. */
export const statusCommand = defineCommand({
  name: 'status',
  about:
    'Show all workspaces at a glance: roles, versions, endpoints, rules, guards, configurations, ages, and each problem with the command that fixes it. Changes nothing.',
  exits: '0 no problem; 1 a problem, or something could not be checked, with --watch at the last look; 2 wrong usage',
  settings: {
    ...connectionSettings,
    ...homeSettings,
    ...shardSettings('shows objects left there by this and former installations'),
    watch: toggle('--watch', 'look again every 5 s, until it is stopped; with -o json one line each'),
    ...outputSettings,
    ...logSettings,
  },
  examples: [
    'dep-ctrl status --kubeconfig admin.kubeconfig',
    'dep-ctrl status -o json --shard-kubeconfig admin.kubeconfig',
    'dep-ctrl status --watch',
  ],
  check: (values) => parsed(values),
  run: (settings, world) => runStatus(settings, world),
});
