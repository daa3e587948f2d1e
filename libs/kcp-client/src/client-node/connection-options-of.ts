import type { KubeConfig } from '@kubernetes/client-node';
import { elements, record, recordAt, type Parsed } from '@dep-ctrl/kcp-names';
import { AuthProvider } from '../kubeconfig/auth-provider.js';
import { loadWith, type KubeconfigQuery, type LoadedKubeconfig } from '../kubeconfig/load-kubeconfig.js';

/** How to take over a KubeConfig: the options of `loadKubeconfig` that do not say where a kubeconfig is. */
export type KubeConfigOptions = Omit<KubeconfigQuery, 'file' | 'object' | 'serviceAccountFolder'>;

/**
 * A KubeConfig of client-node as options of a Connection. Its auth-providers stay with it, authenticators that were added to it too; files, certificates,
 * tokens and exec plugins are read as `loadKubeconfig` reads them. What a KubeConfig does not keep is not there to be taken over: `tokenFile`,
 * `as-groups`, `as-uid` and `as-user-extra` of a user, and the kubeconfig file as one that may change.
 */
export function connectionOptionsOf(kubeConfig: KubeConfig, options: KubeConfigOptions = {}): Parsed<LoadedKubeconfig> {
  const object: unknown = JSON.parse(kubeConfig.exportConfig());
  return loadWith(
    { ...options, object: withTokenFiles(object) },
    (_provider, contextName) => new AuthProvider(inContext(kubeConfig, contextName)),
  );
}

/** The same KubeConfig in one context, whichever its owner makes the current one later. */
function inContext(kubeConfig: KubeConfig, currentContext: string): KubeConfig {
  return Object.create(kubeConfig, { currentContext: { value: currentContext } }) as KubeConfig;
}

/** In a Pod, client-node keeps the token file as an auth-provider of its own, which reads it once a minute. Read as a token file, it is followed. */
function withTokenFiles(kubeconfig: unknown): unknown {
  const config = record(kubeconfig) ?? {};
  return { ...config, users: elements(config['users']).map(withTokenFile) };
}

function withTokenFile(entry: unknown): unknown {
  const named = record(entry) ?? {};
  const { 'auth-provider': provider, ...user } = recordAt(named, 'user');
  const { tokenFile } = recordAt(record(provider) ?? {}, 'config');
  return tokenFile === undefined ? entry : { ...named, user: { ...user, tokenFile } };
}
