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

  it('given a version with other values, then it is found under those alone', () => {
    const indexes = build();
    const [first, next] = [stored(['red', 'blue']), stored(['blue', 'green'])];
    indexes.change(undefined, first);

    indexes.change(first, next);
    expect(['red', 'blue', 'green'].map((value) => [...indexes.by('color', value)])).toEqual([[], [next], [next]]);
    indexes.change(next, undefined);

    expect(['red', 'blue', 'green'].flatMap((value) => [...indexes.by('color', value)])).toEqual([]);
  });
});

it('given any changes, then a bucket holds what a set holds', () => {
  const item = fc.integer({ min: 1, max: 40 });
  const command = fc.record({ do: fc.constantFrom('add' as const, 'add' as const, 'delete' as const, 'swap' as const), item });
  fc.assert(
    fc.property(fc.array(command, { maxLength: 80 }), (commands) => {
      const [bucket, model] = [new IndexBucket(0), new Set([0])];
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
