import { parse, stringify } from 'yaml';
import type { ReaderAccess } from './review-reader.js';

interface Kubeconfig {
  readonly clusters: readonly { readonly name: string; readonly cluster: Readonly<Record<string, string>> }[];
  readonly users: readonly { readonly name: string; readonly user: Readonly<Record<string, string>> }[];
  readonly contexts: readonly { readonly name: string; readonly context: { readonly cluster: string; readonly user: string } }[];
}

/** The admin of a kcp, by the context `base` or `root` of its kubeconfig. Credentials in files are not understood: kcp's own has none. */
export interface KcpAdmin {
  readonly baseUrl: string;
  readonly access: ReaderAccess;
  /** The kubeconfig of one workspace. */
  kubeconfigFor(workspace: string): string;
}

/** Reads a kubeconfig as kcp and the embedded kcp write it. */
export function kcpAdmin(text: string): KcpAdmin {
  const { clusters, users, contexts } = parse(text) as Kubeconfig;
  const context = contexts.find(({ name }) => name === 'base') ?? contexts.find(({ name }) => name === 'root');
  const cluster = clusters.find(({ name }) => name === context?.context.cluster)?.cluster;
  const user = users.find(({ name }) => name === context?.context.user)?.user;
  if (cluster === undefined || user === undefined) throw new Error('the kubeconfig has no context base or root');
  const decoded = (data: string | undefined): string => Buffer.from(data ?? '', 'base64').toString();
  const baseUrl = (cluster['server'] ?? '').replace(/\/clusters\/.*$/, '');
  return {
    baseUrl,
    access: {
      ca: decoded(cluster['certificate-authority-data']),
      ...(user['token'] === undefined ? {} : { token: user['token'] }),
      ...(user['client-certificate-data'] === undefined
        ? {}
        : { cert: decoded(user['client-certificate-data']), key: decoded(user['client-key-data']) }),
    },
    kubeconfigFor: (workspace) =>
      stringify({
        apiVersion: 'v1',
        kind: 'Config',
        clusters: [{ name: 'kcp', cluster: { ...cluster, server: `${baseUrl}/clusters/${workspace}` } }],
        users: [{ name: 'admin', user }],
        contexts: [{ name: 'kcp', context: { cluster: 'kcp', user: 'admin' } }],
        'current-context': 'kcp',
      }),
  };
}
