import { describe, expect, it } from '@jest/globals';
import { endpointOf, GEARS, parseWidget, widget, WIDGETS, type Widget } from '../spec-support/widgets.js';
import type { ExportStore } from '../store/export-store.js';
import { nameOf, type ObjectName } from '../store/stored.js';
import { FedStores } from '../testing/fed-stores.js';
import { mapped, owned, type Watch } from './watches.js';

describe(mapped, () => {
  it('given a change, then the names of both versions are concerned, the last one first', () => {
    const site = new Site(byColor);
    site.fed.apply(GEARS, widget('g', { color: 'red' }));
    expect(site.news()).toEqual(['concerns /red']);

    site.fed.apply(GEARS, widget('g', { color: 'blue' }));
    expect(site.news()).toEqual(['concerns /red', 'concerns /blue']);

    site.fed.delete(GEARS, widget('g', { color: 'blue' }));
    expect(site.news()).toEqual(['concerns /blue']);
  });

  it('given a version that cannot be parsed, then the names of the last one are concerned', () => {
    const site = new Site(byColor);
    site.fed.apply(GEARS, widget('g', { color: 'red' }));
    site.news();

    site.fed.apply(GEARS, widget('g', { color: 7 }));

    expect(site.news()).toEqual(['concerns /red']);
  });

  it('given an endpoint that lists, then that is told after its changes', () => {
    const site = new Site(byColor);

    site.fed.list(GEARS, [widget('g')], endpointOf('a'));

    expect(site.news()).toEqual(['concerns /red', `listed ${endpointOf('a')}`]);
  });

  it('given a mapping that throws, then that is told, and the next object is mapped', () => {
    const site = new Site((gears) =>
      mapped(gears, (stored) => {
        if (stored.value.color === 'bad') throw new Error('a bug');
        return [nameOf(stored)];
      }),
    );

    site.fed.list(GEARS, [widget('a', { color: 'bad' }), widget('b')], endpointOf('a'));

    expect(site.news()).toEqual(['failed Error: a bug', 'concerns /b', `listed ${endpointOf('a')}`]);
  });

  it('given a watch that is left, then nothing is told', () => {
    const site = new Site(byColor);
    site.leave();

    site.fed.apply(GEARS, widget('g'));

    expect(site.news()).toEqual([]);
  });

  it('given a watch, then it shows whether its type was listed', () => {
    const site = new Site(byColor);

    site.fed.name(endpointOf('a'));

    expect(site.watch.store.awaits(endpointOf('a'))).toBe(true);
  });
});

describe(owned, () => {
  const ownedBy = (name: string, uid: string) => ({ ownerReferences: [{ apiVersion: 'example.com/v1', kind: 'Widget', name, uid }] });

  it.each([
    { given: 'no owner', metadata: {}, expected: [] },
    { given: 'an owner without a namespace', metadata: ownedBy('a', 'uid of a'), expected: ['concerns /a'] },
    { given: 'an owner in its namespace', metadata: ownedBy('b', 'uid of b'), expected: ['concerns n/b'] },
    { given: 'an owner in another namespace', metadata: ownedBy('c', 'uid of c'), expected: [] },
    { given: 'an owner in another workspace', metadata: ownedBy('d', 'uid of d'), expected: [] },
    { given: 'an owner that was made anew', metadata: ownedBy('a', 'another'), expected: [] },
    { given: 'an owner that is not there', metadata: ownedBy('x', 'uid of x'), expected: [] },
  ])('given an object in a namespace with $given, then its owner is concerned', ({ metadata, expected }) => {
    const site = new Site(owned);
    site.fed.list(WIDGETS, [
      widget('a'),
      widget('b', { namespace: 'n' }),
      widget('c', { namespace: 'm' }),
      widget('d', { cluster: 'cluster-2' }),
    ]);

    site.fed.apply(GEARS, widget('g', { namespace: 'n', metadata }));

    expect(site.news()).toEqual(expected);
  });

  it('given an owner and what it owns, both without a namespace, then it is concerned once', () => {
    const site = new Site(owned);
    site.fed.list(WIDGETS, [widget('a')]);

    site.fed.apply(GEARS, widget('g', { metadata: ownedBy('a', 'uid of a') }));

    expect(site.news()).toEqual(['concerns /a']);
  });
});

function byColor(gears: ExportStore<Widget>): Watch {
  return mapped(gears, ({ cluster, value }) => [{ cluster, name: value.color }]);
}

/** Widgets whose gears are watched. */
class Site {
  readonly fed = new FedStores();
  readonly watch: Watch;
  readonly leave: () => void;
  readonly #news: string[] = [];

  constructor(watchOf: (gears: ExportStore<Widget>) => Watch) {
    const primary = this.fed.store({ type: WIDGETS, parse: parseWidget });
    this.watch = watchOf(this.fed.store({ type: GEARS, parse: parseWidget }));
    this.leave = this.watch.follow(primary, {
      concerns: ({ namespace = '', name }: ObjectName) => void this.#news.push(`concerns ${namespace}/${name}`),
      listed: (endpoint) => void this.#news.push(`listed ${endpoint}`),
      failed: (error) => void this.#news.push(`failed ${String(error)}`),
    });
  }

  /** What was told since the last call. */
  news(): readonly string[] {
    return this.#news.splice(0);
  }
}
