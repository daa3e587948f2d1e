import { describe, expect, it } from '@jest/globals';
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import { StoredObject } from '../../storage/stored-object.js';
import { limitProblem } from './workspace-type-limits.js';
import { qualifiedName, resolveType, typeClosure, type FindType } from './workspace-types.js';

function type(path: string, name: string, spec: object = {}): StoredObject {
  const object = { apiVersion: 'tenancy.kcp.io/v1alpha1', kind: 'WorkspaceType', metadata: { name, annotations: { 'kcp.io/path': path } } };
  return new StoredObject({ cluster: `of-${path}` as LogicalClusterName, namespace: '', name }, 1, { ...object, spec });
}

function extending(...names: readonly string[]): object {
  return { extend: { with: names.map((name) => ({ path: 'root:types', name })) } };
}

function finder(...types: readonly StoredObject[]): FindType {
  return ({ path, name }) => types.find((one) => qualifiedName(one) === `${path}:${name}`);
}

const base = type('root:types', 'base');
const left = type('root:types', 'left', extending('base'));
const right = type('root:types', 'right', extending('base'));

describe(typeClosure, () => {
  it.each([
    { given: 'nothing extended', spec: {}, expected: ['leaf'] },
    { given: 'a type two ways', spec: extending('left', 'right'), expected: ['left', 'base', 'right', 'leaf'] },
    { given: 'a type that a later one extends too', spec: extending('base', 'left'), expected: ['base', 'left', 'leaf'] },
  ])('given $given, then what is extended comes first, each once', ({ spec, expected }) => {
    const closure = typeClosure(type('root:types', 'leaf', spec), finder(base, left, right));

    expect(closure.map(({ name }) => name)).toEqual(expected);
  });

  it.each([
    { given: 'a missing type', spec: extending('nope'), expected: 'unable to find inherited workspace type nope' },
    {
      given: 'a ring that it leads to',
      spec: extending('ring'),
      expected: 'circular dependency detected in workspace type root:types:ring: root:types:ring',
    },
  ])('given $given, then it is refused', ({ spec, expected }) => {
    const find = finder(type('root:types', 'ring', extending('ring')));

    expect(() => typeClosure(type('root:types', 'leaf', spec), find)).toThrow(expected);
  });
});

describe(resolveType, () => {
  it.each([
    { given: 'the workspace itself', from: 'root:types', expected: 'root:types:base' },
    { given: 'a workspace below', from: 'root:types:a:b', expected: 'root:types:base' },
    { given: 'a cluster without a path', from: '1abc', expected: 'root:base' },
  ])('given $given, then the nearest type of that name is found, at last in root', ({ from, expected }) => {
    const found = resolveType({ path: '', name: 'base' }, from, finder(base, type('root', 'base')));

    expect(found === undefined ? undefined : qualifiedName(found)).toBe(expected);
  });
});

describe(limitProblem, () => {
  const only = { types: [{ path: 'root:types', name: 'base' }] };

  it.each([
    { given: 'no limits', parent: base, child: left, expected: undefined },
    {
      given: 'a parent that is admitted',
      parent: base,
      child: type('root:types', 'c', { limitAllowedParents: only }),
      expected: undefined,
    },
    { given: 'an empty list', parent: left, child: type('root:types', 'c', { limitAllowedParents: { types: [] } }), expected: undefined },
    {
      given: 'a parent that may have no child',
      parent: type('root:types', 'p', { limitAllowedChildren: { none: true } }),
      child: base,
      expected: 'workspace type root:types:p cannot have any child',
    },
    {
      given: 'limits of both',
      parent: type('root:types', 'p', { limitAllowedChildren: { none: true } }),
      child: type('root:types', 'c', { limitAllowedParents: only }),
      expected:
        'workspace type root:types:c only allows [root:types:base] parent workspaces, but parent type root:types:p only implements [root:types:p]',
    },
  ])('given $given, then $expected', ({ parent, child, expected }) => {
    const named = (one: StoredObject): { name: string; closure: readonly StoredObject[] } => ({ name: qualifiedName(one), closure: [one] });

    expect(limitProblem(named(parent), named(child))).toBe(expected);
  });
});
