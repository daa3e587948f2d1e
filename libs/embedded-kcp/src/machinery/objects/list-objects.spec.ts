import { describe, expect, it } from '@jest/globals';
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import { ShardStore } from '../../storage/shard-store.js';
import { listPage, type ListPage, type ListQuery } from './list-objects.js';

const cluster = 'root' as LogicalClusterName;
const BUCKET = '/things';

function stored(...names: readonly string[]): ShardStore {
  const store = new ShardStore(1);
  for (const name of names) {
    const [namespace = '', own = ''] = name.split('/');
    store.create(BUCKET, { cluster, namespace, name: own }, { metadata: { name: own, namespace, labels: { n: own } } });
  }
  return store;
}

function query(more: Partial<ListQuery> = {}): ListQuery {
  const none = { limit: 0, continueToken: '', resourceVersion: '', resourceVersionMatch: '' };
  return { ...none, labels: [], fields: [], scope: { cluster }, ...more };
}

function page(store: ShardStore, more: Partial<ListQuery> = {}): ListPage {
  return listPage(store.bucket(BUCKET), store.revision, query(more));
}

const names = ({ objects }: ListPage): string[] => objects.map(({ namespace, name }) => `${namespace}/${name}`);

describe(listPage, () => {
  it('given a name among the fields, then only the object of that name is there, if it meets the other conditions too', () => {
    const store = stored('a/1', 'a/2', 'b/1');
    const named = (name: string) => ({ path: ['metadata', 'name'], value: name, equal: true });
    const inA = { cluster, namespace: 'a' };

    expect(names(page(store, { scope: inA, fields: [named('1')] }))).toEqual(['a/1']);
    expect(names(page(store, { scope: { cluster }, fields: [named('1')] }))).toEqual(['a/1', 'b/1']);
    expect(names(page(store, { scope: inA, fields: [named('1'), { ...named('1'), equal: false }] }))).toEqual([]);
    expect(names(page(store, { scope: inA, fields: [named('3')] }))).toEqual([]);
  });

  it('given changes between pages, then all pages show the moment of the first', () => {
    const store = stored('a/1', 'a/2', 'b/1');
    const first = page(store, { limit: 2 });
    store.create(BUCKET, { cluster, namespace: 'a', name: '3' }, { metadata: { name: '3' } });
    const removed = store.bucket(BUCKET).get({ cluster, namespace: 'b', name: '1' });
    if (removed !== undefined) store.remove(BUCKET, removed);

    const second = page(store, { limit: 2, continueToken: first.continueToken ?? '' });

    expect([names(first), first.remaining, names(second), second.continueToken]).toEqual([['a/1', 'a/2'], 1, ['b/1'], undefined]);
    expect(second.revision).toBe(first.revision);
  });

  it('given a compaction between pages, then it is 410 with a token to go on inconsistently', () => {
    const store = stored('a/1', 'a/2', 'b/1');
    const first = page(store, { limit: 2 });
    store.create(BUCKET, { cluster, namespace: 'a', name: '3' }, { metadata: { name: '3' } });
    store.compact();

    let refused: unknown;
    try {
      page(store, { continueToken: first.continueToken ?? '' });
    } catch (error) {
      refused = error;
    }

    const { body } = refused as { body: { code: number; reason: string; metadata: { continue: string } } };
    expect([body.code, body.reason]).toEqual([410, 'Expired']);
    expect(names(page(store, { continueToken: body.metadata.continue }))).toEqual(['a/3', 'b/1']);
  });

  it('given selectors, then pages are filled with what matches and nothing is said of how much remains', () => {
    const store = stored('a/1', 'a/2', 'b/1', 'b/2');

    const first = page(store, { limit: 1, labels: [{ key: 'n', operator: 'in', values: ['1'] }] });

    expect([names(first), first.remaining, first.continueToken === undefined]).toEqual([['a/1'], undefined, false]);
  });

  it('given a namespace, then the token holds the name alone, as in etcd', () => {
    const store = stored('a/1', 'a/2');

    const { continueToken = '' } = page(store, { limit: 1, scope: { cluster, namespace: 'a' } });

    expect(JSON.parse(Buffer.from(continueToken, 'base64url').toString())).toEqual({ v: 'meta.k8s.io/v1', rv: 3, start: '/1\0' });
  });

  it('given an exact version, then the list is that of then', () => {
    const store = stored('a/1', 'a/2');

    expect(names(page(store, { resourceVersion: '2', resourceVersionMatch: 'Exact' }))).toEqual(['a/1']);
  });
});
