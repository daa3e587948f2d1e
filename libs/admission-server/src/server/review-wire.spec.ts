import { describe, expect, it } from '@jest/globals';
import { JsonProjection } from '@dep-ctrl/fieldpath';
import { describeValue, encodeReview, readReview, type ReadReview, type ReviewEnvelope } from './review-wire.js';

const UID = '0df28fbd-5f5f-11e8-bc74-36e6bb280816';
const envelope: ReviewEnvelope = { apiVersion: 'admission.k8s.io/v1', uid: UID };

const review = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request: { uid: UID, name: 'my-vpc' } };
const WANTED = new JsonProjection([['apiVersion'], ['kind'], ['request', 'uid']]);
const PARSED_WHOLE_BYTES = 64 * 1024;

describe(readReview, () => {
  it.each(['admission.k8s.io/v1', 'admission.k8s.io/v1beta1'])('given a review of %s, then its request is read', (apiVersion) => {
    expect(read({ ...review, apiVersion })).toEqual({ kind: 'review', envelope: { apiVersion, uid: UID }, request: review.request });
  });

  it('given a uid of the greatest length, then it is read', () => {
    expect(read({ ...review, request: { uid: 'u'.repeat(256) } }).kind).toBe('review');
  });

  it('given a large body, then only what is wanted of it is read', () => {
    const sized = (bytes: number) => {
      const padding = bytes - JSON.stringify({ ...review, padding: '' }).length;
      return read({ ...review, padding: ' '.repeat(padding) });
    };

    expect(sized(PARSED_WHOLE_BYTES)).toMatchObject({ kind: 'review', request: { uid: UID, name: 'my-vpc' } });
    expect(sized(PARSED_WHOLE_BYTES + 1)).toEqual({ kind: 'review', envelope, request: { uid: UID } });
  });

  it('given a body that is a part of a larger buffer, then nothing beside it is read', () => {
    const text = JSON.stringify(review);

    expect(whole(Buffer.from(`}${text}{`).subarray(1, text.length + 1))).toMatchObject({ kind: 'review', envelope });
  });

  it.each<{ given: string; body: string | object; problem: string }>([
    { given: 'nothing', body: '', problem: 'the body is empty' },
    { given: 'half a body', body: '{', problem: 'the body is not JSON' },
    { given: 'half of a large body', body: `{"a":"${'a'.repeat(PARSED_WHOLE_BYTES)}`, problem: 'the body is not JSON' },
    { given: 'null', body: 'null', problem: 'the body is not a JSON object' },
    { given: 'a list', body: [], problem: 'the body is not a JSON object' },
    { given: 'no request', body: { ...review, request: undefined }, problem: 'the review has no .request' },
    { given: 'a request that is a text', body: { ...review, request: 'r' }, problem: 'the review has no .request' },
    { given: 'no uid', body: { ...review, request: {} }, problem: 'the review has no .request.uid' },
    { given: 'a uid that is a number', body: { ...review, request: { uid: 7 } }, problem: 'the review has no .request.uid' },
    { given: 'a uid that is too long', body: { ...review, request: { uid: 'u'.repeat(257) } }, problem: 'the review has no .request.uid' },
  ])('given $given, then there is nobody to answer', ({ body, problem }) => {
    expect(read(body)).toEqual({ kind: 'unanswerable', problem });
  });

  it.each<{ given: string; change: object; not: string }>([
    { given: 'another kind', change: { kind: 'Status' }, not: '"Status" of "admission.k8s.io/v1"' },
    { given: 'no kind', change: { kind: undefined }, not: 'missing of "admission.k8s.io/v1"' },
    { given: 'another version', change: { apiVersion: 'admission.k8s.io/v2' }, not: '"AdmissionReview" of "admission.k8s.io/v2"' },
    { given: 'no version', change: { apiVersion: undefined }, not: '"AdmissionReview" of ""' },
  ])('given $given, then that is the answer, in a version that kcp reads', ({ change, not }) => {
    const problem = `expected an AdmissionReview of admission.k8s.io/v1 or admission.k8s.io/v1beta1, not ${not}`;

    expect(read({ ...review, ...change })).toEqual({ kind: 'invalid', envelope, problem });
  });

  it('given another kind in the older version, then the answer is in that', () => {
    const older = { apiVersion: 'admission.k8s.io/v1beta1', uid: UID };

    expect(read({ ...review, apiVersion: older.apiVersion, kind: 'Status' })).toMatchObject({ kind: 'invalid', envelope: older });
  });

  it('given a body that is not UTF-8, then that is the answer', () => {
    const body = Buffer.from(JSON.stringify({ ...review, extra: '\u00e9' }), 'latin1');

    expect(whole(body)).toEqual({ kind: 'invalid', envelope, problem: 'the body is not UTF-8' });
  });
});

describe(describeValue, () => {
  it.each([
    { value: 'a "b"', expected: '"a \\"b\\""' },
    { value: undefined, expected: 'missing' },
    { value: null, expected: 'null' },
    { value: [], expected: 'an array' },
    { value: 7, expected: 'a number' },
    { value: {}, expected: 'a object' },
  ])('given $value, then it is called $expected', ({ value, expected }) => {
    expect(describeValue(value)).toBe(expected);
  });
});

describe(encodeReview, () => {
  it('given an allowed deletion without remarks, then nothing but the verdict is sent', () => {
    expect(JSON.parse(encodeReview(envelope, { allowed: true, warnings: [], audit: {} }))).toEqual({
      apiVersion: 'admission.k8s.io/v1',
      kind: 'AdmissionReview',
      response: { uid: UID, allowed: true },
    });
  });

  it('given a refusal, then the status is a whole Status, as kcp hands it on untouched', () => {
    const status = { code: 403, reason: 'Forbidden', message: 'no', details: { name: 'my-vpc' } };

    const reply = encodeReview(envelope, { allowed: false, status, warnings: ['careful'], audit: { decision: 'in-use' } });

    expect(JSON.parse(reply)).toEqual({
      apiVersion: 'admission.k8s.io/v1',
      kind: 'AdmissionReview',
      response: {
        uid: UID,
        allowed: false,
        status: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', ...status },
        warnings: ['careful'],
        auditAnnotations: { decision: 'in-use' },
      },
    });
  });
});

function read(body: string | object): ReadReview {
  return whole(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)));
}

function whole(body: Uint8Array): ReadReview {
  const reading = readReview(body, WANTED);
  for (;;) {
    const { done, value } = reading.next();
    if (done === true) return value;
  }
}
