/*
 * Checks whether the webhook may list a type, with a SubjectAccessReview in the workspace of the rule's author: rights on a shard hold in all of its
 * workspaces. At most one review per author and type in KEEP_MS. The number of kept answers is bounded, per author and in all. If kcp does not answer, the
 * last answer counts for one more turn; after that the grant is unknown.
 */
import {
  isKcpError,
  type ObjectClient,
  type Clock,
  type Connection,
  type KcpError,
  type Logger,
  type Stoppable,
} from '@dep-ctrl/kcp-client';
import { groupResourceKey, type GroupResource, type GroupVersionResource, type LogicalClusterName } from '@dep-ctrl/kcp-names';
import { WEBHOOK_ROLE } from '../../bootstrap/manifests.js';
import { ACCESS_REVIEWS, answerIn, mayList, type AskedFor, type ReviewAnswer } from '../../read-access/access-review.js';
import { grantFrom, type Grant } from './grant-answer.js';
import { webhookSubjects } from './webhook-subjects.js';

/** What `GrantChecks` needs. */
export interface GrantChecksDependencies {
  readonly connection: Pick<Connection, 'cluster'>;
  /** The dep-ctrl workspace. */
  readonly home: Pick<ObjectClient, 'get'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** How many answers are kept; absent: the usual bounds. */
  readonly most?: { readonly ofOneAuthor: number; readonly ofAll: number };
}

/** An answer, and for how long it counts. */
export interface CheckedGrant {
  readonly grant: Grant;
  readonly freshForMs: number;
}

interface Entry {
  readonly atMs: number;
  /** The answer of this time. */
  readonly answered: Promise<Grant>;
  readonly kept: Promise<KeptAnswer>;
}

interface KeptAnswer {
  readonly grant: Grant;
  readonly forMs: number;
}

/** A right that was taken away shows in the status of a rule within a minute. */
export const KEEP_MS = 50_000;
/** A missing right is often granted soon: asked again after this, and each time it is still missing after twice as long. */
export const KEEP_MISSING_MS = 5_000;
// A workspace has at most 100 rules in force, each about one type; twice that for types that change. An answer takes some 200 bytes.
const USUAL_BOUNDS = { ofOneAuthor: 200, ofAll: 20_000 };
const ANSWER_WITHIN_MS = 5_000;
// bootstrap writes one or two.
const MOST_SUBJECTS = 8;
const BINDINGS: GroupVersionResource = { group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'clusterrolebindings' };

/** Asks kcp and keeps the answers for a while. */
export class GrantChecks {
  readonly #dependencies: GrantChecksDependencies;
  readonly #most: { readonly ofOneAuthor: number; readonly ofAll: number };
  readonly #entries = new Map<LogicalClusterName, Map<string, Entry>>();
  #count = 0;
  #sweptAtMs = Number.NEGATIVE_INFINITY;
  #subjects: { readonly atMs: number; readonly read: Promise<readonly AskedFor[]> } | undefined;
  #isTold = false;

  constructor(dependencies: GrantChecksDependencies) {
    this.#dependencies = dependencies;
    this.#most = dependencies.most ?? USUAL_BOUNDS;
  }

  /** Whether the webhook may list the type in the workspace of the author. */
  async check(author: LogicalClusterName, type: GroupResource, { signal }: Stoppable): Promise<CheckedGrant> {
    const now = this.#dependencies.clock.monotonic();
    const key = groupResourceKey(type);
    const known = this.#entries.get(author)?.get(key);
    let kept: KeptAnswer | undefined;
    if (known !== undefined) {
      kept = await known.kept;
      if (now - known.atMs < kept.forMs) return { grant: kept.grant, freshForMs: kept.forMs - (now - known.atMs) };
      // Meanwhile somebody else has asked.
      if (this.#entries.get(author)?.get(key) !== known) return this.check(author, type, { signal });
    }
    if (known === undefined && !this.#hasRoomFor(author, now)) return { grant: 'unknown', freshForMs: KEEP_MS };
    const answered = this.#ask(author, type, signal);
    const isRecent = known !== undefined && now - known.atMs < 2 * KEEP_MS;
    const grant = answered.then((answer) => (answer === 'unknown' && isRecent ? known.answered : answer));
    const keptNow = grant.then((answer) => ({ grant: answer, forMs: answer === 'missing' ? keepMissingMs(kept) : KEEP_MS }));
    this.#keep(author, key, { atMs: now, answered, kept: keptNow });
    const { grant: found, forMs } = await keptNow;
    return { grant: found, freshForMs: forMs };
  }

  async #ask(author: LogicalClusterName, type: GroupResource, signal: AbortSignal): Promise<Grant> {
    const subjects = await this.#readSubjects(signal);
    return grantFrom(await Promise.all(subjects.map((subject) => this.#review(author, type, { subject, signal }))));
  }

  async #review(
    author: LogicalClusterName,
    type: GroupResource,
    { subject, signal }: { readonly subject: AskedFor; readonly signal: AbortSignal },
  ): Promise<ReviewAnswer> {
    try {
      const client = this.#dependencies.connection.cluster(author);
      return answerIn(await client.create(ACCESS_REVIEWS, mayList(subject, type), { signal, timeoutMs: ANSWER_WITHIN_MS }));
    } catch (error) {
      if (!isKcpError(error)) throw error;
      this.#tellOnce(error);
      return 'none';
    }
  }

  #readSubjects(signal: AbortSignal): Promise<readonly AskedFor[]> {
    const now = this.#dependencies.clock.monotonic();
    if (this.#subjects === undefined || now - this.#subjects.atMs >= KEEP_MISSING_MS) {
      this.#subjects = { atMs: now, read: this.#readSubjectsNow(signal) };
    }
    return this.#subjects.read;
  }

  async #readSubjectsNow(signal: AbortSignal): Promise<readonly AskedFor[]> {
    try {
      const binding = await this.#dependencies.home.get(BINDINGS, { name: WEBHOOK_ROLE }, { signal, timeoutMs: ANSWER_WITHIN_MS });
      return webhookSubjects(binding).slice(0, MOST_SUBJECTS);
    } catch (error) {
      if (!isKcpError(error)) throw error;
      this.#tellOnce(error);
      return [];
    }
  }

  /** Logged once: an installation without bootstrap's rights does not need these checks. Failures that pass are not logged. */
  #tellOnce(error: KcpError): void {
    if (this.#isTold || error.code !== 'forbidden') return;
    this.#isTold = true;
    this.#dependencies.logger.info('rule statuses cannot show whether the webhook may read the dependents', {
      problem: error.message,
      fix: 'dep-ctrl bootstrap with --shard-kubeconfig once per shard grants the controller what it takes to ask',
    });
  }

  #hasRoomFor(author: LogicalClusterName, now: number): boolean {
    const own = this.#entries.get(author);
    const { ofOneAuthor, ofAll } = this.#most;
    if (own !== undefined && own.size >= ofOneAuthor) this.#dropOld(author, own, now);
    if (this.#count >= ofAll) this.#sweep(now);
    return (own?.size ?? 0) < ofOneAuthor && this.#count < ofAll;
  }

  /** Drops old answers of all authors, at most once a second. */
  #sweep(now: number): void {
    if (now - this.#sweptAtMs < 1_000) return;
    this.#sweptAtMs = now;
    for (const [author, own] of this.#entries) this.#dropOld(author, own, now);
  }

  #dropOld(author: LogicalClusterName, own: Map<string, Entry>, now: number): void {
    for (const [key, { atMs }] of own) {
      if (now - atMs < KEEP_MS) continue;
      own.delete(key);
      this.#count -= 1;
    }
    if (own.size === 0) this.#entries.delete(author);
  }

  #keep(author: LogicalClusterName, key: string, entry: Entry): void {
    const own = this.#entries.get(author) ?? new Map<string, Entry>();
    this.#entries.set(author, own);
    if (!own.has(key)) this.#count += 1;
    own.set(key, entry);
  }
}

function keepMissingMs(before: KeptAnswer | undefined): number {
  return before?.grant === 'missing' ? Math.min(KEEP_MS, 2 * before.forMs) : KEEP_MISSING_MS;
}
