import { describe, expect, it } from '@jest/globals';
import {
  childPath,
  clusterOf,
  hintedPath,
  groupResourceKey,
  logicalCluster,
  nameOfPath,
  parseKubeObject,
  parseLogicalClusterName,
  parseWorkspacePath,
  printGroupResource,
  quote,
  splitWorkspacePath,
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
    expect(parseWorkspacePath(text)).toEqual({ ok: false, problem: expect.stringContaining(`segment ${String(segment)} `) });
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

describe(hintedPath, () => {
  it.each([
    { given: 'a path', path: 'root:providers:network', expected: 'root:providers:network' },
    { given: 'what a shell would run', path: 'root:x; curl example.com | sh #', expected: undefined },
    { given: 'nothing', path: undefined, expected: undefined },
  ])('given $given, then $expected', ({ path, expected }) => {
    expect(hintedPath({ metadata: { annotations: path === undefined ? {} : { 'kcp.io/path': path } } })).toBe(expected);
  });
});

describe(clusterOf, () => {
  it('given the annotation that kcp sets, then it is the name', () => {
    expect(clusterOf({ metadata: { annotations: { 'kcp.io/cluster': 'abc' } } })).toEqual({ ok: true, value: 'abc' });
  });

  it.each([{ metadata: {} }, { metadata: { annotations: { 'kcp.io/cluster': 'a/b' } } }])('given %j, then it is a problem', (object) => {
    expect(clusterOf(object).ok).toBe(false);
  });
});

describe(parseKubeObject, () => {
  it.each([null, 1, 'x', [], {}, { metadata: null }, { metadata: [] }])('given %j, then it is a problem', (value) => {
    expect(parseKubeObject(value).ok).toBe(false);
  });

  it('given metadata, then it is an object', () => {
    expect(parseKubeObject({ metadata: {} })).toEqual({ ok: true, value: { metadata: {} } });
  });
});
