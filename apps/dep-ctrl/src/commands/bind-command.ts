import { notParsed, parsed, type Parsed, type WorkspacePath } from '@dep-ctrl/kcp-names';
import { toggle } from '@dep-ctrl/command-settings';
import { runBind } from '../bind/run-bind.js';
import { defineCommand } from '../command-line/define-command.js';
import { connectionSettings, homeSettings, logSettings, outputSettings, shardSettings } from '../command-line/common-settings.js';
import { parsePath } from '../command-line/parse-own-values.js';

/** `dep-ctrl bind`. */
export const bindCommand = defineCommand({
  name: 'bind',
  about:
    'Bind provider workspaces to dep-ctrl, accept its one permission claim, and let the webhook read what they export. Run it again when a provider exports another type.',
  operands: 'PATH...',
  isSafeToRepeat: true,
  settings: {
    ...connectionSettings,
    ...homeSettings,
    ...shardSettings('lets the webhook read the types of these workspaces there'),
    rulesAreBack: toggle(
      '--rules-are-back',
      'after the workspace of dep-ctrl was lost: say that all rules about these workspaces are back, so that deletes there are judged by them',
    ),
    ...outputSettings,
    ...logSettings,
  },
  examples: [
    'dep-ctrl bind root:providers:network root:providers:compute --shard-kubeconfig admin.kubeconfig',
    'dep-ctrl bind root:providers:network --shard-kubeconfig root.kubeconfig --shard-kubeconfig shard-1.kubeconfig',
  ],
  check: (values, operands) => {
    const paths = parsePaths(operands);
    return paths.ok ? parsed({ ...values, paths: paths.value }) : paths;
  },
  run: runBind,
});

function parsePaths(operands: readonly string[]): Parsed<readonly WorkspacePath[]> {
  if (operands.length === 0) return notParsed('PATH is missing: give the workspaces to bind, such as root:providers:network');
  const paths: WorkspacePath[] = [];
  for (const operand of operands) {
    const path = parsePath(operand);
    if (!path.ok) return notParsed(`PATH must be ${path.problem}, not ${JSON.stringify(operand)}`);
    paths.push(path.value);
  }
  return parsed(paths);
}
