import { parsed } from '@dep-ctrl/kcp-names';
import { defineCommand } from '../command-line/command.js';
import { connectionSettings, logSettings, outputSettings } from '../command-line/common-settings.js';
import { parsePath } from '../command-line/parse-values.js';
import { toggle, withDefault } from '../command-line/setting.js';
import { runDoctor } from '../doctor/run-doctor.js';

/** `dep-ctrl doctor`. */
export const doctorCommand = defineCommand({
  name: 'doctor',
  about:
    'Check everything that dep-ctrl needs, before and after an installation: one sentence and one command for each thing that is wrong. Changes nothing.',
  exits: '0 nothing is wrong; 1 something is, or could not be looked at; 2 wrong usage',
  settings: {
    ...connectionSettings,
    workspace: withDefault({ flag: '--workspace', value: 'PATH', about: 'workspace of dep-ctrl', parse: parsePath }, 'root:dep-ctrl'),
    all: toggle('--all', 'print what is well, too'),
    ...outputSettings,
    ...logSettings,
  },
  examples: ['dep-ctrl doctor --kubeconfig admin.kubeconfig', 'dep-ctrl doctor --all'],
  check: (values) => parsed(values),
  run: (settings, world) => runDoctor(settings, world),
});
