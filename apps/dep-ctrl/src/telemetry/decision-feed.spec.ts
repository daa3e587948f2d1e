import { describe, expect, it } from '@jest/globals';
import { parseUrlSecrets, type UrlSecrets } from '@dep-ctrl/admission-server';
import { deriveAdmissionToken, deriveFeedToken, deriveUrlToken } from '../url-tokens/url-tokens.js';
import { decideDeletion } from '../webhook/decision/decide-deletion.js';
import { answerOf } from '../webhook/decision/deny-message.js';
import type { Lookup } from '../webhook/decision/lookup.js';
import { cluster, dependent, finding, listed, person, subject } from '../webhook/testing/builders.js';
import { DecisionFeed, FEED_PATH, type FeedAnswer } from './decision-feed.js';

const secrets = secretsOf('old-secret-of-the-test\nnew-secret-of-the-test');

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

function decide(feed: DecisionFeed, lookup: Lookup): void {
  const request = { subject: subject(), caller: person, isDryRun: false };
  const decision = decideDeletion(request.subject, 'enforcing', { state: 'rules-known', findings: [finding(lookup)] });
  const target = { guardedCluster: undefined, token: undefined, mode: 'enforcing', timeoutMs: 10_000 } as const;
  feed.decided({
    target,
    review: { kind: 'deletion', envelope: { apiVersion: 'admission.k8s.io/v1', uid: 'u' }, request },
    decision,
    answer: answerOf(decision, { subject: subject(), caller: person, mode: target.mode }),
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
