// What Helm made at the installation stays at an upgrade: the URL token always, certificate and CA while they are for the same names. The embedded kcp
// stands for Kubernetes, whose Secrets it has.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedKcp } from '@dep-ctrl/embedded-kcp';
import { Connection } from '@dep-ctrl/kcp-client';
import { loadKubeconfig } from '@dep-ctrl/kcp-client/kubeconfig';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { parse } from 'yaml';
import { CHART, type Helm } from './helm.js';
import { objectsIn } from './kept-renderings.js';

const VALUES = join(CHART, 'tests/apart.values.yaml');
const SECRETS = { group: '', version: 'v1', resource: 'secrets' } as const;

/** What changes at an upgrade and should not, or the other way round; one line each. */
export async function upgradeProblems(helm: Helm): Promise<readonly string[]> {
  const kcp = await EmbeddedKcp.start({ shards: 1, delays: 0 });
  const dir = await mkdtemp(join(tmpdir(), 'dep-ctrl-upgrade-'));
  try {
    const kubeconfig = join(dir, 'admin.kubeconfig');
    await writeFile(kubeconfig, kcp.kubeconfig());
    const rendered = async (...more: readonly string[]): Promise<ReadonlyMap<string, string>> =>
      secretsIn(await helm.renderOn(kubeconfig, VALUES, ...more));
    const installed = await rendered();
    await create(kcp.kubeconfig(), [...installed.values()]);
    const upgraded = await rendered();
    const moved = await rendered('--set', 'webhook.url=https://elsewhere.example.com');
    const wanted: readonly (readonly [boolean, string])[] = [
      [installed.size === 2, 'an installation makes two Secrets'],
      [[...installed].every(([name, secret]) => upgraded.get(name) === secret), 'an upgrade keeps the Secrets that Helm made'],
      [moved.get(TOKEN) === installed.get(TOKEN), 'another URL keeps the URL token'],
      [moved.get(CERTIFICATE) !== installed.get(CERTIFICATE), 'another URL makes another certificate'],
    ];
    return wanted.filter(([isSo]) => !isSo).map(([, what]) => `${VALUES}: not so: ${what}`);
  } finally {
    await kcp.stop();
    await rm(dir, { recursive: true });
  }
}

const TOKEN = 'dep-ctrl-url-token';
const CERTIFICATE = 'dep-ctrl-webhook-tls';

function secretsIn(manifest: string): ReadonlyMap<string, string> {
  const secrets = objectsIn(manifest).filter(({ kind }) => kind === 'Secret');
  return new Map(secrets.map((secret) => [secret.metadata.name, JSON.stringify(secret)]));
}

async function create(kubeconfig: string, secrets: readonly string[]): Promise<void> {
  const loaded = loadKubeconfig({ object: parse(kubeconfig) as unknown });
  if (!loaded.ok) throw new Error(loaded.problem);
  const connection = new Connection(loaded.value);
  const { signal } = new AbortController();
  try {
    for (const secret of secrets)
      await connection.ownWorkspace().create(SECRETS, JSON.parse(secret) as KubeObject, { signal, fieldManager: 'helm' });
  } finally {
    await connection.close();
  }
}
