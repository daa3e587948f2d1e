// The latest decisions of one webhook process, for the console. A client that knows the secret behind the URL tokens may read them: they name objects of
// all consumers. Without a secret there is no feed. The user who asked for a delete is personal data, and is in the debug log alone.
import type { PlainQuestion, ReviewReply, UrlSecrets } from '@dep-ctrl/admission-server';
import { entryOf, type WorkspacePath } from '@dep-ctrl/kcp-names';
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

/** The decisions of one guarded workspace, by consumer, the oldest first. */
interface Share {
  count: number;
  readonly consumers: Map<string, FedDecision[]>;
}

/**
 * Keeps the latest decisions. At the limit it drops the oldest decision of the largest consumer of the largest guarded workspace, so that a noisy workspace
 * loses only its own. The log has them all.
 */
export class DecisionFeed {
  readonly #dependencies: DecisionFeedDependencies;
  readonly #shares = new Map<string, Share>();
  #held = 0;
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
    this.#keep(guarded, told);
  }

  /** The page of the feed; undefined for everything else. A wrong login is told nothing, not even that there is a feed. */
  answer({ url, authorization = '' }: PlainQuestion): ReviewReply | undefined {
    const secrets = this.#dependencies.secrets?.current();
    const [, presented] = /^Bearer ([\w-]{1,100})$/.exec(authorization) ?? [];
    if (url !== FEED_PATH || secrets === undefined || presented === undefined) return undefined;
    if (!isFeedTokenAccepted(secrets, presented)) return undefined;
    const answer: FeedAnswer = { process: this.#dependencies.process, decisions: this.#latest() };
    return { code: 200, contentType: 'application/json', body: JSON.stringify(answer) };
  }

  #keep(guarded: string, decision: FedDecision): void {
    const share = entryOf(this.#shares, guarded, () => ({ count: 0, consumers: new Map<string, FedDecision[]>() }));
    entryOf(share.consumers, decision.cluster, () => []).push(decision);
    share.count += 1;
    this.#held += 1;
    if (this.#held > MOST) this.#dropOne();
  }

  #dropOne(): void {
    const [guarded, share] = largest(this.#shares, ({ count }) => count);
    const [consumer, decisions] = largest(share.consumers, ({ length }) => length);
    decisions.shift();
    share.count -= 1;
    this.#held -= 1;
    if (decisions.length === 0) share.consumers.delete(consumer);
    if (share.count === 0) this.#shares.delete(guarded);
  }

  #latest(): readonly FedDecision[] {
    const all = [...this.#shares.values()].flatMap(({ consumers }) => [...consumers.values()].flat());
    return all.toSorted((a, b) => a.number - b.number);
  }
}

/** The entry that is largest, of a map that has some. */
function largest<T>(of: ReadonlyMap<string, T>, sizeOf: (value: T) => number): readonly [string, T] {
  return [...of].reduce((most, each) => (sizeOf(each[1]) > sizeOf(most[1]) ? each : most));
}
