// What the roles need before they can start: the certificate of the webhook, the CA that kcp should trust, the secrets behind the URL tokens. They
// come from files, or from Secrets of the dep-ctrl workspace that `all` makes and shares.
import { readFile } from 'node:fs/promises';
import type { Clock, Logger, Runnable } from '@dep-ctrl/kcp-client';
import { FollowedCaBundle, StaticCaBundle, parseCertificates, type CaBundleSource } from '@dep-ctrl/webhook-installer';
import type { Home, UrlSecretsSource } from '../composition/tokens.js';
import { ownServingPair } from '../own-certificate/own-serving-pair.js';
import { sharedAuthority, sharedUrlTokenText } from '../own-certificate/shared-secrets.js';
import { checkPair, pairFromDirectory, type ReadServingPair } from '../webhook/serving-pair.js';
import { parseUrlSecrets, type UrlSecrets } from '../webhook/url-token.js';
import { UsageError } from './command.js';
import { describeFailure } from './describe-failure.js';
import type { ControllerSettings, RoleSettings, WebhookSettings } from './role-settings.js';

/** What the roles of a process are given. */
export interface Prepared {
  readonly urlSecrets: UrlSecretsSource;
  /** Absent when the webhook does not run here. */
  readonly readServingPair?: ReadServingPair;
  readonly caBundle: CaBundleSource;
  /** What keeps them up to date while the roles run. */
  readonly followers: readonly Runnable[];
}

interface Means {
  readonly roles: RoleSettings;
  readonly urlTokenFile?: string | undefined;
  readonly home: Home;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** Reads or makes everything once. Throws UsageError for a file that a flag names and that is not as it should be. */
export async function prepareRoles(means: Means): Promise<Prepared> {
  const { controller, webhook } = means.roles;
  const secrets = await readUrlSecrets(means);
  const urlSecrets = secrets === undefined ? undefined : () => secrets;
  if (webhook === undefined) return { urlSecrets, ...(await followCa(controller, means)) };
  if (webhook.tlsCertDir !== undefined) {
    const readServingPair = await servingPairFrom(webhook.tlsCertDir, means);
    return { urlSecrets, readServingPair, ...(await followCa(controller, means)) };
  }
  const authority = await sharedAuthority(means.home.workspace, means.clock.now(), means);
  const readServingPair = ownServingPair({ authority, hosts: hostsOf(webhook, controller), clock: means.clock });
  return { urlSecrets, readServingPair, caBundle: new StaticCaBundle(authority.certificate), followers: [] };
}

async function readUrlSecrets({ urlTokenFile, roles, home, signal }: Means): Promise<UrlSecrets | undefined> {
  if (urlTokenFile === undefined && (roles.controller === undefined || roles.webhook === undefined)) return undefined;
  const text =
    urlTokenFile === undefined
      ? await sharedUrlTokenText(home.workspace, { signal })
      : await readNamedFile('--url-token-file', urlTokenFile, signal);
  const secrets = parseUrlSecrets(text);
  if (secrets.ok) return secrets.value;
  if (urlTokenFile === undefined) throw new Error(`the Secret of the URL token cannot be used: ${secrets.problem}`);
  throw new UsageError(`--url-token-file ${JSON.stringify(urlTokenFile)}: ${secrets.problem}`);
}

async function servingPairFrom(directory: string, { signal }: Means): Promise<ReadServingPair> {
  const read = pairFromDirectory(directory);
  const problem = await read({ signal }).then(
    (pair) => {
      const checked = checkPair(pair);
      return checked.ok ? undefined : checked.problem;
    },
    (error: unknown) => describeFailure(error),
  );
  if (problem !== undefined) throw new UsageError(`--tls-cert-dir ${JSON.stringify(directory)} must hold tls.crt and tls.key: ${problem}`);
  return read;
}

async function followCa(
  controller: ControllerSettings | undefined,
  { clock, logger, signal }: Means,
): Promise<Pick<Prepared, 'caBundle' | 'followers'>> {
  const path = controller?.caBundlePath;
  if (path === undefined) return { caBundle: new StaticCaBundle(undefined), followers: [] };
  const certificates = parseCertificates(await readNamedFile('--webhook-ca-bundle-path', path, signal));
  if (!certificates.ok) throw new UsageError(`--webhook-ca-bundle-path ${JSON.stringify(path)} ${certificates.problem}`);
  const caBundle = new FollowedCaBundle({ read: (options) => readFile(path, { encoding: 'utf8', ...options }), clock, logger });
  return { caBundle, followers: [caBundle] };
}

async function readNamedFile(flag: string, path: string, signal: AbortSignal): Promise<string> {
  try {
    return await readFile(path, { encoding: 'utf8', signal });
  } catch (error) {
    throw new UsageError(`${flag} must be a file that can be read, not ${JSON.stringify(path)}`, { cause: error });
  }
}

function hostsOf({ host }: WebhookSettings, controller: ControllerSettings | undefined): readonly string[] {
  const named = controller?.webhookUrl === undefined ? [] : [new URL(controller.webhookUrl).hostname.replace(/^\[|\]$/g, '')];
  return [...new Set([...named, ...(host === undefined ? [] : [host]), '127.0.0.1', 'localhost'])];
}
