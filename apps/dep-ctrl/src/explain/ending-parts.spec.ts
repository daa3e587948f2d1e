import { describe, expect, it } from '@jest/globals';
import { endingPart, printEnding } from './ending-parts.js';

const since = '2026-01-02T03:04:05Z';
const condition = (type: string, status: string, message: string) => ({ type, status, message });
const dying = { name: 'a', deletionTimestamp: since };

describe(endingPart, () => {
  it.each([
    { given: 'a namespace that nobody deletes', what: 'namespace', object: { metadata: { name: 'a' } }, expected: undefined },
    { given: 'one of a moment ago', what: 'namespace', object: { metadata: dying }, expected: [] },
    {
      given: 'one that is refused, holds content, and has read everything',
      what: 'namespace',
      object: {
        metadata: dying,
        status: {
          conditions: [
            condition('NamespaceDeletionDiscoveryFailure', 'False', 'All resources successfully discovered'),
            condition('NamespaceDeletionContentFailure', 'True', 'Failed to delete: still referenced'),
            condition('NamespaceContentRemaining', 'True', 'vpcs has 1 resource instances'),
            condition('NamespaceFinalizersRemaining', 'False', 'All content-preserving finalizers finished'),
          ],
        },
      },
      expected: ['Failed to delete: still referenced', 'vpcs has 1 resource instances'],
    },
    {
      given: 'a binding whose objects are refused',
      what: 'binding',
      object: {
        metadata: dying,
        status: { conditions: [condition('Ready', 'True', ''), condition('BindingResourceDeleteSuccess', 'False', 'still referenced')] },
      },
      expected: ['still referenced'],
    },
    {
      given: 'a namespace with conditions of others, and words that are none',
      what: 'namespace',
      object: {
        metadata: dying,
        status: {
          conditions: [
            ...[null, {}, { type: 'NamespaceContentRemaining', status: 'True' }],
            condition('NamespaceContentRemaining', 'True', ''),
            condition('Ready', 'True', 'of another'),
            condition('OldNamespaceContentRemaining', 'True', 'of another'),
            condition('NamespaceContentRemainingSoon', 'True', 'of another'),
            condition('NamespaceDeletionDiscoveryFailure', 'True', 'cannot discover'),
          ],
        },
      },
      expected: ['cannot discover'],
    },
    {
      given: 'a binding whose objects are gone, and that is not ready',
      what: 'binding',
      object: {
        metadata: dying,
        status: { conditions: [condition('Ready', 'False', 'other'), condition('BindingResourceDeleteSuccess', 'True', 'done')] },
      },
      expected: [],
    },
  ] as const)('given $given, then it is told what kcp says', ({ what, object, expected }) => {
    expect(endingPart(what, object)?.kcpSays).toEqual(expected);
  });
});

describe(printEnding, () => {
  it('given one that says nothing yet, then only since when', () => {
    expect(printEnding({ what: 'namespace', name: 'a', since, kcpSays: [] })).toBe(`  namespace a is being deleted (since ${since})`);
  });

  it('given one that says two things, then both are told', () => {
    expect(printEnding({ what: 'binding', name: 'a', since, kcpSays: ['refused', 'one is left'] })).toBe(
      `  binding a is being deleted (since ${since}); kcp says: refused; one is left`,
    );
  });
});
