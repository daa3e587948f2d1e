import { notParsed, parsed, type Parsed } from '@dep-ctrl/kcp-names';
import { optional, parseCount, parsePort, parseText, toggle, type ValuesOf, withDefault } from '@dep-ctrl/command-settings';
import type { DevSettings } from './run-dev.js';
import { logSettings } from '../command-line/common-settings.js';

/** Flags of `dev`. */
export const devSettings = {
  dir: withDefault(
    { flag: '--dir', value: 'DIR', about: 'folder for admin.kubeconfig, which is there while the embedded kcp runs', parse: parseText },
    '.dep-ctrl',
  ),
  port: optional({
    flag: '--port',
    value: 'PORT',
    about: 'port of the embedded kcp, 6443 unless given; 0 picks a free one',
    parse: parsePort,
  }),
  shards: optional({ flag: '--shards', value: 'N', about: 'shards of the embedded kcp, 1 unless given', parse: parseCount(1) }),
  once: toggle('--once', 'exit after the story; 0 only if every step was as it should be'),
  empty: toggle('--empty', 'no story: a kcp with dep-ctrl in it and nothing else'),
  against: optional({
    flag: '--against',
    value: 'KUBECONFIG',
    about: 'tell the story on this kcp instead, as its admin, and clean up afterwards',
    parse: parseText,
  }),
  context: optional({ flag: '--context', value: 'NAME', about: 'context of the kubeconfig given with --against', parse: parseText }),
  adopt: toggle('--adopt', 'with --against: use workspaces of the same names that exist already, and leave them'),
  ...logSettings,
};

/** The settings of `dev`, or which flags do not go together. */
export function checkDev({ port, shards, against, context, adopt, ...rest }: ValuesOf<typeof devSettings>): Parsed<DevSettings> {
  if (rest.once && rest.empty) return notParsed('--once and --empty exclude each other: without a story there is nothing to exit after');
  if (against === undefined) {
    if (context !== undefined) return notParsed('--context needs --against: the embedded kcp has no kubeconfig to choose from');
    if (adopt) return notParsed('--adopt needs --against: the embedded kcp is always new');
    return parsed({ ...rest, kcp: { kind: 'embedded', port: port ?? 6443, shards: shards ?? 1 } });
  }
  if (port !== undefined) return notParsed('--port belongs to the embedded kcp: leave it out with --against');
  if (shards !== undefined) return notParsed('--shards belongs to the embedded kcp: leave it out with --against');
  return parsed({ ...rest, kcp: { kind: 'given', kubeconfig: against, context, adopt } });
}
