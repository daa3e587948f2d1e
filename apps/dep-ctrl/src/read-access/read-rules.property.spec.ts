import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { groupResourceKey, type GroupResource, type KubeObject } from '@dep-ctrl/kcp-names';
import { mergeTypes, readAccessIn, readRules } from './read-rules.js';

// Few names, so that lists share types; among them groups that begin as others do.
const type: fc.Arbitrary<GroupResource> = fc.record({
  group: fc.constantFrom('a.io', 'a.io-b', 'a', 'apis.kcp.io.example.com', 'z.example.com'),
  resource: fc.constantFrom('vms', 'vm', 'disks', 'apibindings'),
});
const types = fc.array(type, { maxLength: 12 });
const keys = (list: readonly GroupResource[]): ReadonlySet<string> => new Set(list.map(groupResourceKey));
const bytes = (list: readonly GroupResource[]): string => JSON.stringify(readRules({ kind: 'listed', types: list }));

describe(mergeTypes, () => {
  it('is the union: it has every type of both lists and no other', () => {
    fc.assert(fc.property(types, types, (a, b) => expect(keys(mergeTypes(a, b))).toEqual(keys([...a, ...b]))));
  });

  it('gives the same bytes in whatever order the types and the lists come', () => {
    fc.assert(
      fc.property(types, types, (a, b) => expect(bytes(mergeTypes(a, b))).toBe(bytes(mergeTypes([...b].reverse(), [...a].reverse())))),
    );
  });

  it('gives the same bytes when it is merged again', () => {
    fc.assert(fc.property(types, types, (a, b) => expect(bytes(mergeTypes(mergeTypes(a, b), b))).toBe(bytes(mergeTypes(a, b)))));
  });
});

describe(readAccessIn, () => {
  it('reads back what the rules were written from', () => {
    fc.assert(
      fc.property(types, (list) => {
        const role: KubeObject = { metadata: { name: 'role' }, rules: readRules({ kind: 'listed', types: list }) };

        expect(readAccessIn(role)).toEqual({ kind: 'listed', types: mergeTypes(list) });
      }),
    );
  });
});
