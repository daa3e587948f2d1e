import { optional, parseChoice, parseText } from '@dep-ctrl/command-settings';

/** How a command finds its kcp. */
export const connectionSettings = {
  kubeconfig: optional({
    flag: '--kubeconfig',
    value: 'FILE',
    about: 'kubeconfig of the kcp; without it KUBECONFIG, then the Pod this runs in',
    parse: parseText,
  }),
  context: optional({ flag: '--context', value: 'NAME', about: 'context of the kubeconfig instead of its current one', parse: parseText }),
};

/** How a command logs; both are to stderr. */
export const logSettings = {
  logFormat: optional({
    flag: '--log-format',
    value: 'FORMAT',
    about: 'text or json; without it text on a terminal, json otherwise',
    parse: parseChoice('text', 'json'),
  }),
  logLevel: optional({
    flag: '--log-level',
    value: 'LEVEL',
    about: 'debug, info, warn or error; the default is info, for commands that end by themselves warn',
    parse: parseChoice('debug', 'info', 'warn', 'error'),
  }),
};

/** How a command prints its result. */
export const outputSettings = {
  output: optional({
    flag: '--output',
    short: '-o',
    value: 'FORMAT',
    about: 'print the result as json or yaml instead of text for people',
    parse: parseChoice('json', 'yaml'),
  }),
};
