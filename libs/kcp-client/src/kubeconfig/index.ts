export { loadKubeconfig, type KubeconfigQuery, type LoadedKubeconfig } from './load-kubeconfig.js';
export { withWorkspaceContexts } from './workspace-contexts.js';
