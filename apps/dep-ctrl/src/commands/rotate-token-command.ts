import { parsed } from '@dep-ctrl/kcp-names';
import { optional, parseDuration, parseText, withDefault } from '@dep-ctrl/command-settings';
import { connectionSettings, logSettings } from '../command-line/common-settings.js';
import { defineCommand } from '../command-line/define-command.js';
import { parsePath } from '../command-line/parse-own-values.js';
import { runRotateToken } from '../token-rotation/run-rotate-token.js';

/** `dep-ctrl rotate-token`. */
export const rotateTokenCommand = defineCommand({
  name: 'rotate-token',
  about:
    'Put another secret behind the webhook URLs, while both roles run: they accept the new one first, then every configuration gets a URL made by it, then the old one goes. No delete is refused for it, unless a workspace keeps its old URL. Safe to repeat.',
  exits:
    '0 the old secret is gone, and workspaces that kept an old URL are named on stderr; 1 not finished: both secrets are accepted; 2 wrong usage',
  isSafeToRepeat: true,
  settings: {
    ...connectionSettings,
    workspace: withDefault({ flag: '--workspace', value: 'PATH', about: 'workspace of dep-ctrl', parse: parsePath }, 'root:dep-ctrl'),
    urlTokenFile: optional({
      flag: '--url-token-file',
      value: 'FILE',
      about: 'the file that both roles read; without it the Secret default/dep-ctrl-url-token, which "all" keeps',
      parse: parseText,
    }),
    settleMs: withDefault(
      {
        flag: '--settle',
        value: 'DURATION',
        about: 'time for every process to read the new secret; give more if another tool copies the file to them',
        parse: parseDuration,
      },
      '30s',
    ),
    timeoutMs: withDefault(
      {
        flag: '--timeout',
        value: 'DURATION',
        about: 'how long each step may take after --settle; then workspaces with an old URL are skipped',
        parse: parseDuration,
      },
      '5m',
    ),
    ...logSettings,
  },
  examples: [
    'dep-ctrl rotate-token --kubeconfig admin.kubeconfig',
    'dep-ctrl rotate-token --kubeconfig admin.kubeconfig --url-token-file identities/url-token',
  ],
  check: (values) => parsed(values),
  run: (settings, world) => runRotateToken(settings, world),
});
