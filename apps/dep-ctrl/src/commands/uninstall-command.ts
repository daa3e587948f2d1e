import { systemClock } from '@dep-ctrl/kcp-client';
import { notParsed, parsed } from '@dep-ctrl/kcp-names';
import { toggle } from '@dep-ctrl/command-settings';
import { runUninstall } from '../uninstall/run-uninstall.js';
import { defineCommand } from '../command-line/define-command.js';
import { connectionSettings, homeSettings, logSettings, outputSettings, shardSettings } from '../command-line/common-settings.js';

/** `dep-ctrl uninstall`. */
export const uninstallCommand = defineCommand({
  name: 'uninstall',
  about:
    "Remove every configuration and guard that dep-ctrl put into providers' workspaces, mark each rule as no longer in force (Ready=False, Uninstalled), and prove it; then say what stays. Stop the controller first.",
  settings: {
    ...connectionSettings,
    ...homeSettings,
    ...shardSettings(
      'finds what is left in workspaces that no longer bind dep-ctrl or when the workspace of dep-ctrl is gone, and the rights in its system:admin',
    ),
    yes: toggle('--yes', 'really remove'),
    dryRun: toggle('--dry-run', 'remove nothing, list what would go'),
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
