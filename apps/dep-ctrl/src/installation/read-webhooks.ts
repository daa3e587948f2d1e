// Calls the installed webhooks from here: a TLS handshake as kcp makes it, and a GET on the URL of each workspace. The webhook refuses a GET with 404 if the
// token in the URL is wrong, and with 405 if it is right.
import { request } from 'node:https';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { clusterOf, elements, record, recordAt, text, type KubeObject, type LogicalClusterName } from '@dep-ctrl/kcp-names';
import type { WebhookFacts } from './facts.js';
import { peek, PEEK_MS } from './peek.js';

/** One URL that is installed somewhere. */
export interface InstalledUrl {
  readonly cluster: LogicalClusterName;
  readonly url: string;
  /** Base64 of PEM, as the object holds it. */
  readonly caBundle: string | undefined;
}

/** The URL of each configuration's first entry: the others differ in the last part only. Pure. */
export function installedUrls(configurations: readonly KubeObject[]): readonly InstalledUrl[] {
  return configurations.flatMap((configuration) => {
    const cluster = clusterOf(configuration);
    const [first] = elements(configuration['webhooks']);
    const client = recordAt(record(first) ?? {}, 'clientConfig');
    const [url, caBundle] = [text(client['url']), text(client['caBundle'])];
    if (!cluster.ok || url === undefined || !URL.canParse(url)) return [];
    return [{ cluster: cluster.value, url, caBundle: caBundle === '' ? undefined : caBundle }];
  });
}

interface Options {
  readonly now: () => number;
  readonly signal: AbortSignal;
}

// A handshake each: as many as a person waits for.
const MOST_URLS = 200;
const AT_A_TIME = 8;
// Whoever is admin of a guarded workspace may write any address into its configuration, and this process then calls it: only these are, the ones that are
// named most.
const MOST_WEBHOOKS = 8;

/** Asks each webhook once, and each of its URLs. */
export async function readWebhooks(configurations: readonly KubeObject[], options: Options): Promise<readonly WebhookFacts[]> {
  const groups = new Map<string, InstalledUrl[]>();
  for (const each of installedUrls(configurations)) {
    const key = `${new URL(each.url).origin} ${each.caBundle ?? ''}`;
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  const named = [...groups.values()].toSorted((a, b) => b.length - a.length).slice(0, MOST_WEBHOOKS);
  return Promise.all(named.map((urls) => readWebhook(urls, options)));
}

async function readWebhook(urls: readonly InstalledUrl[], { now, signal }: Options): Promise<WebhookFacts> {
  const [{ url, caBundle } = { url: '', caBundle: undefined }] = urls;
  const { origin } = new URL(url);
  const pem = caBundle === undefined ? undefined : Buffer.from(caBundle, 'base64').toString('utf8');
  const seen = await peek({ url: `${origin}/`, ca: pem }, { now, signal });
  const asked = seen.state === 'answered' ? urls.slice(0, MOST_URLS) : [];
  return {
    origin,
    ...(pem === undefined ? {} : { caBundle: pem }),
    namedIn: urls.map(({ cluster }) => cluster),
    peek: seen,
    askedTokens: asked.map(({ cluster }) => cluster),
    refusedTokens: await refusedAmong(asked, signal),
  };
}

async function refusedAmong(urls: readonly InstalledUrl[], signal: AbortSignal): Promise<readonly LogicalClusterName[]> {
  const refused: LogicalClusterName[] = [];
  for (let at = 0; at < urls.length; at += AT_A_TIME) {
    await Promise.all(
      urls.slice(at, at + AT_A_TIME).map(async ({ cluster, url }) => {
        if ((await statusOf(url, signal)) === 404) refused.push(cluster);
      }),
    );
  }
  return refused.toSorted();
}

/**
 * What the webhook answers a GET, over a connection of its own: 404 where it does not accept the URL. Undefined: no answer. Believes any certificate, so
 * only URLs may be asked of which the token is or will be in a configuration.
 */
export async function statusOf(url: string, signal: AbortSignal): Promise<number | undefined> {
  const asked = request(url, { agent: false, rejectUnauthorized: false, signal: AbortSignal.any([signal, AbortSignal.timeout(PEEK_MS)]) });
  asked.on('error', () => undefined);
  asked.end();
  try {
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    answer.destroy();
    return answer.statusCode;
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}
