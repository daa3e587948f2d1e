import { parsed } from '@dep-ctrl/kcp-names';
import { optional, parseText, toggle, withDefault } from '@dep-ctrl/command-settings';
import { defineCommand } from '../command-line/define-command.js';
import { connectionSettings, logSettings } from '../command-line/common-settings.js';
import { parseLoopbackAddress, parsePath } from '../command-line/parse-own-values.js';
import { runConsole } from '../console/run-console.js';

/** `dep-ctrl console`. */
export const consoleCommand = defineCommand({
  name: 'console',
  about:
    'Serve a page on this machine that shows status, rules, the graph, decisions, whether a delete would be refused and what a teardown waits for, with the rights of the kubeconfig. Prints its address. Changes nothing.',
  exits: '0 it was stopped; 1 it could not listen; 2 wrong usage',
  settings: {
    ...connectionSettings,
    workspace: withDefault({ flag: '--workspace', value: 'PATH', about: 'workspace of dep-ctrl', parse: parsePath }, 'root:dep-ctrl'),
    address: withDefault(
      {
        flag: '--address',
        value: 'ADDRESS',
        about: 'where to serve it: an address of this machine alone; port 0 picks a free one',
        parse: parseLoopbackAddress,
      },
      '127.0.0.1:8090',
    ),
    open: toggle('--open', 'open it in the browser of this desktop'),
    urlTokenFile: optional({
      flag: '--url-token-file',
      value: 'FILE',
      about:
        'the file of that flag of the webhook, to show its decisions; without it the Secret default/dep-ctrl-url-token, where the kubeconfig may read that',
      parse: parseText,
    }),
    ...logSettings,
  },
  examples: [
    'dep-ctrl console --kubeconfig admin.kubeconfig --open',
    'dep-ctrl console --address :0 --url-token-file identities/url-token',
  ],
  check: (values) => parsed(values),
  run: (settings, world) => runConsole(settings, world),
});
