import { describe, expect, it } from '@jest/globals';
import { checkMetadata, checkName } from './metadata-rules.js';

const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: 'b' };

describe(checkMetadata, () => {
  it.each([
    { given: 'good labels', metadata: { labels: { 'a.b/C_d': 'x.y', plain: '' } }, expected: [] },
    { given: 'a label key with a space', metadata: { labels: { 'a b': '' } }, expected: [/name part must consist of/] },
    { given: 'no label key', metadata: { labels: { '': '' } }, expected: [/name part must be non-empty/, /name part must consist/] },
    { given: 'two slashes', metadata: { labels: { 'a/b/c': '' } }, expected: [/optional DNS subdomain prefix/] },
    { given: 'upper case in a domain', metadata: { labels: { 'A.b/c': '' } }, expected: [/prefix part a lowercase RFC 1123/] },
    { given: 'a long label', metadata: { labels: { a: 'x'.repeat(64) } }, expected: [/must be no more than 63 bytes/] },
    { given: 'an annotation with upper case in its domain', metadata: { annotations: { 'A.b/c': 'any thing' } }, expected: [] },
    { given: 'an annotation key with a space', metadata: { annotations: { 'a b': '' } }, expected: [/name part must consist of/] },
    { given: 'too many annotations', metadata: { annotations: { a: 'x'.repeat(262_144) } }, expected: [/more than 262144 bytes/] },
    { given: 'as many as may be', metadata: { annotations: { a: 'x'.repeat(262_143) } }, expected: [] },
    { given: 'an owner', metadata: { ownerReferences: [owner, owner] }, expected: [] },
    { given: 'an owner without uid', metadata: { ownerReferences: [{ ...owner, uid: '' }] }, expected: [/must not be empty/] },
    { given: 'an Event as owner', metadata: { ownerReferences: [{ ...owner, kind: 'Event' }] }, expected: [/disallowed from being/] },
    {
      given: 'two controllers',
      metadata: {
        ownerReferences: [
          { ...owner, controller: true },
          { ...owner, name: 'c', controller: true },
        ],
      },
      expected: [/Found "true" in references for ConfigMap\/a and ConfigMap\/c$/],
    },
    { given: 'a finalizer with a domain', metadata: { finalizers: ['a.b/c'] }, expected: [] },
    { given: 'a finalizer of Kubernetes', metadata: { finalizers: ['foregroundDeletion'] }, expected: [] },
    { given: 'a finalizer without a domain', metadata: { finalizers: ['abc'] }, expected: [/nor is it fully qualified/] },
  ])('given $given, then it says so', ({ metadata, expected }) => {
    const found = checkMetadata(metadata, 'core').map(({ message }) => message);

    expect(found).toEqual(expected.map((pattern) => expect.stringMatching(pattern) as unknown));
  });

  it('given a finalizer without a domain, then a custom resource takes it', () => {
    expect(checkMetadata({ finalizers: ['abc'] }, 'other')).toEqual([]);
  });
});

describe(checkName, () => {
  it.each([
    { name: 'a.b', rule: 'subdomain', isRight: true },
    { name: 'A', rule: 'subdomain', isRight: false },
    { name: 'a.b', rule: 'label', isRight: false },
    { name: 'x'.repeat(64), rule: 'label', isRight: false },
    { name: 'system:A', rule: 'path', isRight: true },
    { name: 'a/b', rule: 'path', isRight: false },
  ] as const)('given $name where a $rule is asked for, then it is right: $isRight', ({ name, rule, isRight }) => {
    expect(checkName(name, rule).length === 0).toBe(isRight);
  });
});
