import { parseWorkspacePath, type WorkspacePath } from '@dep-ctrl/kcp-names';

/** The workspaces of `dep-ctrl dev`, and the contexts of its kubeconfig. */
export const DEV_PATHS = {
  depCtrl: path('root:dep-ctrl'),
  network: path('root:providers:network'),
  compute: path('root:providers:compute'),
  teamA: path('root:teams:team-a'),
  teamB: path('root:teams:team-b'),
} as const;

/** Workspaces that only hold others. */
export const DEV_PARENTS: readonly WorkspacePath[] = [path('root:providers'), path('root:teams')];

/** Context name -> workspace, in the order in which the kubeconfig lists them. */
export const DEV_CONTEXTS: ReadonlyMap<string, WorkspacePath> = new Map([
  ['root', path('root')],
  ['dep-ctrl', DEV_PATHS.depCtrl],
  ['network', DEV_PATHS.network],
  ['compute', DEV_PATHS.compute],
  ['team-a', DEV_PATHS.teamA],
  ['team-b', DEV_PATHS.teamB],
]);

function path(text: string): WorkspacePath {
  const parsed = parseWorkspacePath(text);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.value;
}
