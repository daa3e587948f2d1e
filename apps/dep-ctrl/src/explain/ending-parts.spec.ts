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
  ] as const)('given $given, then it is told what kcp says', ({ what, object, expected }) => {
    expect(endingPart(what, object)?.kcpSays).toEqual(expected);
  });
});

describe(printEnding, () => {
  it('given one that says nothing yet, then only since when', () => {
    expect(printEnding({ what: 'namespace', name: 'a', since, kcpSays: [] })).toBe(`  namespace a is being deleted (since ${since})`);
  });
});
