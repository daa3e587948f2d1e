import { parsed } from '@dep-ctrl/kcp-names';
import { defineCommand } from '../command-line/define-command.js';
import { connectionSettings, logSettings, outputSettings } from '../command-line/common-settings.js';
import { parsePath } from '../command-line/parse-own-values.js';
import { parseText } from '@dep-ctrl/command-settings';
import { optional, repeated, toggle, withDefault } from '@dep-ctrl/command-settings';
import { parseNamedRule } from '../doctor/one-rule.js';
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
    shardKubeconfigs: repeated({
      flag: '--shard-kubeconfig',
      value: 'FILE',
      about:
        'admin kubeconfig of a shard, once per shard: looks at the rights in its system:admin, and for what is left of former installations',
      parse: parseText,
    }),
    kubeconfigDir: optional({
      flag: '--kubeconfig-dir',
      value: 'DIR',
      about: 'folder of the kubeconfigs that bootstrap wrote: tries whether kcp knows the roles by them, and lets them read',
      parse: parseText,
    }),
    rule: optional({
      flag: '--rule',
      value: 'WORKSPACE/NAME',
      about: 'tell only what concerns this rule; its workspace is named by path or logical cluster',
      parse: parseNamedRule,
    }),
    all: toggle('--all', 'print what is well, too'),
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
