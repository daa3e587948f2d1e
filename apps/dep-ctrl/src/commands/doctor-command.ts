import { parsed } from '@dep-ctrl/kcp-names';
import { defineCommand } from '../command-line/define-command.js';
import { connectionSettings, homeSettings, logSettings, outputSettings, shardSettings } from '../command-line/common-settings.js';
import { optional, parseText, toggle } from '@dep-ctrl/command-settings';
import { parseNamedRule } from '../doctor/one-rule.js';
import { runDoctor } from '../doctor/run-doctor.js';

/** `dep-ctrl doctor`. */
export const doctorCommand = defineCommand({
  name: 'doctor',
  about:
    'Check the preconditions of dep-ctrl, before and after an installation: one sentence and one command for each problem. Changes nothing.',
  exits: '0 no problem; 1 a problem, or something could not be checked; 2 wrong usage',
  settings: {
    ...connectionSettings,
    ...homeSettings,
    ...shardSettings('checks the rights in its system:admin, and looks for objects of former installations'),
    kubeconfigDir: optional({
      flag: '--kubeconfig-dir',
      value: 'DIR',
      about: 'folder of the kubeconfigs that bootstrap wrote: checks whether kcp accepts them, and lets the roles read',
      parse: parseText,
    }),
    rule: optional({
      flag: '--rule',
      value: 'WORKSPACE/NAME',
      about: 'tell only what concerns this rule; its workspace is named by path or logical cluster',
      parse: parseNamedRule,
    }),
    all: toggle('--all', 'print preconditions that are met, too'),
    ...outputSettings,
    ...logSettings,
  },
  examples: [
    'dep-ctrl doctor --kubeconfig admin.kubeconfig',
    'dep-ctrl doctor --rule root:providers:compute/vm-dependencies',
    'dep-ctrl doctor --all --shard-kubeconfig admin.kubeconfig --kubeconfig-dir identities',
  ],
  check: (values) => parsed(values),
  run: (settings, world) => runDoctor(settings, world),
});
