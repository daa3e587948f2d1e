import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { clusterNamed, endpointOf } from '../spec-support/widgets.js';
import { IndexBucket } from './index-bucket.js';
import type { Slot } from './endpoint-shelves.js';
import { StoreIndexes } from './store-indexes.js';
import type { Stored } from './stored.js';

describe(StoreIndexes, () => {
  it.each([
    { old: ['red', 'blue', 'red'], values: ['red', 'blue', 'red'] },
    { old: ['red', 'blue'], values: ['blue', 'green'] },
    { old: ['red', 'blue'], values: ['red', 'green'] },
    { old: ['red'], values: ['red', 'blue'] },
    { old: ['red', 'red'], values: ['blue', 'green'] },
    { old: ['red', 'green'], values: [] },
    { old: [], values: ['red', 'green', 'red'] },
  ])(
    'given values $old, when a version with $values takes its place, then it is found under those alone, until it goes',
    ({ old, values }) => {
      const indexes = build();
      const [first, next] = [stored(old), stored(values)];
      const slot: Slot<readonly string[]> = { entry: first };
      indexes.add(slot, first);

      slot.entry = next;
      indexes.renew(slot, first, next);
      for (const value of ['red', 'blue', 'green']) expect([...indexes.by('color', value)]).toEqual(values.includes(value) ? [next] : []);
      indexes.remove(slot, next);

      expect(['red', 'blue', 'green'].flatMap((value) => [...indexes.by('color', value)])).toEqual([]);
    },
  );
});

it('given any changes, then a bucket holds what a set holds', () => {
  const item = fc.integer({ min: 1, max: 40 });
  const command = fc.record({ do: fc.constantFrom('add' as const, 'add' as const, 'delete' as const), item });
  fc.assert(
    fc.property(fc.nat(40), fc.array(command, { maxLength: 80 }), (size, commands) => {
      const [bucket, model] = [new IndexBucket(0), new Set([0])];
      for (let each = 1; each <= size; each += 1) {
        bucket.add(each);
        model.add(each);
      }
      for (const { do: what, item: each } of commands) {
        bucket[what](each);
        model[what](each);
      }
      expect([...bucket.items()].sort()).toEqual([...model].sort());
      expect(bucket.size).toBe(model.size);
    }),
  );
});

function build(): StoreIndexes<readonly string[], 'color'> {
  return new StoreIndexes({ color: ({ value }) => value });
}

function stored(value: readonly string[]): Stored<readonly string[]> {
  return { endpoint: endpointOf('a'), cluster: clusterNamed('cluster-1'), metadata: { name: 'x' }, value };
}
