import { describe, expect, it } from '@jest/globals';
import { compareObject } from './compare-objects.js';

const secret = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'token', uid: 'u', resourceVersion: '7', annotations: { theirs: 'kept' } },
  data: { token: 'c2VjcmV0' },
};

describe(compareObject, () => {
  it('given a Secret that lacks an annotation, then the line is shown, what others added stays, and nothing secret is shown', () => {
    const desired = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'token', annotations: { ours: 'new' } } };

    const compared = compareObject(secret, desired, () => true);

    const diff = [
      '@@ -2,5 +2,6 @@',
      ' kind: Secret',
      ' metadata:',
      '   annotations:',
      '+    ours: new',
      '     theirs: kept',
      '   name: token',
      '',
    ].join('\n');
    expect(compared).toEqual({ change: 'updated', diff });
  });

  it('given an object of somebody else, then it is refused however it looks', () => {
    expect(compareObject(secret, secret, () => false)).toEqual({ change: 'refused' });
  });

  it.each([
    { given: 'an object that is not there', observed: undefined, expected: { change: 'created' } },
    { given: 'one that says all that is wanted', observed: secret, expected: { change: 'unchanged' } },
  ])('given $given, then it is $expected.change', ({ observed, expected }) => {
    expect(compareObject(observed, { metadata: { name: 'token' } }, () => true)).toEqual(expected);
  });

  it('given a part that stands twice, then it is written twice, and not by a name for it', () => {
    const rule = { verbs: ['get'] };
    const observed = { metadata: { name: 'role' }, rules: [] };

    expect(compareObject(observed, { metadata: { name: 'role' }, rules: [rule, rule] }, () => true)).toEqual({
      change: 'updated',
      diff: [
        '@@ -1,3 +1,7 @@',
        ' metadata:',
        '   name: role',
        '-rules: []',
        '+rules:',
        '+  - verbs:',
        '+      - get',
        '+  - verbs:',
        '+      - get',
        '',
      ].join('\n'),
    });
  });
});
