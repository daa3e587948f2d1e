import { notParsed, parsed, type Parsed } from '@dep-ctrl/kcp-names';
import { optional, parseChoice, parseText, toggle, type ValuesOf, withDefault } from '@dep-ctrl/command-settings';
import { runBootstrapDiff } from '../bootstrap/diff/run-bootstrap-diff.js';
import { runBootstrap, type BootstrapSettings } from '../bootstrap/run-bootstrap.js';
import { defineCommand } from '../command-line/define-command.js';
import { connectionSettings, homeSettings, logSettings, outputSettings, shardSettings } from '../command-line/common-settings.js';

const bootstrapSettings = {
  ...connectionSettings,
  ...homeSettings,
  ...shardSettings("rights in consumers' workspaces are written to its system:admin"),
  kubeconfigDir: optional({
    flag: '--kubeconfig-dir',
    value: 'DIR',
    about: 'write controller.kubeconfig, webhook.kubeconfig and all.kubeconfig here, and url-token, which stays once it is there',
    parse: parseText,
  }),
  controllerUser: optional({
    flag: '--controller-user',
    value: 'NAME',
    about: 'user that runs the controller; without it a ServiceAccount is made',
    parse: parseText,
  }),
  webhookUser: optional({
    flag: '--webhook-user',
    value: 'NAME',
    about: 'user that runs the webhook; without it a ServiceAccount is made',
    parse: parseText,
  }),
  readAccess: withDefault(
    {
      flag: '--read-access',
      value: 'HOW',
      about: "what the webhook may read in consumers' workspaces: listed, the types that bound providers export, or wildcard, everything",
      parse: parseChoice('listed', 'wildcard'),
    },
    'listed',
  ),
  protectWorkspace: toggle(
    '--protect-workspace',
    'have kcp refuse to delete the workspace of dep-ctrl until uninstall: writes a ValidatingAdmissionPolicy to root; stays once it is there',
  ),
  orderedTeardown: toggle(
    '--ordered-teardown',
    'make the WorkspaceType dependency-ordered, whose workspaces end with dependents before what they refer to; needs kcp 0.32; stays, and is kept up to date, once it is there',
  ),
  adopt: toggle('--adopt', 'take over objects of the same names that dep-ctrl did not make'),
  dryRun: toggle('--dry-run', 'write nothing, print the manifests'),
  diff: toggle(
    '--diff',
    'write nothing, say what would be created, changed (line by line) and removed, and what was not looked at: rights on shards without --shard-kubeconfig',
  ),
  ...outputSettings,
  ...logSettings,
};

/** `dep-ctrl bootstrap`. */
export const bootstrapCommand = defineCommand({
  name: 'bootstrap',
  about:
    'Create or upgrade the workspace of dep-ctrl: its API, the identities of both roles and their rights; what the webhook may read is derived again from what is bound. Safe to repeat.',
  isSafeToRepeat: true,
  settings: bootstrapSettings,
  exits:
    '0 done, 1 failed, 2 wrong usage; with --diff 0 nothing that was looked at would change, 1 something would, 2 wrong usage or not compared',
  examples: [
    'dep-ctrl bootstrap --kubeconfig admin.kubeconfig --shard-kubeconfig admin.kubeconfig --kubeconfig-dir identities',
    'dep-ctrl bootstrap --controller-user dep-ctrl-controller --webhook-user dep-ctrl-webhook --shard-kubeconfig shard-1.kubeconfig',
    'dep-ctrl bootstrap --dry-run -o yaml',
    'dep-ctrl bootstrap --diff --kubeconfig admin.kubeconfig --shard-kubeconfig admin.kubeconfig',
  ],
  check: checkBootstrap,
  run: (settings, world) => (settings.diff ? runBootstrapDiff(settings, world) : runBootstrap(settings, world)),
});

/** The settings of `bootstrap`, or what is wrong with them. */
export function checkBootstrap(values: ValuesOf<typeof bootstrapSettings>): Parsed<BootstrapSettings> {
  if (values.workspace === 'root') return notParsed('--workspace must be a workspace below root, such as "root:dep-ctrl"');
  if (values.diff && values.dryRun) return notParsed('--diff and --dry-run exclude each other: leave one of them out');
  return parsed(values);
}
