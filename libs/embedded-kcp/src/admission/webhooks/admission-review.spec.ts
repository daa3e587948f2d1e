import { describe, expect, it } from '@jest/globals';
import { readReviewAnswer } from './admission-review.js';

function answer(response: unknown): string {
  return JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response });
}

const denied = (status?: unknown): unknown => {
  const read = readReviewAnswer(answer({ uid: 'u', allowed: false, status }), 'u', 'a.b.c');
  return read.state === 'denied' ? read.error.body : read;
};

describe(readReviewAnswer, () => {
  it('given a refusal with code, reason and message, then they go to the client', () => {
    expect(denied({ code: 403, reason: 'Forbidden', message: 'in use' })).toMatchObject({
      code: 403,
      reason: 'Forbidden',
      message: 'admission webhook "a.b.c" denied the request: in use',
    });
  });

  it.each([
    { given: 'no status at all', status: undefined, message: 'admission webhook "a.b.c" denied the request without explanation' },
    { given: 'a reason alone', status: { reason: 'Odd' }, message: 'admission webhook "a.b.c" denied the request: Odd' },
    { given: 'a code that is no refusal', status: { code: 200, message: 'm' }, message: 'admission webhook "a.b.c" denied the request: m' },
  ])('given $given, then it is 400', ({ status, message }) => {
    expect(denied(status)).toMatchObject({ code: 400, message });
  });

  it('given seconds to wait, then they are a header, too', () => {
    const read = readReviewAnswer(
      answer({ uid: 'u', allowed: false, status: { code: 503, details: { retryAfterSeconds: 1 } } }),
      'u',
      'a.b.c',
    );

    expect(read.state === 'denied' && read.error.headers).toEqual({ 'retry-after': '1' });
  });

  it.each([
    ['no JSON', 'garbage', 'not json'],
    ['another kind', 'invalid', '{"apiVersion":"v1","kind":"Status"}'],
    ['no response', 'invalid', '{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview"}'],
    ['another uid', 'invalid', answer({ uid: 'other', allowed: true })],
  ])('given %s, then it is %s', (_given, state, body) => {
    expect(readReviewAnswer(body, 'u', 'a.b.c').state).toBe(state);
  });
});
