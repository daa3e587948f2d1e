// Calls the installed webhook from here: a TLS handshake as kcp makes it, and a GET on the URL of each workspace. The webhook refuses a GET with 404 if the
// token in the URL is wrong, and with 405 if it is right. Only the address in the workspace of dep-ctrl is called: whoever is admin of a guarded workspace
// may write any other one into its configuration, and this process stands where that admin does not.
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
// Of the CA bundles that the address is named with, those that are named most, and that in the workspace of dep-ctrl.
const MOST_BUNDLES = 8;

/** Where reviews of deletions are posted, if the configuration in the workspace of dep-ctrl is this one. Undefined: it names none. */
export function webhookAddress(admission: KubeObject | undefined): string | undefined {
  const [own] = installedUrls(admission === undefined ? [] : [admission]);
  return own && `${new URL(own.url).origin}/validate`;
}

/** Whether a URL leads to that address. */
export function leadsTo(address: string, { url }: InstalledUrl): boolean {
  return new URL(url).href.startsWith(address);
}

/** Asks the webhook that the configuration in the workspace of dep-ctrl names, once with each CA bundle, and each of its URLs. */
export async function readWebhooks(
  admission: KubeObject | undefined,
  configurations: readonly KubeObject[],
  options: Options,
): Promise<readonly WebhookFacts[]> {
  const address = webhookAddress(admission);
  if (admission === undefined || address === undefined) return [];
  const groups = new Map<string, InstalledUrl[]>();
  for (const each of [...installedUrls([admission]), ...installedUrls(configurations).filter((one) => leadsTo(address, one))]) {
    const key = each.caBundle ?? '';
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  const [own, ...others] = groups.values();
  const most = others.toSorted((a, b) => b.length - a.length).slice(0, MOST_BUNDLES - 1);
  return Promise.all([own ?? [], ...most].map((urls) => readWebhook(urls, options)));
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
    ...(await askAll(asked, signal)),
  };
}

async function askAll(
  urls: readonly InstalledUrl[],
  signal: AbortSignal,
): Promise<Required<Pick<WebhookFacts, 'refusedTokens' | 'versions'>>> {
  const refused: LogicalClusterName[] = [];
  const versions = new Set<string>();
  for (let at = 0; at < urls.length; at += AT_A_TIME) {
    await Promise.all(
      urls.slice(at, at + AT_A_TIME).map(async ({ cluster, url }) => {
        const answer = await headOf(url, signal);
        if (answer?.status === 404) refused.push(cluster);
        if (answer?.version !== undefined) versions.add(answer.version);
      }),
    );
  }
  return { refusedTokens: refused.toSorted(), versions: [...versions].toSorted() };
}

/**
 * What the webhook answers a GET, over a connection of its own: 404 where it does not accept the URL. Undefined: no answer. Believes any certificate, so
 * only URLs may be asked of which the token is or will be in a configuration.
 */
export async function statusOf(url: string, signal: AbortSignal): Promise<number | undefined> {
  return (await headOf(url, signal))?.status;
}

interface AnswerHead {
  readonly status: number | undefined;
  /** The version of dep-ctrl that answered. */
  readonly version: string | undefined;
}

const OWN_PRODUCT = /^dep-ctrl\/([\w.+-]{1,64})$/;

async function headOf(url: string, signal: AbortSignal): Promise<AnswerHead | undefined> {
  const asked = request(url, { agent: false, rejectUnauthorized: false, signal: AbortSignal.any([signal, AbortSignal.timeout(PEEK_MS)]) });
  asked.on('error', () => undefined);
  asked.end();
  try {
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    answer.destroy();
    return { status: answer.statusCode, version: OWN_PRODUCT.exec(String(answer.headers['server'] ?? ''))?.[1] };
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}
