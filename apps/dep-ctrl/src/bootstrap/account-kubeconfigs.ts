// Kubeconfigs for the ServiceAccounts that bootstrap made: one per command, as `dep-ctrl <command> --kubeconfig` takes it.
import { join } from 'node:path';
import type { Clock, ClusterClient } from '@dep-ctrl/kcp-client';
import type { WorkspacePath } from '@dep-ctrl/kcp-names';
import { stringify } from 'yaml';
import { until } from '@dep-ctrl/kcp-objects';
import { makeFolder, replaceFile } from '@dep-ctrl/command-settings';
import type { Identities, Identity } from './identities.js';
import { HOME_NAMESPACE } from './manifests.js';
import { tokenSecretOf } from './plan-bootstrap.js';

/** Where the kubeconfigs point. */
export interface KubeconfigTarget {
  readonly baseUrl: string;
  readonly path: WorkspacePath;
  /** PEM of the CAs of the front-proxy and of the shards; absent where the system trusts them. */
  readonly ca: string | undefined;
}

const TOKEN_WITHIN_MS = 30_000;

/** Writes controller.kubeconfig, webhook.kubeconfig and all.kubeconfig, readable by the owner only. Returns the files. */
export async function writeAccountKubeconfigs(
  dir: string,
  { controller, webhook, all }: Identities,
  target: KubeconfigTarget,
  options: { readonly client: ClusterClient; readonly clock: Clock; readonly signal: AbortSignal },
): Promise<readonly string[]> {
  await makeFolder(dir);
  const files: string[] = [];
  for (const [command, identity] of Object.entries({ controller, webhook, ...(all === undefined ? {} : { all }) })) {
    const token = identity.kind === 'service-account' ? await tokenOf(identity.name, options) : undefined;
    const file = join(dir, `${command}.kubeconfig`);
    await replaceFile(file, printAccountKubeconfig(identity, target, token));
    files.push(file);
  }
  return files;
}

/** The kubeconfig of one identity. Without a token it names the user and leaves the credentials to be filled in. */
export function printAccountKubeconfig({ name }: Identity, { baseUrl, path, ca }: KubeconfigTarget, token: string | undefined): string {
  const trust = ca === undefined ? {} : { 'certificate-authority-data': Buffer.from(ca).toString('base64') };
  return stringify(
    {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'dep-ctrl',
      clusters: [{ name: 'dep-ctrl', cluster: { server: `${baseUrl}/clusters/${path}`, ...trust } }],
      contexts: [{ name: 'dep-ctrl', context: { cluster: 'dep-ctrl', user: name } }],
      users: [{ name, user: token === undefined ? {} : { token } }],
    },
    { lineWidth: 0 },
  );
}

async function tokenOf(
  account: string,
  { client, ...options }: { readonly client: ClusterClient; readonly clock: Clock; readonly signal: AbortSignal },
): Promise<string> {
  const ref = { name: tokenSecretOf(account), namespace: HOME_NAMESPACE };
  return until(
    `the token of ServiceAccount "${account}"`,
    async (each) => {
      const secret = await client.get({ group: '', version: 'v1', resource: 'secrets' }, ref, each);
      const { token } = (secret['data'] ?? {}) as { readonly token?: string };
      return token === undefined ? { waitingFor: 'kcp has not issued it yet' } : { done: Buffer.from(token, 'base64').toString('utf8') };
    },
    { ...options, timeoutMs: TOKEN_WITHIN_MS },
  );
}
