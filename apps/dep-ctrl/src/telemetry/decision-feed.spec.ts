import { describe, expect, it } from '@jest/globals';
import { parseUrlSecrets, type UrlSecrets } from '@dep-ctrl/admission-server';
import { deriveAdmissionToken, deriveFeedToken, deriveUrlToken } from '../url-tokens/url-tokens.js';
import type { DeletionRequest } from '../webhook/decision/admission-review.js';
import { decideAtOnce } from '../webhook/decision/decide-at-once.js';
import { decideDeletion, type Decision } from '../webhook/decision/decide-deletion.js';
import { answerOf } from '../webhook/decision/deny-message.js';
import type { Lookup } from '../webhook/decision/lookup.js';
import type { ReviewMode } from '../webhook/decision/review-target.js';
import { cluster, dependent, finding, listed, person, subject } from '../webhook/testing/builders.js';
import { DecisionFeed, FEED_PATH, type FeedAnswer } from './decision-feed.js';

const secrets = secretsOf('old-secret-of-the-test\nnew-secret-of-the-test');

const DELETION = { kind: 'deletion', envelope: { apiVersion: 'admission.k8s.io/v1', uid: 'u' } } as const;

describe(DecisionFeed, () => {
  it('given decisions, then whoever has the token reads them, the latest 500, and what callers were told', () => {
    const feed = feedWith(secrets);
    decide(feed, listed(dependent('my-vm')));
    decide(feed, listed());

    const { process, decisions } = read(feed);
    for (let at = 0; at < 600; at += 1) decide(feed, listed());

    expect(process).toBe('a-process');
    expect(decisions).toMatchObject([
      {
        number: 1,
        verdict: 'deny',
        because: 'in-use',
        resource: 'vpcs',
        message: expect.stringContaining('still referenced by VirtualMachine/my-vm'),
      },
      { number: 2, verdict: 'allow', because: 'no-dependents', message: '' },
    ]);
    expect(JSON.stringify(decisions)).not.toContain(person.username);
    const numbers = read(feed).decisions.map(({ number }) => number);
    expect([numbers.length, numbers[0], numbers.at(-1)]).toEqual([500, 103, 602]);
  });

  it('given a tenant that posts to its own bypass and handed-over URLs without end, then decisions of others stay, and its own are marked', () => {
    const feed = feedWith(secrets);
    for (let at = 0; at < 20; at += 1) decide(feed, listed(dependent('my-vm')), 'network');

    for (let at = 0; at < 1_000; at += 1) {
      post(feed, 'bypass', 'victim');
      post(feed, 'handed-over', `made-up-${String(at)}`);
    }

    const { decisions } = read(feed);
    expect(decisions).toHaveLength(500);
    expect(decisions.filter(({ guarded }) => guarded === 'network')).toHaveLength(20);
    expect(decisions.filter(({ guarded, isAtOnce }) => (guarded === 'evil') !== isAtOnce)).toEqual([]);
    expect(decisions.map(({ number }) => number)).toEqual(decisions.map(({ number }) => number).toSorted((a, b) => a - b));
  });

  it('given a consumer that deletes its own objects in a loop, then decisions about other consumers of the same provider stay', () => {
    const feed = feedWith(secrets);
    for (let at = 0; at < 20; at += 1) decide(feed, listed(), 'network', 'honest');

    for (let at = 0; at < 2_000; at += 1) decide(feed, listed(), 'network', 'looping');

    const { decisions } = read(feed);
    expect(['honest', 'looping'].map((name) => decisions.filter(({ cluster: each }) => each === name).length)).toEqual([20, 480]);
  });

  it('given many guarded workspaces, then each holds as much as any', () => {
    const feed = feedWith(secrets);
    const providers = [2_000, 300, 1_000, 50].map((many) => ({ many, name: `provider-${String(many)}` }));

    for (const { many, name } of providers) for (let at = 0; at < many; at += 1) decide(feed, listed(), name);

    const { decisions } = read(feed);
    expect(providers.map(({ name }) => decisions.filter(({ guarded }) => guarded === name).length)).toEqual([150, 150, 150, 50]);
  });

  it('given the token of any secret in force, then the feed opens; given another token, another address or no secret, then there is no such page', () => {
    const feed = feedWith(secrets);
    const login = (token: string) => ({ url: FEED_PATH, authorization: `Bearer ${token}` });
    const [first] = secrets;
    const others = [
      deriveUrlToken(first, cluster('network')),
      deriveAdmissionToken(first),
      '',
      'A'.repeat(43),
      `${deriveFeedToken(first)}A`,
    ];

    expect(secrets.map((secret) => feed.answer(login(deriveFeedToken(secret)))?.code)).toEqual([200, 200]);
    expect(others.map((token) => feed.answer(login(token)))).toEqual(others.map(() => undefined));
    expect(feed.answer({ url: FEED_PATH, authorization: undefined })).toBeUndefined();
    expect(feed.answer({ ...login(deriveFeedToken(first)), url: `${FEED_PATH}/x` })).toBeUndefined();
    expect(feedWith(undefined).answer(login(deriveFeedToken(first)))).toBeUndefined();
  });
});

function feedWith(current: UrlSecrets | undefined): DecisionFeed {
  return new DecisionFeed({
    process: 'a-process',
    secrets: current && { current: () => current },
    pathOf: () => undefined,
    now: () => 0,
  });
}

function decide(feed: DecisionFeed, lookup: Lookup, guarded?: string, consumer?: string): void {
  const about = { ...subject(), ...(consumer === undefined ? {} : { cluster: cluster(consumer) }) };
  const request = { subject: about, caller: person, isDryRun: false };
  const decision = decideDeletion(request.subject, 'enforcing', { state: 'rules-known', findings: [finding(lookup)] });
  tell(feed, { request, decision, mode: 'enforcing', guarded });
}

/** A review that nobody but its author has made, at a URL of the author's. */
function post(feed: DecisionFeed, mode: 'bypass' | 'handed-over', claimed: string): void {
  const request = { subject: { ...subject(), cluster: cluster(claimed), isBypassed: mode === 'bypass' }, caller: person, isDryRun: false };
  const decision = decideAtOnce({ ...DELETION, request }, mode);
  if (decision === undefined) throw new Error('not decided at once');
  tell(feed, { request, decision, mode, guarded: 'evil' });
}

interface Told {
  readonly request: DeletionRequest;
  readonly decision: Decision;
  readonly mode: ReviewMode;
  readonly guarded: string | undefined;
}

function tell(feed: DecisionFeed, { request, decision, mode, guarded }: Told): void {
  const guardedCluster = guarded === undefined ? undefined : cluster(guarded);
  feed.decided({
    target: { guardedCluster, token: undefined, mode, timeoutMs: 10_000 },
    review: { ...DELETION, request },
    decision,
    answer: answerOf(decision, { subject: request.subject, caller: person, mode }),
    durationMs: 1.23,
  });
}

function read(feed: DecisionFeed): FeedAnswer {
  const answer = feed.answer({ url: FEED_PATH, authorization: `Bearer ${deriveFeedToken(secrets[0])}` });
  return JSON.parse(answer?.body ?? '') as FeedAnswer;
}

function secretsOf(text: string): UrlSecrets {
  const parsed = parseUrlSecrets(text);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.value;
}
