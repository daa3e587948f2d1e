export { loadKubeconfig, type KubeconfigQuery, type LoadedKubeconfig } from './load-kubeconfig.js';
