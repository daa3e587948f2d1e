import { systemClock } from '@dep-ctrl/kcp-client';
import { notParsed, parseLogicalClusterName, parsed } from '@dep-ctrl/kcp-names';
import { repeated, toggle } from '@dep-ctrl/command-settings';
import { runUninstall } from '../uninstall/run-uninstall.js';
import { defineCommand } from '../command-line/define-command.js';
import { connectionSettings, homeSettings, logSettings, outputSettings, shardSettings } from '../command-line/common-settings.js';

/** `dep-ctrl uninstall`. */
export const uninstallCommand = defineCommand({
  name: 'uninstall',
  about:
    "Remove every configuration and guard of dep-ctrl from providers' workspaces, mark each rule as no longer in force (Ready=False, Uninstalled), and check the result; then list what stays. Stop the controller first.",
  isSafeToRepeat: true,
  settings: {
    ...connectionSettings,
    ...homeSettings,
    ...shardSettings(
      'finds the rights in its system:admin, and objects in workspaces that unbound dep-ctrl; needed if the workspace of dep-ctrl is gone',
    ),
    yes: toggle('--yes', 'remove the objects; needed if there is anything to remove, unless --dry-run is given'),
    leaveTerminators: toggle(
      '--leave-terminators',
      'go on although workspaces carry the terminator of the ordered teardown: each waits at its end until it is taken off by hand, and the result says how',
    ),
    leave: repeated({
      flag: '--leave',
      value: 'CLUSTER',
      about:
        'go on although what is in this workspace cannot be removed, as when its own admins keep it: it stays, and refuses deletes there until they let go; once per workspace, by its logical cluster',
      parse: parseLogicalClusterName,
    }),
    dryRun: toggle('--dry-run', 'remove nothing, list the objects that would be removed'),
    ...outputSettings,
    ...logSettings,
  },
  examples: [
    'dep-ctrl uninstall --dry-run',
    'dep-ctrl uninstall --yes --shard-kubeconfig root.kubeconfig --shard-kubeconfig shard-1.kubeconfig',
  ],
  check: (values) =>
    values.yes && values.dryRun ? notParsed('--yes and --dry-run exclude each other: leave one of them out') : parsed(values),
  run: (settings, world) => runUninstall(settings, world, { clock: systemClock }),
});
