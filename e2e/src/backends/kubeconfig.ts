import { stringify } from 'yaml';
import type { KeyPair } from './pki.js';

/** One context of a kubeconfig to write. */
export interface ContextToWrite {
  readonly name: string;
  /** Absent: the reader fills it in, as kcp-front-proxy does for its shards. */
  readonly server?: string;
  readonly ca: string;
  readonly client: KeyPair;
}

/** A kubeconfig with one cluster and one user per context; the first context is the current one. */
export function kubeconfig(contexts: readonly [ContextToWrite, ...ContextToWrite[]]): string {
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': contexts[0].name,
    clusters: contexts.map(({ name, server, ca }) => ({
      name,
      cluster: { ...(server === undefined ? {} : { server }), 'certificate-authority-data': base64(ca) },
    })),
    users: contexts.map(({ name, client }) => ({
      name,
      user: { 'client-certificate-data': base64(client.cert), 'client-key-data': base64(client.key) },
    })),
    contexts: contexts.map(({ name }) => ({ name, context: { cluster: name, user: name } })),
  });
}

/** What kcp itself writes as admin.kubeconfig, with certificates in place of tokens: `root` is the current context. */
export function adminKubeconfig(url: string, ca: string, users: { readonly admin: KeyPair; readonly masters?: KeyPair }): string {
  const { admin, masters } = users;
  const privileged: readonly ContextToWrite[] =
    masters === undefined
      ? []
      : [
          { name: 'shard-base', server: url, ca, client: masters },
          { name: 'system:admin', server: `${url}/clusters/system:admin`, ca, client: masters },
        ];
  return kubeconfig([
    { name: 'root', server: `${url}/clusters/root`, ca, client: admin },
    { name: 'base', server: url, ca, client: admin },
    ...privileged,
  ]);
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
