import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { atOnce } from '@dep-ctrl/fair-shares';
import { parseReview, type ParsedReview } from './admission-review.js';
import { subject } from '../testing/builders.js';
import { deleteReview, wire, type ReviewChange } from '../testing/reviews.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const UID = '705ab4f5-6393-11e8-b7cc-42010a800002';
const envelope = { apiVersion: 'admission.k8s.io/v1', uid: UID };
const skipping = (value: string) => ({
  annotations: { 'kcp.io/cluster': 'consumer', 'dependencies.opendefense.cloud/skip-protection': value },
});

describe(parseReview, () => {
  it('given a deletion as kcp posts it, then the subject is all that oldObject says', () => {
    expect(parsed(wire(deleteReview()))).toEqual({
      kind: 'deletion',
      envelope,
      request: { subject: subject(), caller: { username: 'alice', isThroughExport: false }, isDryRun: false },
    });
  });

  it('given a collection delete, which names nothing, then the subject still comes from oldObject', () => {
    const review = deleteReview({ request: { name: undefined, namespace: undefined } });

    expect(parsed(wire(review))).toMatchObject({ kind: 'deletion', request: { subject: subject() } });
  });

  it('given a request that names another object than oldObject, then oldObject wins', () => {
    const review = deleteReview({ request: { name: 'other', namespace: 'elsewhere' } });

    expect(parsed(wire(review))).toMatchObject({ kind: 'deletion', request: { subject: subject() } });
  });

  it('given v1beta1, then the answer will be v1beta1', () => {
    const review = deleteReview({ review: { apiVersion: 'admission.k8s.io/v1beta1' } });

    expect(parsed(wire(review))).toMatchObject({ kind: 'deletion', envelope: { apiVersion: 'admission.k8s.io/v1beta1', uid: UID } });
  });

  it.each([
    { given: 'no namespace', metadata: { namespace: undefined }, field: 'namespace', expected: undefined },
    { given: 'an empty namespace', metadata: { namespace: '' }, field: 'namespace', expected: undefined },
    { given: 'no uid', metadata: { uid: undefined }, field: 'uid', expected: undefined },
    { given: 'a deletion timestamp', metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' }, field: 'isTerminating', expected: true },
    {
      given: 'owners, some of them malformed',
      metadata: { ownerReferences: [{ uid: 'a' }, null, { name: 'b' }, { uid: 'c' }] },
      field: 'ownerUids',
      expected: new Set(['a', 'c']),
    },
    {
      given: 'owners, one of them with a uid that is longer than any',
      metadata: { ownerReferences: [{ uid: 'u'.repeat(64) }, { uid: 'u'.repeat(65) }] },
      field: 'ownerUids',
      expected: new Set(['u'.repeat(64)]),
    },
    { given: 'a name as long as names may be', metadata: { name: 'n'.repeat(253) }, field: 'name', expected: 'n'.repeat(253) },
    { given: 'owners that are no list', metadata: { ownerReferences: { uid: 'a' } }, field: 'ownerUids', expected: new Set() },
    {
      given: 'the annotation that lifts protection',
      metadata: { annotations: { 'kcp.io/cluster': 'consumer', 'dependencies.opendefense.cloud/skip-protection': 'true' } },
      field: 'isBypassed',
      expected: true,
    },
    {
      given: 'that annotation with another value',
      metadata: { annotations: { 'kcp.io/cluster': 'consumer', 'dependencies.opendefense.cloud/skip-protection': 'True' } },
      field: 'isBypassed',
      expected: false,
    },
    { given: 'that annotation with another value, to tell of it', metadata: skipping('yes'), field: 'ignoredSkip', expected: 'yes' },
    { given: 'that annotation with no value, to tell of it', metadata: skipping(''), field: 'ignoredSkip', expected: '' },
    { given: 'that annotation with a long value', metadata: skipping('y'.repeat(9_000)), field: 'ignoredSkip', expected: 'y'.repeat(100) },
    { given: 'that annotation as it should be', metadata: skipping('true'), field: 'ignoredSkip', expected: undefined },
    {
      given: 'a field called __proto__ that says it is bypassed',
      metadata: {
        annotations: JSON.parse(
          '{"kcp.io/cluster":"consumer","__proto__":{"dependencies.opendefense.cloud/skip-protection":"true"}}',
        ) as unknown,
      },
      field: 'isBypassed',
      expected: false,
    },
  ])('given $given, then $field is $expected', ({ metadata, field, expected }) => {
    const review = parsed(wire(deleteReview({ metadata })));

    expect(review.kind === 'deletion' && { [field]: undefined, ...review.request.subject }).toMatchObject({ [field]: expected });
  });

  it.each([
    { given: 'a warrant', extra: { 'authorization.kcp.io/warrant': ['{}'] }, expected: true },
    { given: 'an empty warrant', extra: { 'authorization.kcp.io/warrant': [] }, expected: false },
    { given: 'no extra', extra: undefined, expected: false },
  ])('given $given, then isThroughExport is $expected', ({ extra, expected }) => {
    const review = parsed(wire(deleteReview({ request: { userInfo: { username: 'bob', extra } } })));

    expect(review).toMatchObject({ request: { caller: { username: 'bob', isThroughExport: expected } } });
  });

  it('given an object without namespace and uid, then the subject has neither', () => {
    const review = parsed(wire(deleteReview({ metadata: { namespace: undefined, uid: undefined } })));
    const { namespace: _, uid: __, ...bare } = subject();

    expect(review.kind === 'deletion' && review.request.subject).toStrictEqual(bare);
  });

  it.each([
    { given: 'no user', userInfo: undefined },
    { given: 'a user without a name', userInfo: { groups: [] } },
  ])('given $given, then the caller has no name', ({ userInfo }) => {
    const review = parsed(wire(deleteReview({ request: { userInfo } })));

    expect(review).toMatchObject({ request: { caller: { username: '', isThroughExport: false } } });
  });

  it.each([
    { given: 'no group', type: { version: 'v1', resource: 'secrets' }, group: '' },
    { given: 'a group as long as groups may be', type: { group: 'g'.repeat(253), version: 'v1', resource: 'r' }, group: 'g'.repeat(253) },
  ])('given a type with $given, then that is the type of the subject', ({ type, group }) => {
    expect(parsed(wire(deleteReview({ request: { resource: type } })))).toMatchObject({ request: { subject: { ...type, group } } });
  });

  it('given a dry run, then the request says so', () => {
    expect(parsed(wire(deleteReview({ request: { dryRun: true } })))).toMatchObject({ request: { isDryRun: true } });
  });

  it.each(['CREATE', 'UPDATE', 'CONNECT'])('given %s without any object, then it is no deletion', (operation) => {
    const review = deleteReview({ request: { operation, oldObject: null } });

    expect(parsed(wire(review))).toEqual({ kind: 'other-operation', envelope });
  });

  it.each([
    {
      given: 'an operation nobody knows',
      change: { request: { operation: 'delete' } },
      problem: '.request.operation is "delete": expected DELETE',
    },
    { given: 'no operation', change: { request: { operation: undefined } }, problem: '.request.operation is missing: expected DELETE' },
    {
      given: 'a type whose group is longer than any',
      change: { request: { resource: { group: 'g'.repeat(254), version: 'v1', resource: 'vpcs' } } },
      problem: '.request.resource has a part of more than 253 characters',
    },
    {
      given: 'a type whose resource is longer than any',
      change: { request: { resource: { group: 'g', version: 'v1', resource: 'r'.repeat(254) } } },
      problem: '.request.resource has a part of more than 253 characters',
    },
    {
      given: 'a name that is longer than any',
      change: { metadata: { name: 'n'.repeat(254) } },
      problem: '.request.oldObject has a .metadata.name of more than 253 characters',
    },
    {
      given: 'no oldObject',
      change: { request: { oldObject: undefined } },
      problem: '.request.oldObject is missing: expected the object to delete',
    },
    {
      given: 'oldObject null',
      change: { request: { oldObject: null } },
      problem: '.request.oldObject is null: expected the object to delete',
    },
    {
      given: 'oldObject a text',
      change: { request: { oldObject: 'x' } },
      problem: '.request.oldObject is "x": expected the object to delete',
    },
    {
      given: 'oldObject a list',
      change: { request: { oldObject: [] } },
      problem: '.request.oldObject is an array: expected the object to delete',
    },
    { given: 'no metadata', change: { request: { oldObject: {} } }, problem: '.request.oldObject has no .metadata.name' },
    { given: 'no name', change: { metadata: { name: '' } }, problem: '.request.oldObject has no .metadata.name' },
    { given: 'a name that is no text', change: { metadata: { name: 7 } }, problem: '.request.oldObject has no .metadata.name' },
    {
      given: 'no annotations',
      change: { metadata: { annotations: undefined } },
      problem: '.request.oldObject has no annotation kcp.io/cluster',
    },
    {
      given: 'a cluster name with a slash',
      change: { metadata: { annotations: { 'kcp.io/cluster': 'a/b' } } },
      problem: 'annotation kcp.io/cluster of .request.oldObject: "a/b" is not a logical cluster name',
    },
    {
      given: 'no resource',
      change: { request: { resource: undefined } },
      problem: '.request.resource should name group, version and resource',
    },
    ...[
      { given: 'a type without a version', resource: { group: 'g', resource: 'r' } },
      { given: 'a type without a resource', resource: { group: 'g', version: 'v1' } },
      { given: 'a type whose group is no text', resource: { group: 7, version: 'v1', resource: 'r' } },
    ].map(({ given, resource }) => ({
      given,
      change: { request: { resource } },
      problem: '.request.resource should name group, version and resource',
    })),
    {
      given: 'another kind',
      change: { review: { kind: 'Pod' } },
      problem: 'expected an AdmissionReview of admission.k8s.io/v1 or admission.k8s.io/v1beta1, not "Pod" of "admission.k8s.io/v1"',
    },
    {
      given: 'another version',
      change: { review: { apiVersion: 'admission.k8s.io/v2' } },
      problem:
        'expected an AdmissionReview of admission.k8s.io/v1 or admission.k8s.io/v1beta1, not "AdmissionReview" of "admission.k8s.io/v2"',
    },
  ])('given $given, then it is invalid and the uid is kept', ({ change, problem }) => {
    expect(parsed(wire(deleteReview(change)))).toEqual({ kind: 'invalid', envelope, problem: expect.stringContaining(problem) });
  });

  it('given broken UTF-8, then it is invalid and the uid is kept', () => {
    const body = wire(deleteReview({ metadata: { name: 'my-vp?' } }));
    body[body.indexOf('my-vp?') + 5] = 0xff;

    expect(parsed(body)).toEqual({ kind: 'invalid', envelope, problem: 'the body is not UTF-8' });
  });

  it.each([
    { given: 'nothing', body: Buffer.alloc(0), problem: 'the body is empty' },
    { given: 'no JSON', body: Buffer.from('{"kind":'), problem: 'the body is not JSON' },
    { given: 'deep nesting', body: Buffer.from('['.repeat(1_000_000)), problem: 'the body is not JSON' },
    { given: 'a list', body: wire([]), problem: 'the body is not a JSON object' },
    { given: 'null', body: wire(null), problem: 'the body is not a JSON object' },
    { given: 'no request', body: wire({ kind: 'AdmissionReview' }), problem: 'the review has no .request' },
    { given: 'no uid', body: wire(deleteReview({ request: { uid: undefined } })), problem: 'the review has no .request.uid' },
    { given: 'a uid that is no text', body: wire(deleteReview({ request: { uid: 5 } })), problem: 'the review has no .request.uid' },
    {
      given: 'an endless uid',
      body: wire(deleteReview({ request: { uid: 'x'.repeat(5000) } })),
      problem: 'the review has no .request.uid',
    },
  ])('given $given, then there is nothing to answer with', ({ body, problem }) => {
    expect(parsed(body)).toEqual({ kind: 'unanswerable', problem });
  });
});

describe('a large body', () => {
  const filler = 'x'.repeat(100_000);

  it.each<{ given: string; change: ReviewChange }>([
    { given: 'a deletion', change: {} },
    {
      given: 'owners, terminating, annotated',
      change: { metadata: { ownerReferences: [{ uid: 'a', name: 'n' }, {}], deletionTimestamp: 'now' } },
    },
    { given: 'a dry run', change: { request: { dryRun: true } } },
    { given: 'another operation', change: { request: { operation: 'UPDATE' } } },
    { given: 'an operation that is no text', change: { request: { operation: { a: 1 } } } },
    { given: 'no oldObject', change: { request: { oldObject: undefined } } },
    { given: 'an oldObject that is a list', change: { request: { oldObject: [1] } } },
    { given: 'no cluster', change: { metadata: { annotations: {} } } },
    { given: 'a warrant', change: { request: { userInfo: { username: 'bob', extra: { 'authorization.kcp.io/warrant': ['{}'] } } } } },
    { given: 'another kind', change: { review: { kind: 'Pod' } } },
  ])('given $given, then it says the same as a small one', ({ change }) => {
    const review = deleteReview(change);

    expect(parsed(wire({ ...review, filler }))).toEqual(parsed(wire(review)));
  });

  it.each([
    { given: 'a text that ends within it', body: `{"filler":"${'x'.repeat(100_000)}` },
    { given: 'what is no JSON', body: 'x'.repeat(100_000) },
  ])('given $given, then it is no JSON', ({ body }) => {
    expect(parsed(Buffer.from(body))).toEqual({ kind: 'unanswerable', problem: 'the body is not JSON' });
  });

  it('given one full of what is dear to parse, then others may go on in between', () => {
    const nested = `${'['.repeat(700_000)}${']'.repeat(700_000)}`;
    const body = wire(deleteReview()).toString().replace('"spec":', `"status":${nested},"spec":`);

    const pieces = [...parseReview(Buffer.from(body))];

    expect(body).toContain(nested);
    expect(pieces.length).toBeGreaterThan(80);
    expect(parsed(Buffer.from(body))).toMatchObject({ kind: 'deletion', request: { subject: subject() } });
  });

  it('given names, owners and annotations of any length, then what is kept of a review is small', () => {
    const review = (index: number): ParsedReview => {
      const long = String(index).padEnd(100_000, 'y');
      const metadata = { ...skipping(long), ownerReferences: Array.from({ length: 3_000 }, (_, owner) => ({ uid: `${index}-${owner}` })) };
      return parsed(wire(deleteReview({ metadata, request: { userInfo: { username: long } } })));
    };
    review(0);
    collectGarbage();
    const before = process.memoryUsage().heapUsed;

    const kept = Array.from({ length: 100 }, (_, index) => review(index + 1));
    collectGarbage();
    const bytesEach = (process.memoryUsage().heapUsed - before) / kept.length;

    expect(kept[0]).toMatchObject({ kind: 'deletion' });
    expect(bytesEach).toBeLessThan(32 * 1024);
  });
});

function parsed(body: Uint8Array): ParsedReview {
  return atOnce(parseReview(body));
}
