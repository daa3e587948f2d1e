import { optional, parseChoice, parseText, repeated, withDefault } from '@dep-ctrl/command-settings';
import { parsePath } from './parse-own-values.js';

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

/** The workspace of dep-ctrl. */
export const homeSettings = {
  workspace: withDefault({ flag: '--workspace', value: 'PATH', about: 'workspace of dep-ctrl', parse: parsePath }, 'root:dep-ctrl'),
};

/** The same for commands whose --workspace is another one. */
export const otherHomeSettings = {
  depCtrlWorkspace: withDefault(
    { flag: '--dep-ctrl-workspace', variable: 'DEP_CTRL_WORKSPACE', value: 'PATH', about: 'workspace of dep-ctrl', parse: parsePath },
    'root:dep-ctrl',
  ),
};

/** The admins of shards; `purpose`: what is done with their rights. */
export function shardSettings(purpose: string) {
  const about = `admin kubeconfig of a shard, once per shard: ${purpose}`;
  return { shardKubeconfigs: repeated({ flag: '--shard-kubeconfig', value: 'FILE', about, parse: parseText }) };
}

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
    about: 'debug, info, warn or error; the default is info for controller, webhook and all, error for other commands',
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
