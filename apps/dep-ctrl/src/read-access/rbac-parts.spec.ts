import { describe, expect, it } from '@jest/globals';
import { policyRulesIn, subjectsIn } from './rbac-parts.js';

describe(policyRulesIn, () => {
  it.each([
    { given: 'no list', list: undefined, expected: [] },
    {
      given: 'a rule',
      list: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
      expected: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
    },
    { given: 'names that are none', list: [{ resourceNames: [], verbs: ['get', 7] }], expected: [{ resourceNames: [], verbs: ['get'] }] },
    { given: 'what is no rule', list: [7], expected: [{ verbs: [] }] },
  ])('given $given, then that is read of it', ({ list, expected }) => {
    expect(policyRulesIn(list)).toEqual(expected);
  });
});

describe(subjectsIn, () => {
  it('given subjects, then each is read, with empty words for what is absent or no text', () => {
    const subjects = [{ kind: 'User', name: 'c' }, { kind: 'ServiceAccount', name: 'd', namespace: 'default' }, { namespace: 7 }, 7];

    expect(subjectsIn({ metadata: {}, subjects })).toEqual([
      { kind: 'User', name: 'c', namespace: '' },
      { kind: 'ServiceAccount', name: 'd', namespace: 'default' },
      { kind: '', name: '', namespace: '' },
      { kind: '', name: '', namespace: '' },
    ]);
  });

  it('given none, then none', () => {
    expect(subjectsIn({ metadata: {} })).toEqual([]);
  });
});
