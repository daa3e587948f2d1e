import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { GroupResource } from '@dep-ctrl/kcp-names';
import { typeRules } from './read-rules.js';
import { bytesOf, shareOut } from './share-out.js';

const types = (count: number, group: string): readonly GroupResource[] =>
  Array.from({ length: count }, (_, index) => ({ group, resource: `r${String(index).padStart(3, '0')}` }));
const ONE = bytesOf(types(1, 'a.io'));

describe(shareOut, () => {
  it.each([
    { given: 'room for all', wanted: { a: 1, b: 5 }, room: 6, expected: { a: [1, 0], b: [5, 0] } },
    { given: 'one that exports far more than there is room for', wanted: { a: 2, b: 100 }, room: 10, expected: { a: [2, 0], b: [8, 92] } },
    { given: 'two that do', wanted: { a: 100, b: 2, c: 100 }, room: 10, expected: { a: [4, 96], b: [2, 0], c: [4, 96] } },
    { given: 'nobody', wanted: {}, room: 10, expected: {} },
  ])('given $given, then nobody loses a type within its share', ({ wanted, room, expected }) => {
    const lists = new Map(Object.entries(wanted).map(([name, count]) => [name, types(count, `${name}.io`)]));

    const shares = [...shareOut(lists, room * ONE)].map(([name, share]) => [name, [share.types.length, share.leftOut]]);

    expect(Object.fromEntries(shares)).toEqual(expected);
  });

  it('given no other bound, then there is room for thousands of types', () => {
    expect(shareOut(new Map([['a', types(4_000, 'a.io')]])).get('a')?.leftOut).toBe(0);
  });

  it('never gives more than the room, and never cuts a list that is no larger than an equal share', () => {
    const counts = fc.array(fc.nat({ max: 40 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(counts, fc.integer({ min: 1, max: 80 }), (list, room) => {
        const wanted = new Map(list.map((count, index) => [index, types(count, 'a.io')]));

        const shares = shareOut(wanted, room * ONE);

        expect(bytesOf([...shares.values()].flatMap((share) => share.types))).toBeLessThanOrEqual(room * ONE);
        const cut = [...shares].filter(([index, { leftOut }]) => leftOut > 0 && list[index]! <= room / list.length);
        expect(cut).toEqual([]);
      }),
    );
  });
});

describe(bytesOf, () => {
  it('is never less than what the rules of a ClusterRole take in JSON', () => {
    const type = fc.record({ group: fc.constantFrom('a.io', 'b.example.com'), resource: fc.constantFrom('vms', 'networks') });
    fc.assert(
      fc.property(fc.array(type, { maxLength: 6 }), (list) => {
        const rules = JSON.stringify(typeRules(list, ['get', 'list']));

        expect(bytesOf(list)).toBeGreaterThanOrEqual(rules.length - '[]'.length);
      }),
    );
  });
});
