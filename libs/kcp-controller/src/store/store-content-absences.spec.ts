import { describe, expect, it } from '@jest/globals';
import { followedStore, names } from '../spec-support/followed-store.js';
import { clusterNamed, endpointOf, widget, WIDGETS } from '../spec-support/widgets.js';

describe('what an absence is to a store', () => {
  it('given that the endpoint says so, then the object is deleted', () => {
    const { fed, store, told } = followedStore();
    fed.begin();
    fed.apply(WIDGETS, widget('x'));

    fed.delete(WIDGETS, widget('x'));

    expect([names(store), told]).toEqual([[], ['x', 'gone x deleted']]);
  });

  it('given an endpoint that fails after it has listed, then its objects stay', () => {
    const { fed, store } = followedStore();
    fed.name(endpointOf('a'));
    fed.list(WIDGETS, [widget('x')], endpointOf('a'));

    fed.fail(endpointOf('a'));

    expect(names(store)).toEqual(['x']);
  });

  it('given a whole list without the object, then it is deleted', () => {
    const { fed, store, told } = followedStore();
    fed.name(endpointOf('a'));
    fed.list(WIDGETS, [widget('x'), widget('y')], endpointOf('a'));

    fed.list(WIDGETS, [widget('y', { resourceVersion: '2' })], endpointOf('a'));

    expect(names(store)).toEqual(['y']);
    expect(told).toEqual(['x', 'y', 'gone x deleted']);
  });

  it('given that the slice names the endpoint no more, then its objects are gone, because it was withdrawn', () => {
    const { fed, store, told } = followedStore();
    fed.name(endpointOf('a'));
    fed.list(WIDGETS, [widget('x')], endpointOf('a'));

    fed.name();

    expect(names(store)).toEqual([]);
    expect(told).toEqual(['x', 'gone x withdrawn']);
  });

  it('given a shard with a new address, then its objects stay until the new endpoint has listed, and none is told to be gone', () => {
    const { fed, store, told } = followedStore();
    fed.name(endpointOf('a'));
    fed.list(WIDGETS, [widget('x', { resourceVersion: '1' }), widget('y', { resourceVersion: '2' })], endpointOf('a'));

    fed.name(endpointOf('b'));
    expect(names(store)).toEqual(['x', 'y']);
    expect([...store.listings().values()].map(({ state }) => state)).toEqual(['withdrawn', 'syncing']);
    fed.list(WIDGETS, [widget('x', { resourceVersion: '1' })], endpointOf('b'));

    expect(names(store)).toEqual(['x']);
    expect(store.get({ cluster: clusterNamed('cluster-1'), name: 'x' })?.endpoint).toBe(endpointOf('b'));
    expect(told).toEqual(['x', 'y', 'x', 'gone y withdrawn']);
  });

  it('given a named endpoint that never listed, then what a withdrawn one showed is not proven gone', () => {
    const { fed, store } = followedStore();
    fed.name(endpointOf('a'), endpointOf('dead'));
    fed.list(WIDGETS, [widget('x')], endpointOf('a'));

    fed.name(endpointOf('dead'));
    expect(names(store)).toEqual(['x']);
    fed.list(WIDGETS, [], endpointOf('dead'));

    expect(names(store)).toEqual([]);
  });
});

describe('a store that keeps what withdrawn endpoints showed', () => {
  const [a, b] = [endpointOf('a'), endpointOf('b')];
  const cluster = clusterNamed('cluster-1');

  it('given that every endpoint has listed, then the objects stay until they are forgotten, and then they are gone', () => {
    const { fed, store, told } = followedStore({ keepsWithdrawn: true });
    fed.name(a);
    fed.list(WIDGETS, [widget('x'), widget('y', { cluster: 'cluster-2' })], a);
    fed.name(b);
    fed.list(WIDGETS, [], b);
    expect([names(store), store.hasListed(a)]).toEqual([['x', 'y'], true]);
    expect(store.withdrawn()).toEqual(new Map([[a, ['cluster-1', 'cluster-2']]]));

    store.forget(a, cluster);
    expect([names(store), store.withdrawn(), store.hasListed(a)]).toEqual([['y'], new Map([[a, ['cluster-2']]]), true]);
    store.forget(a, clusterNamed('cluster-2'));

    expect([names(store), store.withdrawn(), store.hasListed(a)]).toEqual([[], new Map(), false]);
    expect(told).toEqual(['x', 'y', 'gone x withdrawn', 'gone y withdrawn']);
  });

  it('given an object that another endpoint shows too, then that one counts, each can be asked for, and forgetting the other is no change', () => {
    const { fed, store, told } = followedStore({ keepsWithdrawn: true });
    fed.name(a);
    fed.list(WIDGETS, [widget('x', { color: 'red' })], a);
    fed.name(b);
    fed.list(WIDGETS, [widget('x', { color: 'blue' })], b);
    const colorsAt = (endpoint: typeof a) =>
      [store.at(endpoint), store.at(endpoint, cluster)].map((all) => all.map(({ value }) => value.color));
    expect([store.list().map(({ value }) => value.color), colorsAt(a), colorsAt(b)]).toEqual([
      ['blue'],
      [['red'], ['red']],
      [['blue'], ['blue']],
    ]);

    store.forget(a, cluster);

    expect([[...store].map(({ value }) => value.color), colorsAt(a), told]).toEqual([['blue'], [[], []], ['x', 'x']]);
  });

  it('given an endpoint that the slice names, or names again, then nothing of it is forgotten', () => {
    const { fed, store } = followedStore({ keepsWithdrawn: true });
    fed.name(a);
    fed.list(WIDGETS, [widget('x')], a);
    fed.name();
    fed.name(a);

    store.forget(a, cluster);

    expect([names(store), store.hasListed(a)]).toEqual([['x'], false]);
  });
});
