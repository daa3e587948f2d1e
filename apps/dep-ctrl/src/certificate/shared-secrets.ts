// `all` makes a CA and the secret behind the URL tokens, and shares both with its replicas and later starts. Both are Secrets of the dep-ctrl workspace.
// The first replica that writes wins; the others use what they find.
import { randomBytes } from 'node:crypto';
import { isKcpError, type ClusterClient, type Stoppable } from '@dep-ctrl/kcp-client';
import type { GroupVersionResource, KubeObject } from '@dep-ctrl/kcp-names';
import { mintAuthority, type Authority } from '@dep-ctrl/admission-server';
import { getIfExists } from '@dep-ctrl/kcp-objects';
import { HOME_NAMESPACE, OWN_SECRETS } from '../bootstrap/manifests.js';
import { MANAGED_BY } from '../own-objects/configuration-labels.js';

/** Secrets of Kubernetes. */
export const SECRETS: GroupVersionResource = { group: '', version: 'v1', resource: 'secrets' };

/** The Secrets that hold the CA of the webhook's certificates, and the secret behind the URL tokens. */
export const [CA_SECRET, URL_TOKEN_SECRET] = OWN_SECRETS;

/** The name of the webhook in its certificates. */
export const WEBHOOK_NAME = 'dep-ctrl webhook';

/** The CA that all replicas share; made at the first start. */
export async function sharedAuthority(depCtrlWorkspace: ClusterClient, nowMs: number, options: Stoppable): Promise<Authority> {
  const data = await shared(depCtrlWorkspace, CA_SECRET, ['tls.crt', 'tls.key'], options, async () => {
    const { certificate, key } = await mintAuthority(nowMs, WEBHOOK_NAME);
    return { 'tls.crt': certificate, 'tls.key': key };
  });
  return { certificate: data['tls.crt'] ?? '', key: data['tls.key'] ?? '' };
}

/** The text of the URL token file that all replicas share; made at the first start. */
export async function sharedUrlTokenText(depCtrlWorkspace: ClusterClient, options: Stoppable): Promise<string> {
  const data = await shared(depCtrlWorkspace, URL_TOKEN_SECRET, ['token'], options, () =>
    Promise.resolve({ token: `${randomBytes(32).toString('base64url')}\n` }),
  );
  return data['token'] ?? '';
}

type Texts = Readonly<Record<string, string>>;

async function shared(
  client: ClusterClient,
  name: string,
  keys: readonly string[],
  options: Stoppable,
  make: () => Promise<Texts>,
): Promise<Texts> {
  let made: Texts | undefined;
  for (;;) {
    const found = await getIfExists(client, SECRETS, { name, namespace: HOME_NAMESPACE }, options);
    const texts = found === undefined ? undefined : textsOf(found);
    if (texts !== undefined && keys.every((key) => (texts[key] ?? '') !== '')) return texts;
    made ??= await make();
    try {
      // Bootstrap leaves the Secret empty, so that filling it needs no right to create Secrets.
      if (found === undefined) await client.create(SECRETS, secret(name, made), options);
      else await client.replace(SECRETS, { ...found, data: secret(name, made)['data'] }, options);
      return made;
    } catch (error) {
      const raced = isKcpError(error, 'conflict', 'already-exists');
      if (!raced) throw new Error(`cannot keep the Secret "${HOME_NAMESPACE}/${name}" in the dep-ctrl workspace`, { cause: error });
    }
  }
}

function secret(name: string, texts: Texts): KubeObject {
  const data = Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString('base64')]));
  const labels = { [MANAGED_BY.label]: MANAGED_BY.value };
  return { apiVersion: 'v1', kind: 'Secret', type: 'Opaque', metadata: { name, namespace: HOME_NAMESPACE, labels }, data };
}

function textsOf(found: KubeObject): Texts {
  const data = (found['data'] ?? {}) as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, typeof value === 'string' ? Buffer.from(value, 'base64').toString('utf8') : '']),
  );
}
