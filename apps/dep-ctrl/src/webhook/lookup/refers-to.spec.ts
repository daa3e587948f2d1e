import { describe, expect, it } from '@jest/globals';
import { ReferenceTree, type ReferencePaths } from '@dep-ctrl/fieldpath';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { atOnce } from '@dep-ctrl/fair-shares';
import { dependentOf, referringIn, staysInNamespace } from './refers-to.js';
import { path, virtualMachine } from '../testing/objects.js';

const name = path('.spec.ref.name');
const withNamespace = { fieldPath: name, namespacePath: path('.spec.ref.namespace') };
const inDefault = { name: 'my-vpc', namespace: 'default' };
const nowhere: { readonly name: string; readonly namespace?: string } = { name: 'my-vpc' };

const refersTo = (object: KubeObject, paths: ReferencePaths, subject: Parameters<typeof referringIn>[2]): boolean =>
  atOnce(referringIn(object, new ReferenceTree([paths]), subject)).length > 0;

describe(referringIn, () => {
  it.each([
    { given: 'namespaced to namespaced, same namespace', from: 'default', ref: {}, to: inDefault, expected: true },
    { given: 'namespaced to namespaced, other namespace', from: 'prod', ref: {}, to: inDefault, expected: false },
    { given: 'namespaced to namespaced, another name', from: 'default', ref: { name: 'other' }, to: inDefault, expected: false },
    { given: 'namespaced to namespaced, no reference', from: 'default', ref: { name: undefined }, to: inDefault, expected: false },
    { given: 'namespaced to cluster-scoped', from: 'prod', ref: {}, to: nowhere, expected: true },
    { given: 'cluster-scoped to namespaced', from: undefined, ref: {}, to: inDefault, expected: true },
    { given: 'an empty namespace, which is none, to namespaced', from: '', ref: {}, to: inDefault, expected: true },
    { given: 'cluster-scoped to cluster-scoped', from: undefined, ref: {}, to: nowhere, expected: true },
    { given: 'cluster-scoped to cluster-scoped, another name', from: undefined, ref: { name: 'other' }, to: nowhere, expected: false },
  ])('given $given, then $expected', ({ from, ref, to, expected }) => {
    expect(refersTo(object(from, ref), { fieldPath: name }, to)).toBe(expected);
  });

  it.each([
    { given: 'a reference into the namespace', from: 'prod', ref: { namespace: 'default' }, to: inDefault, expected: true },
    { given: 'a reference out of the namespace', from: 'default', ref: { namespace: 'prod' }, to: inDefault, expected: false },
    { given: 'no namespace named, from the same', from: 'default', ref: {}, to: inDefault, expected: true },
    { given: 'no namespace named, from another', from: 'prod', ref: {}, to: inDefault, expected: false },
    { given: 'an empty namespace, from the same', from: 'default', ref: { namespace: '' }, to: inDefault, expected: true },
    { given: 'cluster-scoped, the namespace named', from: undefined, ref: { namespace: 'default' }, to: inDefault, expected: true },
    { given: 'cluster-scoped, another namespace named', from: undefined, ref: { namespace: 'prod' }, to: inDefault, expected: false },
    { given: 'cluster-scoped, none named', from: undefined, ref: {}, to: inDefault, expected: true },
    { given: 'a dependency without namespaces', from: 'prod', ref: { namespace: 'prod' }, to: nowhere, expected: true },
  ])('given a namespace path and $given, then $expected', ({ from, ref, to, expected }) => {
    expect(refersTo(object(from, ref), withNamespace, to)).toBe(expected);
  });

  it('given lists of references, then name and namespace pair per element', () => {
    const peers: KubeObject = {
      metadata: { name: 'a', namespace: 'x' },
      spec: {
        peers: [
          { name: 'my-vpc', namespace: 'prod' },
          { name: 'other', namespace: 'default' },
        ],
      },
    };
    const paths = { fieldPath: path('.spec.peers[*].name'), namespacePath: path('.spec.peers[*].namespace') };

    expect(refersTo(peers, paths, inDefault)).toBe(false);
    expect(refersTo(peers, paths, { name: 'my-vpc', namespace: 'prod' })).toBe(true);
  });
});

describe(staysInNamespace, () => {
  it.each([
    { isNamespaced: true, paths: [{ fieldPath: name }], to: inDefault, expected: true },
    { isNamespaced: false, paths: [{ fieldPath: name }], to: inDefault, expected: false },
    { isNamespaced: true, paths: [{ fieldPath: name }], to: nowhere, expected: false },
    { isNamespaced: true, paths: [{ fieldPath: name }, withNamespace], to: inDefault, expected: false },
  ])(
    'given namespaced dependents $isNamespaced and $paths.length paths to $to, then $expected',
    ({ isNamespaced, paths, to, expected }) => {
      expect(staysInNamespace(isNamespaced, paths, to)).toBe(expected);
    },
  );
});

describe(dependentOf, () => {
  it('given an object that is being deleted, then it says so', () => {
    expect(dependentOf(virtualMachine('a', 'b', { deletionTimestamp: '2026-01-01T00:00:00Z' }))).toEqual({
      kind: 'VirtualMachine',
      namespace: 'default',
      name: 'a',
      uid: 'uid-of-a',
      isTerminating: true,
    });
  });

  it.each([
    { given: 'an object that says nothing of itself', of: { metadata: {} } },
    { given: 'an object whose texts are empty', of: { kind: '', metadata: { name: '', namespace: '', deletionTimestamp: '' } } },
  ])('given $given, then it has no name, and nothing else is claimed', ({ of }) => {
    expect(Object.entries(dependentOf(of))).toEqual([
      ['name', ''],
      ['isTerminating', false],
    ]);
  });
});

function object(namespace: string | undefined, ref: Readonly<Record<string, unknown>>): KubeObject {
  return { metadata: { name: 'a', ...(namespace === undefined ? {} : { namespace }) }, spec: { ref: { name: 'my-vpc', ...ref } } };
}
