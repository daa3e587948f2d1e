import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { clusterNamed, endpointOf } from '../spec-support/widgets.js';
import { IndexBucket } from './index-bucket.js';
import { StoreIndexes } from './store-indexes.js';
import type { Stored } from './stored.js';

describe(StoreIndexes, () => {
  it('given a version with the same values, then it takes the place of the old one under each', () => {
    const indexes = build();
    indexes.change(undefined, stored(['red', 'blue', 'red']));

    const next = stored(['red', 'blue', 'red']);
    indexes.change([...indexes.by('color', 'red')][0], next);

    expect(['red', 'blue', 'green'].map((value) => [...indexes.by('color', value)])).toEqual([[next], [next], []]);
  });

  it.each([
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
      indexes.change(undefined, first);

      indexes.change(first, next);
      for (const value of ['red', 'blue', 'green']) expect([...indexes.by('color', value)]).toEqual(values.includes(value) ? [next] : []);
      indexes.change(next, undefined);

      expect(['red', 'blue', 'green'].flatMap((value) => [...indexes.by('color', value)])).toEqual([]);
    },
  );

  it('given neither a version before nor one after, then nothing changes', () => {
    const indexes = build();
    const only = stored(['red']);
    indexes.change(undefined, only);

    indexes.change(undefined, undefined);

    expect([...indexes.by('color', 'red')]).toEqual([only]);
  });
});

it('given any changes, then a bucket holds what a set holds', () => {
  const item = fc.integer({ min: 1, max: 40 });
  const command = fc.record({ do: fc.constantFrom('add' as const, 'add' as const, 'delete' as const, 'swap' as const), item });
  fc.assert(
    fc.property(fc.nat(40), fc.array(command, { maxLength: 80 }), (size, commands) => {
      const [bucket, model] = [new IndexBucket(0), new Set([0])];
      for (let each = 1; each <= size; each += 1) {
        bucket.add(each);
        model.add(each);
      }
      for (const { do: what, item: each } of commands) {
        // A new version is another object: its number is one that no other has.
        if (what === 'swap') bucket.swap(each, -each);
        else bucket[what](each);
        if (what === 'add') model.add(each);
        else if (model.delete(each) && what === 'swap') model.add(-each);
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
