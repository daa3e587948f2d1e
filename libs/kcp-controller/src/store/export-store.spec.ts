import { describe, expect, it } from '@jest/globals';
import { ManualClock, settled } from '@dep-ctrl/kcp-client/testing';
import { clusterNamed, endpointOf, parseWidget, widget, WIDGETS } from '../spec-support/widgets.js';
import { FedStores } from '../testing/index.js';

const [A, B] = ['a', 'b'].map(endpointOf) as [ReturnType<typeof endpointOf>, ReturnType<typeof endpointOf>];

describe('the sync barrier of a store', () => {
  it('given a slice that was not read, then it waits', async () => {
    const { answer, clock } = world();

    await clock.advance(1_000);

    expect(answer()).toBeUndefined();
  });

  it('given a slice without endpoints, then all is read', async () => {
    const { fed, answer, clock } = world();

    fed.name();
    await clock.advance(20);

    expect(answer()).toEqual([]);
  });

  it('given two endpoints, then it waits for both', async () => {
    const { fed, store, answer, clock } = world();
    fed.name(A, B);
    fed.list(WIDGETS, [], A);
    await clock.advance(1_000);
    expect([answer(), store.isWhole()]).toEqual([undefined, false]);

    fed.list(WIDGETS, [], B);
    await clock.advance(20);

    expect([answer(), store.isWhole()]).toEqual([[], true]);
  });

  it('given an endpoint that fails, then nobody waits for it, and the answer names it', async () => {
    const { fed, store, answer, clock } = world();
    fed.name(A, B);
    fed.fail(B);
    fed.list(WIDGETS, [widget('x')], A);

    await clock.advance(20);

    expect(answer()).toEqual([B]);
    expect(store.isWhole()).toBe(false);
    expect(store.listings().get(B)).toMatchObject({ state: 'away' });
  });

  it('given an endpoint that says nothing at all, then it gets its time from the reading of the slice on, and no more', async () => {
    const { fed, answer, clock } = world();
    await clock.advance(2_000);
    fed.name(A, B);
    fed.list(WIDGETS, [], A);

    await clock.advance(9_900);
    expect(answer()).toBeUndefined();
    await clock.advance(200);

    expect(answer()).toEqual([B]);
  });

  it('given a signal that aborts, then it rejects with its reason', async () => {
    const { store } = world();
    const stop = new AbortController();
    const waiting = store.whenSynced(stop.signal);

    stop.abort(new Error('enough'));

    await expect(waiting).rejects.toThrow('enough');
  });
});

it('given objects of the same name in workspaces and namespaces, then each is its own', () => {
  const { fed, store } = world();
  fed.begin();
  fed.list(WIDGETS, [
    widget('w'),
    widget('w', { namespace: 'default' }),
    widget('w', { cluster: 'cluster-2', namespace: 'default', color: 'blue' }),
  ]);

  const one = store.get({ cluster: clusterNamed('cluster-1'), namespace: 'default', name: 'w' });
  expect(store.size).toBe(3);
  expect(one?.value).toEqual({ color: 'red' });
  expect(store.list(clusterNamed('cluster-2')).map(({ value }) => value.color)).toEqual(['blue']);
  expect(store.clientOf(one!).describe('get', WIDGETS)).toMatchObject({ asked: 'get widgets.example.com in "cluster-1"' });
});

function world() {
  const clock = new ManualClock();
  const fed = new FedStores({ clock });
  const store = fed.store({ type: WIDGETS, parse: parseWidget });
  let answered: readonly string[] | undefined;
  const signal = new AbortController().signal;
  void store.whenSynced(signal).then((answer) => (answered = answer));
  return { fed, store, clock, answer: () => answered, settled };
}
