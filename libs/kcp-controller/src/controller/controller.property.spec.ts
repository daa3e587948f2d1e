// The laws of a controller: never two runs of one object, and whatever fails meanwhile, the last version of each object was reconciled in the end.
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { instantClock } from '@dep-ctrl/kcp-client/testing';
import { keyOf, nameOf } from '../store/stored.js';
import { clusterNamed, keepingLogger, parseWidget, widget, WIDGETS } from '../spec-support/widgets.js';
import { FedStores } from '../testing/index.js';
import { createController } from './create-controller.js';

const NAMES = ['a', 'b', 'c'] as const;

type Happening =
  | { readonly do: 'apply'; readonly name: (typeof NAMES)[number]; readonly color: string | number }
  | { readonly do: 'delete'; readonly name: (typeof NAMES)[number] }
  | { readonly do: 'relist' }
  | { readonly do: 'turn' };

const name = fc.constantFrom(...NAMES);
const happening: fc.Arbitrary<Happening> = fc.oneof(
  fc.record({ do: fc.constant('apply' as const), name, color: fc.constantFrom('red', 'blue', 'green', 0) }),
  fc.record({ do: fc.constant('delete' as const), name }),
  fc.record({ do: fc.constant('relist' as const) }),
  fc.record({ do: fc.constant('turn' as const) }),
);

describe('laws of a controller', () => {
  it('given changes, deletions, relists, broken objects and runs that throw, then each last version is reconciled, by one run at a time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(happening, { maxLength: 30 }), fc.array(fc.boolean(), { maxLength: 10 }), async (happenings, failures) => {
        const clock = instantClock();
        const fed = new FedStores({ clock });
        const store = fed.store({ type: WIDGETS, parse: parseWidget });
        const world = new Map<string, string | number>();
        const seen = new Map<string, string>();
        const running = new Set<string>();
        let overlaps = 0;
        const left = [...failures];
        const alone = async (key: string, work: () => void): Promise<void> => {
          if (running.has(key)) overlaps += 1;
          running.add(key);
          await turn();
          running.delete(key);
          if (left.shift() === true) throw new Error('out of order');
          work();
        };
        const controller = createController({
          name: 'widgets',
          store,
          clock,
          logger: keepingLogger(),
          concurrency: 2,
          reconcile: (stored) => alone(keyOf(nameOf(stored)), () => seen.set(stored.metadata.name ?? '', stored.value.color)),
          gone: (last) => alone(keyOf(nameOf(last)), () => seen.delete(last.metadata.name ?? '')),
        });
        const stop = new AbortController();
        fed.begin();
        const ended = controller.run(stop.signal);

        for (const each of happenings) {
          if (each.do === 'apply') {
            world.set(each.name, each.color);
            fed.apply(WIDGETS, widget(each.name, { color: each.color }));
          } else if (each.do === 'delete') {
            world.delete(each.name);
            fed.delete(WIDGETS, widget(each.name));
          } else if (each.do === 'relist') {
            fed.list(
              WIDGETS,
              [...world].map(([known, color]) => widget(known, { color })),
            );
          } else await turn();
        }
        // What is broken says nothing: a reader that was told once goes by its last word.
        for (const [known, color] of world) if (color === 0) fed.apply(WIDGETS, widget(known, { color: 'mended' }));
        for (let turns = 0; turns < 5_000; turns += 1) {
          await turn();
          if (running.size === 0 && controller.state().queued === 0 && controller.state().isWorking && turns > 50) break;
        }
        stop.abort();
        await ended;

        expect(overlaps).toBe(0);
        expect(new Map(seen)).toEqual(new Map([...world].map(([known, color]) => [known, color === 0 ? 'mended' : color])));
        expect(store.list(clusterNamed('cluster-1'))).toHaveLength(world.size);
      }),
      { numRuns: 60 },
    );
  }, 60_000);
});
