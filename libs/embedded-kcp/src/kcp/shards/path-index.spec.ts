import { describe, expect, it } from '@jest/globals';
import { logicalCluster, PATH_ANNOTATION } from '@dep-ctrl/kcp-names';
import { ShardStore } from '../../storage/shard-store.js';
import type { StoredObject } from '../../storage/stored-object.js';
import { PathIndex } from './path-index.js';

function write(store: ShardStore, where: string, path: string | undefined): StoredObject {
  const key = { cluster: logicalCluster(where), namespace: '', name: 'e' };
  const object = { metadata: { name: 'e', ...(path === undefined ? {} : { annotations: { [PATH_ANNOTATION]: path } }) } };
  const current = store.bucket('exports').get(key);
  const outcome = current === undefined ? store.create('exports', key, object) : store.replace('exports', current, object);
  if (outcome.state !== 'written') throw new Error(outcome.state);
  return outcome.stored;
}

describe(PathIndex, () => {
  const found = (index: PathIndex, path: string): readonly string[] => index.find(path, 'e').map((stored) => stored.cluster);

  it('given objects from before and after, when looked up, then each is found by its cluster and by the path that it says', () => {
    const store = new ShardStore(1);
    write(store, 'a', 'root:x');
    const index = new PathIndex(store.bucket('exports'));
    write(store, 'b', undefined);

    expect([found(index, 'a'), found(index, 'root:x'), found(index, 'b')]).toEqual([['a'], ['a'], ['b']]);
    expect(index.find('a', 'other')).toEqual([]);
  });

  it('given two that say one path, when looked up, then both are found, also where one says the name of the other cluster', () => {
    const store = new ShardStore(1);
    const index = new PathIndex(store.bucket('exports'));
    write(store, 'a', 'root:x');
    write(store, 'b', 'root:x');
    expect(found(index, 'root:x')).toEqual(['a', 'b']);

    write(store, 'b', 'a');

    expect([found(index, 'root:x'), found(index, 'a')]).toEqual([['a'], ['a', 'b']]);
  });

  it('given one that goes, when looked up, then it is found under none of its names', () => {
    const store = new ShardStore(1);
    const index = new PathIndex(store.bucket('exports'));
    const stored = write(store, 'a', 'root:x');

    store.remove('exports', stored);

    expect([found(index, 'a'), found(index, 'root:x')]).toEqual([[], []]);
  });
});
