import { deepEqual, equal, ok } from 'node:assert/strict';
import { VirtualWorkspace, type ReflectorBounds } from '@dep-ctrl/kcp-client';
import type { StoreConnection } from '@dep-ctrl/kcp-controller';
import type { Exclusive } from '../../running/case.js';
import { Forwarder } from '../forwarder.js';
import type { Library, LibraryCase } from '../library-case.js';
import { UNREADABLE } from './observed-zones.js';
import { OperatorWorld, until } from './operator-world.js';

const everything = (): Exclusive => 'everything';
const RESTARTS = 2;
const BURST = 200;
// Short, so that a frozen watch is noticed soon; the law is the same for longer ones.
const BOUNDS: Partial<ReflectorBounds> = { watchSeconds: 6, silenceMs: 15_000 };

/** L5: an operator on the kit, in this process, and whatever may happen to it. In the end every status says what the spec says. */
export const operators: readonly LibraryCase[] = [
  {
    id: 'L5.1',
    title: 'kcp is killed again and again while an operator writes: no change is lost, and an object that cannot be read is told once',
    needs: ['restarts'],
    exclusive: everything,
    run: async (library) => {
      await using world = await OperatorWorld.open(library, [0]);
      const operator = world.start();
      await world.write(0, 'unreadable', UNREADABLE);
      await world.written();
      const [shard] = library.kcp.backend.shards;

      for (let restart = 0; restart < RESTARTS; restart += 1) {
        await shard.stop();
        await shard.start();
        await world.written();
      }

      library.tell(await world.settled(operator));
      deepEqual(
        operator.zones.broken().map(({ metadata }) => metadata.name),
        ['unreadable'],
      );
      equal(operator.told.filter(({ message }) => message === 'object cannot be read').length, 1);
      await world.write(0, 'unreadable', 'readable');
      await world.settled(operator);
    },
  },
  {
    id: 'L5.2',
    title: 'a shard is away for a minute: the operator goes on with the other one, forgets nothing, and catches up',
    needs: ['two-shards', 'restarts'],
    exclusive: everything,
    run: async (library) => {
      await using world = await OperatorWorld.open(library, [0, 1]);
      const operator = world.start();
      await world.written();
      const [near, far] = world.clusters;
      const [, shard] = library.kcp.backend.shards;
      if (near === undefined || far === undefined || shard === undefined) throw new Error('two shards are needed');
      const forMs = library.isEmbedded ? 5_000 : 60_000;
      const fromMs = performance.now();

      await shard.stop();
      try {
        const known = operator.zones.list(far).length;
        ok(known > 0);
        for (let round = 0; performance.now() < fromMs + forMs; round += 1) {
          await world.write(0, 'meanwhile', `round-${String(round)}`);
          await until('the other shard is served', () =>
            operator.zones.list(near).some(({ value: { seen } }) => seen === `round-${String(round)}`),
          );
          equal(operator.zones.list(far).length, known);
        }
      } finally {
        await shard.start();
      }
      await world.written();

      library.tell(await world.settled(operator));
    },
  },
  {
    id: 'L5.3',
    title: 'the watches of an operator freeze: it notices by itself, and no change is lost',
    slow: true,
    run: async (library) => {
      await using world = await OperatorWorld.open(library, [0]);
      const [shard] = library.kcp.backend.shards;
      await using forwarder = await Forwarder.to(shard.url);
      const operator = world.start({ connection: watchedThrough(library, shard.url, forwarder.url), bounds: BOUNDS });
      await world.written();
      await until('it works', () => operator.zones.list().some(({ value: { seen } }) => seen !== undefined));

      const frozen = forwarder.freeze();
      const frozenMs = performance.now();
      ok(frozen > 0, 'no watch goes through the forwarder');
      await world.write(0, 'frozen', 'while-frozen');
      await until('a change behind that is seen', () => operator.zones.by('region', 'while-frozen').length === 1, 60_000);
      const tookMs = performance.now() - frozenMs;
      await world.written();

      library.tell(
        `${String(frozen)} connections frozen, the next change seen after ${(tookMs / 1_000).toFixed(1)} s; ${await world.settled(operator)}`,
      );
    },
  },
  {
    id: 'L5.4',
    title: 'a reconcile throws, and another one hangs: each is told once, the other objects do not wait, and in the end nothing is lost',
    run: async (library) => {
      await using world = await OperatorWorld.open(library, [0]);
      let [failures, release] = [0, (): void => undefined];
      const hanging = new Promise<void>((resolve) => (release = resolve));
      const operator = world.start({
        timeLimitMs: 1_000,
        before: async (zone) => {
          if (zone === 'hangs') await hanging;
          if (zone === 'throws' && (failures += 1) <= 5) throw new Error('out of order');
        },
      });

      await world.write(0, 'hangs', 'first');
      await world.write(0, 'throws', 'first');
      await until('one hangs', () => operator.controller.state().hung === 1);
      await world.written();
      await until('the other one was tried until it worked', () => failures > 5);
      equal(operator.told.filter(({ fields }) => fields['problem'] === 'out of order').length, 1);
      equal(operator.told.filter(({ fields }) => fields['name'] === 'hangs').length, 1);
      await world.write(0, 'hangs', 'second');
      await world.onlyUnseen(operator, 'hangs');
      release();

      library.tell(await world.settled(operator));
    },
  },
  {
    id: 'L5.5',
    title: 'many more changes come than the operator can work on: the queue refuses none, and works through the last of each',
    run: async (library) => {
      await using world = await OperatorWorld.open(library, [0]);
      let open = (): void => undefined;
      const opened = new Promise<void>((resolve) => (open = resolve));
      const operator = world.start({ concurrency: 1, before: () => opened });

      for (const region of ['first', 'second', 'third']) await world.writeMany(0, BURST, region);
      await until('all are queued', () => operator.zones.by('region', 'third').length === BURST);
      ok(operator.controller.state().queued >= BURST - 1, `${String(operator.controller.state().queued)} are queued`);
      open();

      library.tell(`${String(3 * BURST)} changes while nothing was worked on; ${await world.settled(operator)}`);
    },
  },
];

/** A connection whose watches at a shard go through a forwarder, and nothing else. */
function watchedThrough({ connection }: Library, shardUrl: string, forwarderUrl: string): StoreConnection {
  const [from, to] = [new URL(shardUrl).origin, new URL(forwarderUrl).origin];
  const through: StoreConnection = {
    baseUrl: connection.baseUrl,
    virtualWorkspace: (url) => new VirtualWorkspace(through, url),
    request: (request, options) => connection.request(request, options),
    open: (request, options) => connection.open({ ...request, url: request.url.replace(from, to) }, options),
  };
  return through;
}
