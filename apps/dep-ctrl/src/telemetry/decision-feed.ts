// The latest decisions of one webhook process, for the console. A client that knows the secret behind the URL tokens may read them: they name objects of
// all consumers. Without a secret there is no feed. The user who asked for a delete is personal data, and is in the debug log alone.
import type { PlainQuestion, ReviewReply, UrlSecrets } from '@dep-ctrl/admission-server';
import type { WorkspacePath } from '@dep-ctrl/kcp-names';
import { isFeedTokenAccepted } from '../url-tokens/url-tokens.js';
import { decideAtOnce } from '../webhook/decision/decide-at-once.js';
import type { Decision } from '../webhook/decision/decide-deletion.js';
import type { DecidedReview } from '../webhook/decision/review-observer.js';
import type { ReviewMode } from '../webhook/decision/review-target.js';

/** Where the webhook serves it, beside its reviews. */
export const FEED_PATH = '/decisions';

/** One decision about a delete. */
export interface FedDecision {
  /** Counts up within the process. */
  readonly number: number;
  /** RFC 3339, by the clock of the webhook. */
  readonly at: string;
  readonly verdict: Decision['verdict'];
  readonly because: Decision['because'];
  readonly mode: ReviewMode;
  /** Decided without looking anything up: what it says of the object is the caller's word. Absent: an earlier version of the webhook told it. */
  readonly isAtOnce?: boolean;
  /** The guarded workspace at whose URL the webhook was called, by path if that is known. */
  readonly guarded?: string;
  readonly cluster: string;
  /** Absent: the webhook does not know it. */
  readonly path?: string;
  readonly group: string;
  readonly resource: string;
  readonly namespace?: string;
  readonly name: string;
  readonly isDryRun: boolean;
  /** What the caller was told: the refusal, or the warnings. */
  readonly message: string;
  readonly durationMs: number;
}

/** What the feed answers. */
export interface FeedAnswer {
  /** Another one for each start of each replica. */
  readonly process: string;
  /** The latest ones, oldest first. */
  readonly decisions: readonly FedDecision[];
}

/** What {@link DecisionFeed} needs. */
export interface DecisionFeedDependencies {
  readonly process: string;
  /** Undefined: no client may read the feed. */
  readonly secrets: { current(): UrlSecrets } | undefined;
  readonly pathOf: (cluster: string) => WorkspacePath | undefined;
  readonly now: () => number;
}

// Of 300 to 600 bytes each; a hostile one has up to 10 KB.
const MOST = 500;
const MOST_CHARACTERS = 500;

interface Entry {
  readonly guarded: string;
  readonly decision: FedDecision;
}

/**
 * Hears of every decision, keeps the latest. Where there are too many, the guarded workspace that holds most of them gives up its oldest one, and of that
 * workspace the consumer that holds most: who deletes without end, or posts reviews to its own URL, pushes out its own. The log has them all.
 */
export class DecisionFeed {
  readonly #dependencies: DecisionFeedDependencies;
  #latest: readonly Entry[] = [];
  #count = 0;

  constructor(dependencies: DecisionFeedDependencies) {
    this.#dependencies = dependencies;
  }

  decided({ target, review, decision, answer, durationMs }: DecidedReview): void {
    const { secrets, pathOf, now } = this.#dependencies;
    if (review.kind !== 'deletion' || secrets === undefined) return;
    const { subject, isDryRun } = review.request;
    const { cluster, group, resource, namespace, name } = subject;
    const path = pathOf(cluster);
    const guarded = target.guardedCluster ?? '';
    this.#count += 1;
    const told: FedDecision = {
      number: this.#count,
      at: new Date(now()).toISOString(),
      verdict: decision.verdict,
      because: decision.because,
      mode: target.mode,
      isAtOnce: decideAtOnce(review, target.mode) !== undefined,
      ...(guarded === '' ? {} : { guarded: pathOf(guarded) ?? guarded }),
      cluster,
      ...(path === undefined ? {} : { path }),
      group,
      resource,
      ...(namespace === undefined ? {} : { namespace }),
      name,
      isDryRun,
      message: (answer.allowed ? answer.warnings.join('; ') : answer.status.message).slice(0, MOST_CHARACTERS),
      durationMs: Math.round(durationMs * 10) / 10,
    };
    this.#latest = fairly([...this.#latest, { guarded, decision: told }]);
  }

  /** The page of the feed; undefined for everything else. A wrong login is told nothing, not even that there is a feed. */
  answer({ url, authorization = '' }: PlainQuestion): ReviewReply | undefined {
    const secrets = this.#dependencies.secrets?.current();
    const [, presented] = /^Bearer ([\w-]{1,100})$/.exec(authorization) ?? [];
    if (url !== FEED_PATH || secrets === undefined || presented === undefined) return undefined;
    if (!isFeedTokenAccepted(secrets, presented)) return undefined;
    const answer: FeedAnswer = { process: this.#dependencies.process, decisions: this.#latest.map(({ decision }) => decision) };
    return { code: 200, contentType: 'application/json', body: JSON.stringify(answer) };
  }
}

/** Without one entry, if there are too many. */
function fairly(entries: readonly Entry[]): readonly Entry[] {
  if (entries.length <= MOST) return entries;
  const guarded = mostFrequent(entries.map((entry) => entry.guarded));
  const consumer = mostFrequent(entries.flatMap((entry) => (entry.guarded === guarded ? [entry.decision.cluster] : [])));
  const at = entries.findIndex((entry) => entry.guarded === guarded && entry.decision.cluster === consumer);
  return entries.toSpliced(at, 1);
}

function mostFrequent(texts: readonly string[]): string {
  const counted = new Map<string, number>();
  for (const text of texts) counted.set(text, (counted.get(text) ?? 0) + 1);
  return [...counted].reduce((most, each) => (each[1] > most[1] ? each : most), ['', 0])[0];
}
