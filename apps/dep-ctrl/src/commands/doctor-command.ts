import { parsed } from '@dep-ctrl/kcp-names';
import { defineCommand } from '../command-line/define-command.js';
import { connectionSettings, homeSettings, logSettings, outputSettings, shardSettings } from '../command-line/common-settings.js';
import { optional, parseText, toggle } from '@dep-ctrl/command-settings';
import { runDoctor } from '../doctor/run-doctor.js';

/** `dep-ctrl doctor`. */
export const doctorCommand = defineCommand({
  name: 'doctor',
  about:
    'Check everything that dep-ctrl needs, before and after an installation: one sentence and one command for each thing that is wrong. Changes nothing.',
  exits: '0 nothing is wrong; 1 something is, or could not be looked at; 2 wrong usage',
  settings: {
    ...connectionSettings,
    ...homeSettings,
    ...shardSettings('looks at the rights in its system:admin, and for what is left of former installations'),
    kubeconfigDir: optional({
      flag: '--kubeconfig-dir',
      value: 'DIR',
      about: 'folder of the kubeconfigs that bootstrap wrote: tries whether kcp knows the roles by them, and lets them read',
      parse: parseText,
    }),
    all: toggle('--all', 'print what is well, too'),
    ...outputSettings,
    ...logSettings,
  },
  examples: [
    'dep-ctrl doctor --kubeconfig admin.kubeconfig',
    'dep-ctrl doctor --all --shard-kubeconfig admin.kubeconfig --kubeconfig-dir identities',
  ],
  check: (values) => parsed(values),
  run: (settings, world) => runDoctor(settings, world),
});
