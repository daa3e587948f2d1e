import { describe, expect, it } from '@jest/globals';
import { ACCESS_REVIEWS, answerIn, EVERYBODY, mayDo, mayList, type ReviewAnswer } from './access-review.js';

const VMS = { group: 'b.io', resource: 'vms' };

it('the question goes to the SubjectAccessReviews of kcp', () => {
  expect(ACCESS_REVIEWS).toEqual({ group: 'authorization.k8s.io', version: 'v1', resource: 'subjectaccessreviews' });
});

describe(mayDo, () => {
  it.each([
    { given: 'a type', asked: { verb: 'delete', ...VMS }, expected: { verb: 'delete', group: 'b.io', resource: 'vms' } },
    {
      given: 'one object',
      asked: { verb: 'delete', ...VMS, name: 'one' },
      expected: { verb: 'delete', group: 'b.io', resource: 'vms', name: 'one' },
    },
  ])('given $given, then kcp is asked about that and no more', ({ asked, expected }) => {
    expect(mayDo({ user: 'c', groups: ['team'] }, asked)).toStrictEqual({
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SubjectAccessReview',
      metadata: {},
      spec: { user: 'c', groups: ['team'], resourceAttributes: expected },
    });
  });
});

describe(mayList, () => {
  it('given everybody, then it asks whether all who are known to kcp may list the type', () => {
    expect(mayList({ groups: [EVERYBODY] }, VMS)).toEqual({
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SubjectAccessReview',
      metadata: {},
      spec: { groups: ['system:authenticated'], resourceAttributes: { verb: 'list', group: 'b.io', resource: 'vms' } },
    });
  });
});

describe(answerIn, () => {
  it.each<{ given: string; status: unknown; expected: ReviewAnswer }>([
    { given: 'allowed', status: { allowed: true, reason: 'access granted' }, expected: 'allowed' },
    { given: 'not allowed', status: { allowed: false, reason: 'access denied' }, expected: 'denied' },
    {
      given: 'not allowed as far as kcp could see',
      status: { allowed: false, evaluationError: 'a ClusterRole is missing' },
      expected: 'none',
    },
    { given: 'allowed in spite of an error', status: { allowed: true, evaluationError: 'a ClusterRole is missing' }, expected: 'allowed' },
    { given: 'no status', status: undefined, expected: 'none' },
    { given: 'another shape', status: { allowed: 'yes' }, expected: 'none' },
  ])('given $given, then $expected', ({ status, expected }) => {
    expect(answerIn({ metadata: {}, ...(status === undefined ? {} : { status }) })).toBe(expected);
  });
});
