// The latest decisions of one webhook process, for the console. A client that knows the secret behind the URL tokens may read them: they name objects of
// all consumers. Without a secret there is no feed. The user who asked for a delete is personal data, and is in the debug log alone.
import type { PlainQuestion, ReviewReply, UrlSecrets } from '@dep-ctrl/admission-server';
import type { WorkspacePath } from '@dep-ctrl/kcp-names';
import { isFeedTokenAccepted } from '../url-tokens/url-tokens.js';
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

// Of 300 to 600 bytes each. A workspace that deletes much pushes others out: the log has them all.
const MOST = 500;
const MOST_CHARACTERS = 500;

/** Hears of every decision, keeps the latest. */
export class DecisionFeed {
  readonly #dependencies: DecisionFeedDependencies;
  readonly #latest: FedDecision[] = [];
  #count = 0;

  constructor(dependencies: DecisionFeedDependencies) {
    this.#dependencies = dependencies;
  }

  decided({ target, review, decision, answer, durationMs }: DecidedReview): void {
    if (review.kind !== 'deletion' || this.#dependencies.secrets === undefined) return;
    const { subject, isDryRun } = review.request;
    const { cluster, group, resource, namespace, name } = subject;
    const path = this.#dependencies.pathOf(cluster);
    this.#count += 1;
    if (this.#latest.length === MOST) this.#latest.shift();
    this.#latest.push({
      number: this.#count,
      at: new Date(this.#dependencies.now()).toISOString(),
      verdict: decision.verdict,
      because: decision.because,
      mode: target.mode,
      cluster,
      ...(path === undefined ? {} : { path }),
      group,
      resource,
      ...(namespace === undefined ? {} : { namespace }),
      name,
      isDryRun,
      message: (answer.allowed ? answer.warnings.join('; ') : answer.status.message).slice(0, MOST_CHARACTERS),
      durationMs: Math.round(durationMs * 10) / 10,
    });
  }

  /** The page of the feed; undefined for everything else. A wrong login is told nothing, not even that there is a feed. */
  answer({ url, authorization = '' }: PlainQuestion): ReviewReply | undefined {
    const secrets = this.#dependencies.secrets?.current();
    const [, presented] = /^Bearer ([\w-]{1,100})$/.exec(authorization) ?? [];
    if (url !== FEED_PATH || secrets === undefined || presented === undefined) return undefined;
    if (!isFeedTokenAccepted(secrets, presented)) return undefined;
    const answer: FeedAnswer = { process: this.#dependencies.process, decisions: this.#latest };
    return { code: 200, contentType: 'application/json', body: JSON.stringify(answer) };
  }
}
