import { describe, expect, it } from '@jest/globals';
import { FedStores } from '@dep-ctrl/kcp-controller/testing';
import type { Observed } from '@dep-ctrl/kcp-client';
import type { Touched } from '@dep-ctrl/rule-registry';
import { SourceChanges } from './source-changes.js';
import type { SeenKind } from './spec-support/fed-source.js';
import { binding, configuration, endpoint, guard, name, rule } from './spec-support/objects.js';
import { WatchedObjects } from './watched-objects.js';

const a = endpoint('a');
const touched: Touched = { guarded: new Set([name('network1')]), rules: new Set() };

describe(SourceChanges, () => {
  it('given subscribers, when something is told, then each hears of it until it leaves', () => {
    const changes = new SourceChanges();
    const [first, second]: [Touched[], Touched[]] = [[], []];
    const leave = changes.subscribe((each) => first.push(each));
    changes.subscribe((each) => second.push(each));

    changes.tell(touched);
    leave();
    changes.tell(touched);

    expect([first, second]).toEqual([[touched], [touched, touched]]);
  });

  it.each<{ kind: SeenKind; object: Observed; expected: readonly string[] }>([
    { kind: 'rules', object: rule(), expected: ['rule compute1/vms'] },
    { kind: 'guards', object: guard(), expected: ['workspace network1'] },
    { kind: 'bindings', object: binding(), expected: ['workspace network1'] },
    { kind: 'configurations', object: configuration(), expected: ['workspace network1'] },
  ])('given an object of the $kind that is shown and then goes, then both are told of $expected', ({ kind, object, expected }) => {
    const { apply, remove, told } = followed();

    apply(kind, object);
    const came = told();
    remove(kind, object);

    expect([came, told()]).toEqual([expected, expected]);
  });

  it('given several objects in one list, then all are told of at once', () => {
    const { list, told } = followed();

    list('rules', rule(), rule({ cluster: 'storage1', name: 'disks' }));

    expect(told()).toEqual(['rule compute1/vms rule storage1/disks']);
  });

  it('given what follow returned, when it is called, then no store is listened to any more', () => {
    const { apply, stop, told } = followed();

    stop();
    apply('rules', rule());
    for (const [kind, object] of [['guards', guard()] as const, ['bindings', binding()] as const]) apply(kind, object);
    apply('configurations', configuration());

    expect(told()).toEqual([]);
  });
});

/** Stores that are followed; what was told since the last look, one text per call. */
function followed() {
  const stores = new FedStores();
  const seen = new WatchedObjects(stores);
  const changes = new SourceChanges();
  let all: string[] = [];
  changes.subscribe(({ guarded, rules }) =>
    all.push([...[...guarded].map((each) => `workspace ${each}`), ...[...rules].map((each) => `rule ${each}`)].join(' ')),
  );
  const leaving = changes.follow(seen);
  stores.name(a);
  return {
    list: (kind: SeenKind, ...objects: readonly Observed[]) =>
      stores.list(
        seen[kind].type,
        objects.map(({ object }) => object),
        a,
      ),
    apply: (kind: SeenKind, { object }: Observed) => stores.apply(seen[kind].type, object, a),
    remove: (kind: SeenKind, { object }: Observed) => stores.delete(seen[kind].type, object, a),
    stop: () => leaving.forEach((leave) => leave()),
    told: (): readonly string[] => {
      const told = all;
      all = [];
      return told;
    },
  };
}
