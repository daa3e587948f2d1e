// Reviews of any shape against the promises of the desk: an answer always comes; it carries the uid wherever there is one; and what is
// let through is no deletion, or one that the policy lets through unread. The guard behind the desk refuses everything.

/* eslint-disable @nx/enforce-module-boundaries -- the app exports nothing; fuzzing goes for its innermost parsers */
import { systemClock } from '@dep-ctrl/kcp-client';
import { silentObserver } from '../../../apps/dep-ctrl/src/webhook/decision/review-observer.js';
import { ReviewDesk } from '../../../apps/dep-ctrl/src/webhook/review/review-desk.js';
import { parseReviewTarget } from '../../../apps/dep-ctrl/src/webhook/decision/review-target.js';
/* eslint-enable @nx/enforce-module-boundaries */
import type { Chance } from './chance.js';
import { mutate, mutateBytes, mutateText, type Json } from './mutate.js';

const SKIP = 'dependencies.opendefense.cloud/skip-protection';
const URLS = ['/validate', '/validate/abc', '/validate/abc/token', '/validate?timeout=1s', '/validate/abc/t?timeout=x'] as const;

const desk = new ReviewDesk({
  guard: { decide: () => Promise.resolve({ verdict: 'deny', because: 'rules-unknown' }) },
  observer: silentObserver,
  clock: systemClock,
});
const { signal } = new AbortController();

/** One review. Throws when a promise is broken. */
export async function fuzzReview(chance: Chance): Promise<void> {
  const body = mutateBytes(Buffer.from(JSON.stringify(mutate(goodReview(chance), chance))), chance);
  const target = parseReviewTarget(chance.pick(URLS));
  if (target === undefined) throw new Error('a good URL was not understood');
  const { code, body: answer } = await desk.answer(await desk.parse(body), target, { signal });
  const sent = parsed(body.toString());
  if (code === 400) {
    const uid = at(sent, 'request', 'uid');
    if (typeof uid === 'string' && uid.length > 0 && uid.length <= 256) throw broken('a review with a uid was not answered', body);
    return;
  }
  const { response } = parsed(answer) as { readonly response: { readonly uid: string; readonly allowed: boolean } };
  if (code !== 200 || response.uid !== at(sent, 'request', 'uid')) throw broken('the answer has another uid', body);
  if (response.allowed && !mayPass(sent)) throw broken('it was let through', body);
}

/** One URL: understood or not, never thrown at. */
export function fuzzUrl(chance: Chance): void {
  parseReviewTarget(mutateBytes(Buffer.from(mutateText(chance.pick(URLS), chance)), chance).toString('latin1'));
}

function mayPass(review: unknown): boolean {
  if (['CREATE', 'UPDATE', 'CONNECT'].includes(at(review, 'request', 'operation') as string)) return true;
  const metadata = at(review, 'request', 'oldObject', 'metadata');
  const going = at(metadata, 'deletionTimestamp');
  return at(metadata, 'annotations', SKIP) === 'true' || (typeof going === 'string' && going !== '');
}

function goodReview(chance: Chance): Json {
  return {
    kind: 'AdmissionReview',
    apiVersion: chance.pick(['admission.k8s.io/v1', 'admission.k8s.io/v1beta1']),
    request: {
      uid: '705ab4f5-6393-11e8-b7cc-42010a800002',
      resource: { group: 'network.example.com', version: 'v1alpha1', resource: 'vpcs' },
      operation: 'DELETE',
      userInfo: { username: 'alice', extra: { 'authorization.kcp.io/warrant': ['{}'] } },
      object: null,
      oldObject: {
        metadata: {
          name: 'my-vpc',
          namespace: 'default',
          uid: 'u',
          annotations: { 'kcp.io/cluster': 'consumer', [SKIP]: 'false' },
          ownerReferences: [{ uid: 'o' }],
        },
        spec: {},
      },
      dryRun: false,
    },
  };
}

function at(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>(
    (node, key) =>
      typeof node === 'object' && node !== null && Object.hasOwn(node, key) ? (node as Record<string, unknown>)[key] : undefined,
    value,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function broken(what: string, body: Buffer): Error {
  return new Error(`${what}: ${body.toString()}`);
}
