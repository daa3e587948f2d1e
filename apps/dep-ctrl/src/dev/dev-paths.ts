import { workspacePath, type WorkspacePath } from '@dep-ctrl/kcp-names';

/** The workspaces of `dep-ctrl dev`, and the contexts of its kubeconfig. */
export const DEV_PATHS = {
  depCtrl: workspacePath('root:dep-ctrl'),
  network: workspacePath('root:providers:network'),
  compute: workspacePath('root:providers:compute'),
  teamA: workspacePath('root:teams:team-a'),
  teamB: workspacePath('root:teams:team-b'),
} as const;

/** Workspaces that only hold others. */
export const DEV_PARENTS: readonly WorkspacePath[] = [workspacePath('root:providers'), workspacePath('root:teams')];

/** Context name -> workspace, in the order in which the kubeconfig lists them. */
export const DEV_CONTEXTS: ReadonlyMap<string, WorkspacePath> = new Map([
  ['root', workspacePath('root')],
  ['dep-ctrl', DEV_PATHS.depCtrl],
  ['network', DEV_PATHS.network],
  ['compute', DEV_PATHS.compute],
  ['team-a', DEV_PATHS.teamA],
  ['team-b', DEV_PATHS.teamB],
]);
