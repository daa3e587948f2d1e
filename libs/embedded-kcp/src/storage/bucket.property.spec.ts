import { describe, expect, it } from '@jest/globals';
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import fc from 'fast-check';
import { outerKey } from './bucket.js';
import { ShardStore } from './shard-store.js';

const BUCKET = 'example.com/things';
const key = fc.record({
  cluster: fc.constantFrom('root', 'other').map((name) => name as LogicalClusterName),
  namespace: fc.constantFrom('', 'a', 'b'),
  name: fc.constantFrom('x', 'y', 'z'),
});
const steps = fc.array(fc.record({ key, act: fc.constantFrom('create', 'replace', 'remove') }), { maxLength: 40 });

interface Step {
  key: { cluster: LogicalClusterName; namespace: string; name: string };
  act: string;
}

function perform(store: ShardStore, { key: at, act }: Step): void {
  const current = store.bucket(BUCKET).get(at);
  if (act === 'create') store.create(BUCKET, at, { metadata: { name: at.name, namespace: at.namespace } });
  else if (current !== undefined && act === 'replace') store.replace(BUCKET, current, { ...current.object, changed: store.revision });
  else if (current !== undefined) store.remove(BUCKET, current);
}

const shown = (store: ShardStore): string[] =>
  store
    .bucket(BUCKET)
    .list({ cluster: '*' })
    .map((one) => `${outerKey(one)}@${one.revision}`);

describe('laws of storage', () => {
  it('a list at a revision is what a list was at that revision', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const store = new ShardStore(1);
        const history = all.map((step) => {
          perform(store, step);
          return { revision: store.revision, list: shown(store) };
        });

        for (const { revision, list } of history) {
          const then = store.bucket(BUCKET).listAt({ cluster: '*' }, revision);
          expect(then?.map((one) => `${outerKey(one)}@${one.revision}`)).toEqual(list);
        }
      }),
    );
  });

  it('a state and the events after it make the state of now', () => {
    fc.assert(
      fc.property(steps, fc.nat(39), (all, at) => {
        const store = new ShardStore(1);
        all.slice(0, at).forEach((step) => perform(store, step));
        const [revision, then] = [
          store.revision,
          new Map(
            store
              .bucket(BUCKET)
              .list({ cluster: '*' })
              .map((one) => [outerKey(one), one]),
          ),
        ];
        all.slice(at).forEach((step) => perform(store, step));

        for (const { type, current } of store.bucket(BUCKET).eventsAfter(revision) ?? []) {
          if (type === 'deleted') then.delete(outerKey(current));
          else then.set(outerKey(current), current);
        }

        expect([...then].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => `${outerKey(one)}@${one.revision}`)).toEqual(shown(store));
      }),
    );
  });

  it('revisions only grow, and of two writers of one version one loses', () => {
    const store = new ShardStore(7);
    const at = { cluster: 'root' as LogicalClusterName, namespace: '', name: 'x' };
    const first = store.create(BUCKET, at, { metadata: { name: 'x' } });
    if (first.state !== 'written') throw new Error(first.state);

    const second = store.replace(BUCKET, first.stored, first.stored.object);
    const late = store.replace(BUCKET, first.stored, first.stored.object);

    expect([first.stored.revision, second.state, late.state]).toEqual([8, 'written', 'changed']);
  });

  it('after a compaction what was before is not known any more', () => {
    const store = new ShardStore(1);
    store.create(BUCKET, { cluster: 'root' as LogicalClusterName, namespace: '', name: 'x' }, { metadata: { name: 'x' } });

    store.compact();

    expect(store.bucket(BUCKET).eventsAfter(1)).toBeUndefined();
    expect(store.bucket(BUCKET).eventsAfter(2)).toEqual([]);
    expect(store.bucket('made/later').eventsAfter(1)).toBeUndefined();
  });
});
