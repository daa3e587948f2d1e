// The decisions that webhooks remember. Each call may reach another replica: what several told is put together. The secret comes from the file that the
// caller names, or from the Secret that the caller may read. It is sent to one address only, and derived: that in the configuration of the dep-ctrl
// workspace itself. Configurations elsewhere are their workspaces' own, and could name anybody.
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { isKcpError, type ClusterClient } from '@dep-ctrl/kcp-client';
import { elements, record, recordAt, text, type WorkspacePath } from '@dep-ctrl/kcp-names';
import { parseUrlSecrets, type UrlSecret } from '@dep-ctrl/admission-server';
import { describeFailure } from '@dep-ctrl/command-settings';
import { getIfExists } from '@dep-ctrl/kcp-objects';
import { WEBHOOK_CONFIGURATIONS } from '@dep-ctrl/webhook-installer';
import { HOME_NAMESPACE } from '../bootstrap/manifests.js';
import { SECRETS, URL_TOKEN_SECRET } from '../certificate/shared-secrets.js';
import type { WorkspacePaths } from '../installation/workspace-paths.js';
import { ADMISSION_CONFIGURATION } from '../own-objects/admission-configuration.js';
import { FEED_PATH, type FedDecision, type FeedAnswer } from '../telemetry/decision-feed.js';
import { deriveFeedToken } from '../url-tokens/url-tokens.js';
import type { ReadFeed } from './pages/decisions-page.js';

/** What {@link FeedReader} needs. */
export interface FeedReaderDependencies {
  /** The workspace of dep-ctrl. */
  readonly home: ClusterClient;
  readonly paths: Pick<WorkspacePaths, 'find'>;
  readonly urlTokenFile: string | undefined;
}

const WITHIN_MS = 4_000;
// A feed that one hostile workspace has filled with the longest names has 5 MB.
const MOST_BYTES = 8 * 1024 * 1024;
// Those that answered last: a replica that starts again is another one.
const MOST_REPLICAS = 8;

/** Reads the feed, and remembers what replicas told last that do not answer this time. */
export class FeedReader {
  readonly #dependencies: FeedReaderDependencies;
  #known: Known = new Map();

  constructor(dependencies: FeedReaderDependencies) {
    this.#dependencies = dependencies;
  }

  async read(options: { readonly signal: AbortSignal }): Promise<ReadFeed> {
    try {
      const [address, secret] = await Promise.all([this.#address(options), this.#secret(options)]);
      this.#known = withAnswer(this.#known, await ask(address, deriveFeedToken(secret), options));
      const replicas = this.#known.size;
      const known = [...this.#known.values()].flat().toSorted((a, b) => compareTimes(b, a));
      // The workspaces of decisions at once may be made up. A few paths are found at a time: theirs last.
      const judgedFirst = known.toSorted((a, b) => Number(a.isAtOnce ?? false) - Number(b.isAtOnce ?? false));
      const paths = await this.#dependencies.paths.find(
        judgedFirst.map(({ cluster }) => cluster),
        options,
      );
      return { state: 'read', decisions: known.map((each) => withPath(each, paths.get(each.cluster))), replicas };
    } catch (error) {
      options.signal.throwIfAborted();
      return { state: 'unread', why: `The decisions cannot be read: ${describeFailure(error)}.` };
    }
  }

  async #address(options: { readonly signal: AbortSignal }): Promise<FeedAddress> {
    const { home } = this.#dependencies;
    const found = await getIfExists(home, WEBHOOK_CONFIGURATIONS, { name: ADMISSION_CONFIGURATION }, options);
    const client = recordAt(record(elements(found?.['webhooks'])[0]) ?? {}, 'clientConfig');
    const [url, caBundle] = [text(client['url']), text(client['caBundle'])];
    if (url === undefined || !URL.canParse(url)) {
      throw new Error(
        `no controller has written ${ADMISSION_CONFIGURATION} in the dep-ctrl workspace yet, which says where the webhook is`,
      );
    }
    return { url: `${new URL(url).origin}${FEED_PATH}`, ca: caBundle ? Buffer.from(caBundle, 'base64').toString('utf8') : undefined };
  }

  async #secret(options: { readonly signal: AbortSignal }): Promise<UrlSecret> {
    const { urlTokenFile } = this.#dependencies;
    const parsed = parseUrlSecrets(urlTokenFile === undefined ? await this.#sharedText(options) : await readFile(urlTokenFile, 'utf8'));
    if (parsed.ok) return parsed.value[0];
    const from = urlTokenFile ?? `the Secret ${HOME_NAMESPACE}/${URL_TOKEN_SECRET} in the dep-ctrl workspace`;
    throw new Error(`${from}: ${parsed.problem}; if the webhook runs with --url-token-file, give the same file to the console`);
  }

  async #sharedText(options: { readonly signal: AbortSignal }): Promise<string> {
    try {
      const found = await getIfExists(this.#dependencies.home, SECRETS, { name: URL_TOKEN_SECRET, namespace: HOME_NAMESPACE }, options);
      return Buffer.from(text(recordAt(found ?? {}, 'data')['token']) ?? '', 'base64').toString('utf8');
    } catch (error) {
      if (!isKcpError(error, 'forbidden')) throw error;
      const needed = `get on the Secret ${HOME_NAMESPACE}/${URL_TOKEN_SECRET} in the dep-ctrl workspace, which cluster-admin has there`;
      throw new Error(`role missing: ${needed}; or give --url-token-file the file that the webhook was started with`);
    }
  }
}

/** What each replica told last; at the end the one that answered last. */
type Known = ReadonlyMap<string, readonly FedDecision[]>;

/** With another answer. Nothing of one replica pushes out what another one told. Pure. */
export function withAnswer(known: Known, { process, decisions }: FeedAnswer): Known {
  const others = [...known].filter(([each]) => each !== process).slice(1 - MOST_REPLICAS);
  return new Map([...others, [process, decisions]]);
}

/** The webhook knows paths of providers; the caller may be shown others. */
function withPath(decision: FedDecision, path: WorkspacePath | undefined): FedDecision {
  return path === undefined ? decision : { ...decision, path };
}

interface FeedAddress {
  readonly url: string;
  readonly ca: string | undefined;
}

async function ask({ url, ca }: FeedAddress, token: string, { signal }: { readonly signal: AbortSignal }): Promise<FeedAnswer> {
  const asked = request(url, {
    // A connection of its own each time: what stands before the replicas then leads to each of them in turn.
    agent: false,
    headers: { authorization: `Bearer ${token}` },
    ...(ca === undefined ? {} : { ca }),
    allowPartialTrustChain: true, // as kcp, which is written in Go
    signal: AbortSignal.any([signal, AbortSignal.timeout(WITHIN_MS)]),
  });
  asked.end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw new Error(`${url} answers more than ${String(MOST_BYTES)} bytes`);
    chunks.push(chunk);
  }
  if (answer.statusCode === 404) {
    throw new Error(`${url} does not accept the token: the webhook has another secret, has none, or is of a version without decisions`);
  }
  if (answer.statusCode !== 200) throw new Error(`${url} answers with ${String(answer.statusCode)}`);
  const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  const told = parseFeed(body);
  if (told === undefined) throw new Error(`${url} answers with something else than decisions`);
  return told;
}

/** Undefined: it is no feed. A decision that another version tells otherwise is left out. */
export function parseFeed(body: unknown): FeedAnswer | undefined {
  const feed = record(body);
  const process = text(feed?.['process']);
  if (process === undefined || !Array.isArray(feed?.['decisions'])) return undefined;
  return { process, decisions: feed['decisions'].filter(isDecision) };
}

const TEXTS = [
  'at',
  'verdict',
  'because',
  'mode',
  'cluster',
  'group',
  'resource',
  'name',
  'message',
] as const satisfies readonly (keyof FedDecision)[];
const NUMBERS = ['number', 'durationMs'] as const satisfies readonly (keyof FedDecision)[];

function isDecision(value: unknown): value is FedDecision {
  const told = record(value);
  return (
    told !== undefined &&
    TEXTS.every((field) => typeof told[field] === 'string') &&
    NUMBERS.every((field) => typeof told[field] === 'number') &&
    typeof told['isDryRun'] === 'boolean' &&
    ['undefined', 'boolean'].includes(typeof told['isAtOnce']) &&
    ['undefined', 'string'].includes(typeof told['guarded']) &&
    ['undefined', 'string'].includes(typeof told['path']) &&
    ['undefined', 'string'].includes(typeof told['namespace'])
  );
}

function compareTimes(a: FedDecision, b: FedDecision): number {
  return a.at === b.at ? a.number - b.number : a.at < b.at ? -1 : 1;
}
