import { stringify } from 'yaml';

/** What one context of a kubeconfig says. */
export interface KubeconfigContext {
  readonly name: string;
  readonly server: string;
  readonly user: string;
}

/** How a user of a kubeconfig proves who it is. */
export type KubeconfigCredentials = { readonly token: string } | { readonly cert: string; readonly key: string };

/** A kubeconfig. The first context is the current one. */
export interface KubeconfigContent {
  readonly ca: string;
  readonly contexts: readonly KubeconfigContext[];
  readonly users: Readonly<Record<string, KubeconfigCredentials>>;
}

/** Prints a kubeconfig as YAML: one cluster per context, named like it, as kcp's own files do. */
export function printKubeconfig({ ca, contexts, users }: KubeconfigContent): string {
  return stringify(
    {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': contexts[0]?.name ?? '',
      clusters: contexts.map(({ name, server }) => ({ name, cluster: { server, 'certificate-authority-data': base64(ca) } })),
      contexts: contexts.map(({ name, user }) => ({ name, context: { cluster: name, user } })),
      users: Object.entries(users).map(([name, credentials]) => ({ name, user: printCredentials(credentials) })),
      preferences: {},
    },
    { lineWidth: 0 },
  );
}

function printCredentials(credentials: KubeconfigCredentials): Record<string, string> {
  if ('token' in credentials) return { token: credentials.token };
  return { 'client-certificate-data': base64(credentials.cert), 'client-key-data': base64(credentials.key) };
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
