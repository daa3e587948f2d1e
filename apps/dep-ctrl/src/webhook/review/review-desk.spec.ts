import { describe, expect, it } from '@jest/globals';
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import { ManualClock, settled } from '@dep-ctrl/kcp-client/testing';
import type { Decision } from '../decision/decide-deletion.js';
import type { DecidedReview } from '../decision/review-observer.js';
import { ReviewDesk, WAITING_REVIEWS } from './review-desk.js';
import type { ReviewMode } from '../decision/review-target.js';
import { cluster } from '../testing/builders.js';
import { deleteReview, wire, type ReviewChange } from '../testing/reviews.js';

const UID = '705ab4f5-6393-11e8-b7cc-42010a800002';

const UNSURE = (): Promise<Decision> => Promise.resolve({ verdict: 'deny', because: 'rules-unknown' });

describe(ReviewDesk, () => {
  it.each<{ given: string; change: ReviewChange; allowed: boolean; code?: number }>([
    { given: 'a CREATE', change: { request: { operation: 'CREATE', oldObject: null } }, allowed: true },
    { given: 'an UPDATE', change: { request: { operation: 'UPDATE' } }, allowed: true },
    { given: 'a CONNECT', change: { request: { operation: 'CONNECT' } }, allowed: true },
    { given: 'no operation', change: { request: { operation: undefined } }, allowed: false, code: 400 },
    { given: 'a subresource', change: { request: { subResource: 'status' } }, allowed: false, code: 503 },
    { given: 'no oldObject', change: { request: { oldObject: undefined } }, allowed: false, code: 400 },
    { given: 'an oldObject that is no object', change: { request: { oldObject: 'x' } }, allowed: false, code: 400 },
    { given: 'no cluster', change: { metadata: { annotations: {} } }, allowed: false, code: 400 },
    { given: 'a cluster with a slash', change: { metadata: { annotations: { 'kcp.io/cluster': 'a/b' } } }, allowed: false, code: 400 },
    { given: 'another kind', change: { review: { kind: 'Pod' } }, allowed: false, code: 400 },
    { given: 'an object that is going already', change: { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }, allowed: true },
    { given: 'a plain deletion', change: {}, allowed: false, code: 503 },
  ])('given $given, then allowed is $allowed and the uid is the same', async ({ change, allowed, code }) => {
    const reply = await desk(UNSURE).answer(wire(deleteReview(change)));

    expect(reply.code).toBe(200);
    expect(JSON.parse(reply.body)).toMatchObject({
      kind: 'AdmissionReview',
      response: { uid: UID, allowed, ...(code === undefined ? {} : { status: { code } }) },
    });
  });

  it.each<{ given: string; body: Buffer; problem: string }>([
    { given: 'an empty body', body: Buffer.alloc(0), problem: 'the body is empty\n' },
    { given: 'no JSON', body: Buffer.from('delete it!'), problem: 'the body is not JSON\n' },
    { given: 'no uid', body: wire(deleteReview({ request: { uid: '' } })), problem: 'the review has no .request.uid\n' },
  ])('given $given, then the HTTP status says that this was no review', async ({ body, problem }) => {
    const stage = desk(UNSURE);

    expect(await stage.answer(body)).toMatchObject({ code: 400, body: problem });
    expect(stage.refused).toEqual([problem.trim()]);
  });

  it('given a defect, then the deletion is refused with the same uid and the log says why', async () => {
    const stage = desk(() => Promise.reject(new Error('out of luck')));

    expect(JSON.parse((await stage.answer(wire(deleteReview()))).body)).toMatchObject({
      response: {
        uid: UID,
        allowed: false,
        status: { code: 500, message: 'cannot delete vpcs/my-vpc: dep-ctrl failed while checking it; its log says why' },
      },
    });
    expect(stage.errors).toEqual([{ uid: UID, error: new Error('out of luck') }]);
  });

  it.each<{ given: string; change: ReviewChange; decide: () => Promise<Decision>; warning: string }>([
    {
      given: 'a defect',
      change: {},
      decide: () => Promise.reject(new Error('out of luck')),
      warning: 'vpcs/my-vpc was not checked for references: dep-ctrl failed while checking',
    },
    {
      given: 'a review that makes no sense',
      change: { request: { oldObject: null } },
      decide: UNSURE,
      warning: 'this object was not checked for references: the review is not valid',
    },
  ])('given $given on a lenient entry, then it is allowed with a warning', async ({ change, decide, warning }) => {
    for (const mode of ['advisory', 'bypass'] as const) {
      const { body } = await desk(decide).answer(wire(deleteReview(change)), mode);

      expect(JSON.parse(body)).toMatchObject({ response: { uid: UID, allowed: true, warnings: [warning] } });
    }
  });

  it('given a workspace with more deletions than may wait, then the rest is told at once to come again, and others are served', async () => {
    const hanging: (() => void)[] = [];
    const stage = desk(() => new Promise((resolve) => hanging.push(() => resolve({ verdict: 'allow', because: 'not-guarded' }))));
    const of = (consumer: string): Buffer => wire(deleteReview({ metadata: { annotations: { 'kcp.io/cluster': consumer } } }));
    const flood = Array.from({ length: 200 }, () => stage.answer(of('busy')));
    await settled();
    expect([hanging.length, stage.decided.length]).toEqual([WAITING_REVIEWS.mostEach, 200 - WAITING_REVIEWS.mostEach]);

    const lenient = await stage.answer(of('busy'), 'advisory');
    const other = stage.answer(of('other'));
    await settled();
    for (const resolve of hanging) resolve();

    expect(JSON.parse((await flood.at(-1))?.body ?? '')).toMatchObject({
      response: {
        allowed: false,
        status: {
          code: 503,
          message: 'cannot delete vpcs/my-vpc: too many deletions in this workspace are being checked; try again in a moment',
          details: { retryAfterSeconds: 1 },
        },
      },
    });
    expect(JSON.parse(lenient.body)).toMatchObject({
      response: { allowed: true, warnings: [expect.stringContaining('too many deletions')] },
    });
    expect(JSON.parse((await other).body)).toMatchObject({ response: { allowed: true } });
    expect(stage.decided.at(0)?.decision).toEqual({ verdict: 'deny', because: 'too-many' });
    await Promise.all(flood);
    const again = stage.answer(of('busy'));
    await settled();
    hanging.at(-1)?.();
    expect(JSON.parse((await again).body)).toMatchObject({ response: { allowed: true } });
  });

  it('given many reviews about a workspace by the URL of one provider, then those by the URL of another have places of their own', async () => {
    const hanging: (() => void)[] = [];
    const stage = desk(() => new Promise((resolve) => hanging.push(() => resolve({ verdict: 'allow', because: 'not-guarded' }))));
    const flood = Array.from({ length: 200 }, () => stage.answer(wire(deleteReview()), 'enforcing', cluster('evil')));
    await settled();

    const honest = stage.answer(wire(deleteReview()), 'enforcing', cluster('network'));
    await settled();
    for (const resolve of hanging) resolve();

    expect(JSON.parse((await honest).body)).toMatchObject({ response: { allowed: true } });
    await Promise.all(flood);
  });

  it('given one who asks about any number of workspaces, then half of all places are left to others', async () => {
    const hanging: (() => void)[] = [];
    const stage = desk(() => new Promise((resolve) => hanging.push(() => resolve({ verdict: 'allow', because: 'not-guarded' }))));
    const about = (at: number): Buffer => wire(deleteReview({ metadata: { annotations: { 'kcp.io/cluster': `w${at}` } } }));

    const flood = Array.from({ length: WAITING_REVIEWS.inAll }, (_, at) => stage.answer(about(at), 'enforcing', cluster('evil')));
    await settled();
    const most = hanging.length;
    for (const resolve of hanging) resolve();
    await Promise.all(flood);

    expect(most).toBe(WAITING_REVIEWS.inAll / 2);
  });

  it('given any review, then one decision is recorded with all that logs and metrics need', async () => {
    const stage = desk(UNSURE);

    await stage.answer(wire(deleteReview()));

    expect(stage.decided).toMatchObject([
      {
        target: { guardedCluster: undefined, mode: 'enforcing' },
        host: 'webhook:9443',
        review: { kind: 'deletion', request: { subject: { name: 'my-vpc' } } },
        decision: { verdict: 'deny', because: 'rules-unknown' },
        answer: { allowed: false },
        durationMs: 0,
      },
    ]);
  });
});

function desk(decide: () => Promise<Decision>) {
  const decided: DecidedReview[] = [];
  const refused: string[] = [];
  const errors: unknown[] = [];
  const nothing = (): void => undefined;
  const reviewDesk = new ReviewDesk({
    guard: { decide },
    observer: { decided: (review) => void decided.push(review), refused: (problem) => void refused.push(problem) },
    clock: new ManualClock(),
    logger: { debug: nothing, info: nothing, warn: nothing, error: (_, fields) => void errors.push(fields) },
  });
  const signal = new AbortController().signal;
  return {
    decided,
    refused,
    errors,
    answer: async (body: Buffer, mode: ReviewMode = 'enforcing', guardedCluster?: LogicalClusterName) =>
      reviewDesk.answer(
        await reviewDesk.parse(body),
        { guardedCluster, token: undefined, mode, timeoutMs: 10_000 },
        { signal, host: 'webhook:9443' },
      ),
  };
}
