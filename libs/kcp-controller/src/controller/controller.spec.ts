import { describe, expect, it } from '@jest/globals';
import { KcpError } from '@dep-ctrl/kcp-client';
import { Running } from '../spec-support/running.js';
import type { clusterNamed } from '../spec-support/widgets.js';
import { endpointOf, GEARS, parseWidget, widget, WIDGETS } from '../spec-support/widgets.js';
import { createController } from './create-controller.js';
import { mapped, owned } from './watches.js';

describe(createController, () => {
  it('given objects, when it starts, then each is reconciled, and afterwards each change', async () => {
    await using running = new Running();
    running.fed.begin();
    running.fed.list(WIDGETS, [widget('a'), widget('b')]);

    await running.start();
    expect(running.news()).toEqual(['a red', 'b red']);
    running.fed.apply(WIDGETS, widget('a', { color: 'blue' }));
    running.fed.delete(WIDGETS, widget('b'));
    await running.pass();

    expect(running.news()).toEqual(['a blue', 'gone b red deleted']);
    expect(running.observed.map(({ name, outcome }) => `${name} ${outcome}`)).toEqual(['a done', 'b done', 'a done', 'b done']);
  });

  it('given that nothing was read yet, then it waits, and reconciles what was changed and deleted meanwhile', async () => {
    await using running = new Running();
    await running.start();
    running.fed.name(endpointOf('a'));
    running.fed.apply(WIDGETS, widget('a'), endpointOf('a'));
    running.fed.apply(WIDGETS, widget('b'), endpointOf('a'));
    running.fed.delete(WIDGETS, widget('b'), endpointOf('a'));
    await running.pass();
    expect(running.news()).toEqual([]);

    running.fed.list(WIDGETS, [widget('a', { color: 'blue' })], endpointOf('a'));
    await running.pass();

    expect(running.news()).toEqual(['a blue', 'gone b red deleted']);
  });

  it('given an object that was made anew under the same name, then the old one is gone first', async () => {
    await using running = new Running();
    running.fed.begin().list(WIDGETS, [widget('a')]);
    await running.start();
    running.news();

    running.fed.list(WIDGETS, [widget('a', { uid: 'another', color: 'blue' })]);
    await running.pass();

    expect(running.news()).toEqual(['gone a red deleted', 'a blue']);
  });

  it('given a predicate, then only changes that matter are reconciled; and one that throws stops nothing', async () => {
    await using running = new Running();
    running.fed.begin();
    await running.start({
      when: (now, before) => {
        if (now?.value.color === 'bad') throw new Error('a bug');
        return now?.value.color !== before?.value.color;
      },
    });

    running.fed.apply(WIDGETS, widget('a'));
    await running.pass();
    running.fed.apply(WIDGETS, widget('a', { metadata: { labels: { l: 'm' } } }));
    await running.pass();
    running.fed.apply(WIDGETS, widget('a', { color: 'bad' }));
    await running.pass();

    expect(running.news()).toEqual(['a red', 'a bad']);
    expect(running.logger.lines).toEqual([expect.stringContaining('a bug')]);
  });

  it('given a broken object, then it is not reconciled and not gone; whole again it is', async () => {
    await using running = new Running();
    running.fed.begin();
    running.fed.list(WIDGETS, [widget('a'), widget('b', { color: 1 })]);
    await running.start();

    running.fed.apply(WIDGETS, widget('a', { color: 1 }));
    await running.pass();
    expect(running.news()).toEqual(['a red']);
    running.fed.apply(WIDGETS, widget('b', { color: 'blue' }));
    running.fed.delete(WIDGETS, widget('a', { color: 1 }));
    await running.pass();

    expect(running.news()).toEqual(['b blue', 'gone a red deleted']);
  });

  it('given an answer to look again, then it is, after that time', async () => {
    await using running = new Running();
    running.fed.begin().list(WIDGETS, [widget('a')]);
    await running.start({ reconcile: () => Promise.resolve({ kind: 'again', afterMs: 5_000 }) });
    running.news();

    await running.pass(4_900);
    expect(running.news()).toEqual([]);
    await running.pass(100);

    expect(running.news()).toEqual(['a red']);
  });

  it('given a time to resync, then everything is reconciled again', async () => {
    await using running = new Running();
    running.fed.begin().list(WIDGETS, [widget('a')]);
    await running.start({ resyncMs: 60_000 });
    running.news();

    await running.pass(60_000);

    expect(running.news()).toEqual(['a red']);
  });

  it('given an observer that throws, then it goes on', async () => {
    await using running = new Running();
    running.fed.begin().list(WIDGETS, [widget('a'), widget('b')]);

    await running.start({
      observe: () => {
        throw new Error('a bug');
      },
    });

    expect(running.news()).toEqual(['a red', 'b red']);
    expect(running.logger.lines[0]).toContain('a bug');
  });

  it('given more objects than a queue holds usually, then none of them is refused', async () => {
    await using running = new Running();
    const names = Array.from({ length: 100_050 }, (_, index) => `w${String(index)}`);
    running.fed.begin().list(
      WIDGETS,
      names.map((name) => widget(name)),
    );

    await running.start({ concurrency: 1, reconcile: () => new Promise(() => undefined) });

    expect(running.controller.state().queued).toBe(names.length - 1);
  });
});

describe('a reconcile that fails', () => {
  it('given that it throws, then it is tried again with back-off until it works, told once, and the others go on', async () => {
    await using running = new Running();
    running.fed.begin().list(WIDGETS, [widget('a'), widget('b')]);
    let isBroken = true;
    await running.start({
      reconcile: (stored) => (isBroken && stored.metadata.name === 'a' ? Promise.reject(new Error('out of order')) : Promise.resolve()),
    });
    await running.pass(1_000);
    expect(running.news().filter((each) => each === 'a red').length).toBeGreaterThan(2);
    expect(running.controller.state()).toMatchObject({ failing: 1 });

    isBroken = false;
    await running.pass(60_000);

    expect(running.observed.at(-1)).toMatchObject({ name: 'a', outcome: 'done' });
    expect(running.controller.state()).toMatchObject({ failing: 0, queued: 0 });
    expect(running.logger.lines).toEqual([expect.stringContaining('"name":"a","problem":"out of order"')]);
  });

  it('given what went and cannot be cleaned up yet, then that is tried again, before anything made anew', async () => {
    await using running = new Running();
    running.fed.begin().list(WIDGETS, [widget('a')]);
    let isBroken = true;
    await running.start({ gone: () => (isBroken ? Promise.reject(new Error('out of order')) : Promise.resolve()) });
    running.news();
    running.fed.delete(WIDGETS, widget('a'));
    await running.pass();
    running.fed.apply(WIDGETS, widget('a', { uid: 'another' }));
    await running.pass();
    expect(new Set(running.news())).toEqual(new Set(['gone a red deleted']));

    isBroken = false;
    await running.pass(60_000);

    expect(running.news()).toEqual(['gone a red deleted', 'a red']);
  });

  it('given a conflict, then it is tried again and no warning', async () => {
    await using running = new Running();
    running.fed.begin().list(WIDGETS, [widget('a')]);
    const conflict = new KcpError({ code: 'conflict', asked: 'patch', at: 'https://kcp', problem: 'somebody was faster' });
    let times = 0;

    await running.start({
      reconcile: () => {
        times += 1;
        return times === 1 ? Promise.reject(conflict) : Promise.resolve();
      },
    });
    await running.pass(1_000);

    expect(running.news()).toEqual(['a red', 'a red']);
    expect(running.logger.lines).toEqual([]);
  });

  it('given a workspace with many objects whose runs do not end, then another one has its turn at once', async () => {
    await using running = new Running();
    const many = Array.from({ length: 100 }, (_, index) => widget(`a-${index}`));
    running.fed.begin().list(WIDGETS, [...many, widget('b', { cluster: 'cluster-2' })]);

    await running.start({
      concurrency: 4,
      reconcile: ({ cluster }) => (cluster === 'cluster-1' ? new Promise(() => undefined) : Promise.resolve()),
    });

    expect(running.news()).toEqual(['a-0 red', 'b red', 'a-1 red']);
  });

  it('given that it hangs, then the others go on, no second run of the object begins, and the change meanwhile is reconciled when it ends', async () => {
    await using running = new Running();
    running.fed.begin().list(WIDGETS, [widget('a'), widget('b')]);
    let end = (): void => undefined;
    const hanging = new Promise<void>((resolve) => (end = resolve));
    await running.start({
      concurrency: 1,
      timeLimitMs: 1_000,
      reconcile: (stored) => (stored.value.color === 'red' && stored.metadata.name === 'a' ? hanging : Promise.resolve()),
    });
    await running.pass(4_000);
    expect(running.news()).toEqual(['a red', 'b red']);
    running.fed.apply(WIDGETS, widget('a', { color: 'blue' }));
    await running.pass(60_000);
    expect(running.news()).toEqual([]);
    expect(running.controller.state()).toMatchObject({ hung: 1, failing: 1 });

    end();
    await running.pass();

    expect(running.news()).toEqual(['a blue']);
    expect(running.controller.state()).toMatchObject({ hung: 0, failing: 0 });
    expect(running.logger.lines).toHaveLength(1);
  });

  it('given that it hangs, when the operator stops, then it stops all the same', async () => {
    await using running = new Running();
    running.fed.begin().list(WIDGETS, [widget('a')]);
    let reason: unknown;

    await running.start({
      reconcile: (_, { signal }) => {
        signal.addEventListener('abort', () => {
          reason = signal.reason;
        });
        return new Promise<void>(() => undefined);
      },
    });
    await running[Symbol.asyncDispose]();

    expect(reason).toBeDefined();
  });
});

describe('several types', () => {
  it('given mapped objects, then the object that each named before and names now is reconciled', async () => {
    await using running = new Running();
    const gears = running.fed.store({ type: GEARS, parse: parseWidget });
    running.fed.begin().list(WIDGETS, [widget('one'), widget('two')]);
    await running.start({ watches: [mapped(gears, ({ cluster, value }) => [{ cluster, name: value.color }])] });
    running.news();

    running.fed.apply(GEARS, widget('gear', { color: 'one' }));
    await running.pass();
    expect(running.news()).toEqual(['one red']);
    running.fed.apply(GEARS, widget('gear', { color: 'two' }));
    await running.pass();
    expect(running.news()).toEqual(['one red', 'two red']);
    running.fed.delete(GEARS, widget('gear', { color: 'two' }));
    await running.pass();

    expect(running.news()).toEqual(['two red']);
  });

  it('given owned objects, then their owner is reconciled: the one with that uid, in their namespace or in none', async () => {
    await using running = new Running();
    const gears = running.fed.store({ type: GEARS, parse: parseWidget });
    running.fed.begin().list(WIDGETS, [widget('w', { uid: 'u1' }), widget('w', { uid: 'u2', namespace: 'n' }), widget('other')]);
    await running.start({ watches: [owned(gears)], concurrency: 1 });
    running.news();

    for (const uid of ['u2', 'u3']) {
      const ownerReferences = [{ apiVersion: 'example.com/v1', kind: 'Widget', name: 'w', uid }];
      running.fed.apply(GEARS, widget(`of-${uid}`, { namespace: 'n', metadata: { ownerReferences } }));
    }
    await running.pass();

    expect(running.observed.at(-1)).toMatchObject({ namespace: 'n', name: 'w' });
    expect(running.news()).toEqual(['w red']);
  });

  it('given a mapping that throws, then it is told, and the other changes count', async () => {
    await using running = new Running();
    const gears = running.fed.store({ type: GEARS, parse: parseWidget });
    running.fed.begin().list(WIDGETS, [widget('one')]);
    const map = ({
      cluster,
      value,
      metadata,
    }: {
      readonly cluster: ReturnType<typeof clusterNamed>;
      readonly value: { readonly color: string };
      readonly metadata: { readonly name?: string };
    }) => {
      if (metadata.name === 'bad') throw new Error('a bug');
      return [{ cluster, name: value.color }];
    };
    await running.start({ watches: [mapped(gears, map)] });
    running.news();

    running.fed.list(GEARS, [widget('bad'), widget('gear', { color: 'one' })]);
    await running.pass();

    expect(running.news()).toEqual(['one red']);
    expect(running.logger.lines).toEqual([expect.stringContaining('a bug')]);
  });

  it('given an endpoint that has not listed every type, then its objects wait for that, and those of others do not', async () => {
    await using running = new Running();
    const gears = running.fed.store({ type: GEARS, parse: parseWidget });
    const [a, b] = [endpointOf('a'), endpointOf('b')];
    running.fed.name(a, b);
    running.fed.fail(b);
    for (const type of [WIDGETS, GEARS]) running.fed.list(type, type === WIDGETS ? [widget('one')] : [], a);
    await running.start({ watches: [owned(gears)] });
    expect(running.news()).toEqual(['one red']);

    running.fed.list(WIDGETS, [widget('two', { cluster: 'cluster-2' })], b);
    await running.pass();
    expect(running.news()).toEqual([]);
    expect(running.controller.state()).toMatchObject({ held: 1 });
    running.fed.list(GEARS, [], b);
    await running.pass();

    expect(running.news()).toEqual(['two red']);
    expect(running.controller.state()).toMatchObject({ held: 0 });
  });
});
