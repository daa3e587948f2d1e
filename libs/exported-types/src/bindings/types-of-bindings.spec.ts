import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { typesOfBindings, type BoundType } from './types-of-bindings.js';

describe(typesOfBindings, () => {
  it.each([
    { given: 'no bindings', bindings: [], expected: [] },
    { given: 'two bindings', bindings: [bindingOf('x', 'b', 'c'), bindingOf('y', 'a')], expected: ['y/a', 'x/b', 'x/c'] },
    { given: 'a binding that kcp has not bound yet', bindings: [bindingOf(undefined, 'a')], expected: [] },
    {
      given: 'a binding with nonsense for types',
      bindings: [{ metadata: {}, status: { apiExportClusterName: 'x', boundResources: 7 } }],
      expected: [],
    },
    { given: 'a type of two bindings', bindings: [bindingOf('y', 'a'), bindingOf('x', 'a')], expected: ['x/a'] },
  ])('given $given', ({ bindings, expected }) => {
    expect(typesOfBindings(bindings).map(textOf)).toEqual(expected);
  });

  it('given a type that is stored in two versions, then both are known, the oldest text first', () => {
    const resource = { group: 'g.example.com', resource: 'a', storageVersions: ['v2', 'v1'] };

    const [type] = typesOfBindings([{ metadata: {}, status: { apiExportClusterName: 'x', boundResources: [resource] } }]);

    expect(type?.versions).toEqual(['v1', 'v2']);
  });

  it('law: the order of bindings is irrelevant, and a type counts once', () => {
    const binding = fc
      .tuple(fc.constantFrom('x', 'y', 'z'), fc.uniqueArray(fc.constantFrom('a', 'b', 'c')))
      .map(([exporter, resources]) => bindingOf(exporter, ...resources));
    fc.assert(
      fc.property(fc.array(binding), (bindings) => {
        const types = typesOfBindings(bindings);

        expect(typesOfBindings(bindings.toReversed())).toEqual(types);
        expect(new Set(types.map(({ resource }) => resource)).size).toBe(types.length);
      }),
    );
  });
});

/** An APIBinding that brings types. */
function bindingOf(exporter: string | undefined, ...resources: readonly string[]): KubeObject {
  return {
    metadata: { name: `${String(exporter)}-${resources.join('-')}` },
    status: {
      ...(exporter !== undefined && { apiExportClusterName: exporter }),
      boundResources: resources.map((resource) => ({ group: 'g.example.com', resource, storageVersions: ['v1'], schema: { UID: 'u' } })),
    },
  };
}

function textOf({ exporter, resource }: BoundType): string {
  return `${exporter}/${resource}`;
}
