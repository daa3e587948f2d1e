import { describe, expect, it } from '@jest/globals';
import { encodeReview, type ReviewEnvelope } from './review-wire.js';

const UID = '0df28fbd-5f5f-11e8-bc74-36e6bb280816';
const envelope: ReviewEnvelope = { apiVersion: 'admission.k8s.io/v1', uid: UID };

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

    expect(JSON.parse(reply)).toMatchObject({
      response: {
        uid: UID,
        allowed: false,
        status: { kind: 'Status', apiVersion: 'v1', status: 'Failure', ...status },
        warnings: ['careful'],
        auditAnnotations: { decision: 'in-use' },
      },
    });
  });
});
