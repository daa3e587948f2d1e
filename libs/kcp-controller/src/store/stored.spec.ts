import { describe, expect, it } from '@jest/globals';
import { clusterNamed, endpointOf } from '../spec-support/widgets.js';
import { isSameObject, keyOf, localKey, nameOf, nameOfKey, type Stored } from './stored.js';

const cluster = clusterNamed('cluster-1');

describe(keyOf, () => {
  it.each([
    { given: 'an object in a namespace', name: { cluster, namespace: 'n', name: 'x' }, key: 'cluster-1/n/x' },
    { given: 'an object of a type without namespaces', name: { cluster, name: 'x' }, key: 'cluster-1//x' },
  ])('given $given, then its key leads back to its name', ({ name, key }) => {
    expect(keyOf(name)).toBe(key);
    expect(nameOfKey(key)).toStrictEqual(name);
  });

  it.each(['', 'cluster-1', 'cluster-1/x'])('given "%s", then that is no key', (key) => {
    expect(() => nameOfKey(key)).toThrow(`"${key}" is no key of an object`);
  });
});

describe(nameOf, () => {
  it.each([
    { given: 'a name and a namespace', metadata: { namespace: 'n', name: 'x' }, expected: { cluster, namespace: 'n', name: 'x' } },
    { given: 'no name', metadata: {}, expected: { cluster, name: '' } },
  ])('given an object with $given, then that is its name', ({ metadata, expected }) => {
    expect(nameOf({ cluster, metadata })).toEqual(expected);
  });
});

describe(localKey, () => {
  it.each([
    { given: 'a name alone', name: { name: 'x' }, expected: 'x' },
    { given: 'an empty namespace', name: { namespace: '', name: 'x' }, expected: 'x' },
    { given: 'a namespace', name: { namespace: 'n', name: 'x' }, expected: 'n/x' },
    { given: 'nothing', name: {}, expected: '' },
  ])('given $given, then that is the key within a workspace', ({ name, expected }) => {
    expect(localKey(name)).toBe(expected);
  });
});

describe(isSameObject, () => {
  it.each([
    { given: 'the same uid', one: 'u1', other: 'u1', isSame: true },
    { given: 'two uids', one: 'u1', other: 'u2', isSame: false },
    { given: 'a first one without a uid', one: undefined, other: 'u2', isSame: true },
    { given: 'a second one without a uid', one: 'u1', other: undefined, isSame: true },
  ])('given $given, then it is the same object: $isSame', ({ one, other, isSame }) => {
    expect(isSameObject(versionOf(one), versionOf(other))).toBe(isSame);
  });
});

function versionOf(uid: string | undefined): Stored<string> {
  return { endpoint: endpointOf('a'), cluster, metadata: { name: 'x', ...(uid === undefined ? {} : { uid }) }, value: 'red' };
}
