import { describe, expect, it } from '@jest/globals';
import { wire } from '../testing/reviews.js';
import { writeReview, writtenGuard, writtenRule } from '../testing/written-rules.js';
import { parseWrite, type ParsedWrite } from './written-object.js';

const uid = '705ab4f5-6393-11e8-b7cc-42010a800002';

/** All pieces at once. */
function read(body: Uint8Array): ParsedWrite {
  const pieces = parseWrite(body);
  let piece = pieces.next();
  while (piece.done !== true) piece = pieces.next();
  return piece.value;
}

describe(parseWrite, () => {
  it.each([
    ['a rule that is created', writeReview(writtenRule()), { kind: 'rule', operation: 'CREATE', cluster: 'compute', name: 'vms' }],
    [
      'a guard that is changed',
      writeReview(writtenGuard({}), { operation: 'UPDATE' }),
      { kind: 'guard', operation: 'UPDATE', cluster: 'network', name: 'dependency-controller' },
    ],
  ])('given %s, then it is read with its workspace', (_given, review, written) => {
    expect(read(wire(review))).toMatchObject({ kind: 'write', envelope: { uid }, written });
  });

  it('given an object that kcp is to name, then it has no name yet', () => {
    const unnamed = { ...writtenRule(), metadata: { ...writtenRule().metadata, name: undefined, generateName: 'vms-' } };

    expect(read(wire(writeReview(unnamed as never)))).toMatchObject({ kind: 'write', written: { name: '' } });
  });

  it('given a review of 100 KB, then it is read whole', () => {
    const review = writeReview({ ...writtenRule(), status: { filler: 'x'.repeat(100_000) } });

    expect(read(wire(review))).toMatchObject({
      written: { name: 'vms', object: { spec: writtenRule()['spec'], status: { filler: 'x'.repeat(100_000) } } },
    });
  });

  it.each([
    ['no type', writeReview(writtenRule(), { resource: undefined })],
    ['a deletion', writeReview(null, { operation: 'DELETE' })],
    ['a status', writeReview(writtenRule(), { operation: 'UPDATE', subResource: 'status' })],
    ['another type', writeReview(writtenRule(), { resource: { group: 'a.example.com', version: 'v1', resource: 'dependencyrules' } })],
    ['a type called like something that every object has', writeReview(writtenRule(), { resource: { resource: 'constructor' } })],
  ])('given %s, then there is nothing to say', (_given, review) => {
    expect(read(wire(review))).toMatchObject({ kind: 'nothing-of-ours', envelope: { uid } });
  });

  it.each([
    ['no object', writeReview(null), '.request.object is not an object with metadata'],
    ['an object without metadata', writeReview({} as never), '.request.object is not an object with metadata'],
    [
      'an object of no workspace',
      writeReview({ ...writtenRule(), metadata: { name: 'vms' } }),
      expect.stringMatching(/^annotation kcp\.io\/cluster of \.request\.object: "" is not a logical cluster name/),
    ],
  ])('given %s, then that is the problem, and the uid is kept', (_given, review, problem) => {
    expect(read(wire(review))).toEqual({ kind: 'invalid', envelope: { apiVersion: 'admission.k8s.io/v1', uid }, problem });
  });

  it('given something that is no review, then there is nobody to answer', () => {
    expect(read(Buffer.from('{}'))).toEqual({ kind: 'unanswerable', problem: 'the review has no .request' });
  });
});
