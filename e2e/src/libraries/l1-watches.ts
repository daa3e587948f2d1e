import { deepEqual, equal, ok } from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Exclusive } from '../running/case.js';
import { eventually } from '../stage/eventually.js';
import { consumerOf, makeExport, type Export } from '../stage/exports.js';
import { ZONE } from '../stage/example-types.js';
import type { Workspace } from '../stage/stage.js';
import { Follower } from './follower.js';
import type { Library, LibraryCase } from './library-case.js';
import { judge, type Told } from './verdict.js';
import { Writer } from './writer.js';

const everything = (): Exclusive => 'everything';
const FEW_WRITES = 40;
// A shard that is back is noticed at the next try of a watch, 10 s later at most; then there is a list.
const RESYNC_MS = 30_000;

/** L1: watches through an APIExport's virtual workspace while kcp is taken away and brought back. */
export const watches: readonly LibraryCase[] = [
  {
    id: 'L1.1',
    title: 'a wildcard watch survives a restart of kcp: no event is lost, none is told twice',
    needs: ['restarts'],
    exclusive: everything,
    run: async (library) => {
      const { target, consumers } = await provided(library, [0]);
      const { follower, writers } = await followed(library, target, consumers);
      await using _ = follower;
      const [shard] = library.kcp.backend.shards;

      const away = await takenAway(library, shard, follower, 3_000);
      await written(writers);

      const { lists, events } = await verdictOf(follower, consumers, writers);
      library.tell(
        `away ${seconds(away.ms)}, followed again ${seconds(away.resyncMs)} later; ${count(writers)} writes, ${lists} lists, ${events} events`,
      );
    },
  },
  {
    id: 'L1.2',
    title: 'a shard is away for a minute: its endpoint stays and says since when, the other shard is followed undisturbed, nothing is lost',
    needs: ['two-shards', 'restarts'],
    exclusive: everything,
    run: async (library) => {
      const { target, consumers } = await provided(library, [0, 1]);
      const { follower, writers } = await followed(library, target, consumers);
      await using _ = follower;
      const [near = '', far = ''] = consumers.map(({ cluster }) => follower.endpointOf(cluster));
      const [, shard] = library.kcp.backend.shards;
      if (shard === undefined) throw new Error('there is no second shard');
      const listsBefore = listsOf(follower.told(near));
      const undisturbed = watchOver(() => follower.freshness(near).disconnectedSinceMs);

      const away = await takenAway(library, shard, follower, library.isEmbedded ? 5_000 : 60_000, far);
      await written(writers);

      equal(await undisturbed.end(), undefined);
      equal(listsOf(follower.told(near)), listsBefore);
      deepEqual(follower.withdrawn, []);
      const { lists, events } = await verdictOf(follower, consumers, writers);
      const latest = slowest(writers[0], follower.told(near), away);
      library.tell(
        `away ${seconds(away.ms)}, noticed after ${seconds(away.noticedMs)}, followed again ${seconds(away.resyncMs)} after it was back; ` +
          `${count(writers)} writes, ${lists} lists, ${events} events; slowest event of the other shard meanwhile ${latest.toFixed(0)} ms`,
      );
    },
  },
  {
    id: 'L1.3',
    title: 'a watch of a quiet type lives: no new list, always a fresh sign of life, and the first event comes at once',
    slow: true,
    run: async (library) => {
      const { target, consumers } = await provided(library, [0]);
      // Without bookmarks the end of a watch is the only sign of life.
      const watchSeconds = library.isEmbedded ? 6 : 20; // one that ends within 5 s would count as refused
      await using follower = new Follower(
        library.connection,
        target,
        library.isEmbedded ? { watchSeconds, silenceMs: 2 * watchSeconds * 1_000 } : {},
      );
      const writer = new Writer(library.connection, first(consumers));
      const url = await eventually('the endpoint is followed', () => Promise.resolve(first(follower.urls)));
      await until('it is followed', () => follower.freshness(url).disconnectedSinceMs === undefined);
      let oldest = 0;
      const quiet = watchOver(() => {
        const { disconnectedSinceMs, lastSignOfLifeMs = 0 } = follower.freshness(url);
        oldest = Math.max(oldest, performance.now() - lastSignOfLifeMs);
        return disconnectedSinceMs;
      });

      await sleep(4 * watchSeconds * 1_000);
      equal(await quiet.end(), undefined);
      deepEqual(
        follower.told(url).map(({ kind }) => kind),
        ['replaced'],
      );
      ok(oldest < 1_300 * watchSeconds + 1_000, `the sign of life was ${seconds(oldest)} old`);

      writer.start();
      await written([writer]);
      const { lists } = await verdictOf(follower, consumers, [writer]);
      equal(lists, 1);
      library.tell(`quiet for ${String(4 * watchSeconds)} s: the sign of life was never older than ${seconds(oldest)}`);
    },
  },
];

interface Provided {
  readonly target: Export;
  readonly consumers: readonly Workspace[];
}

/** An export in a workspace of the first shard, bound by a workspace on each of these shards. */
export async function provided({ kcp }: Library, shards: readonly number[]): Promise<Provided> {
  const target = await makeExport(kcp, { workspace: await kcp.workspace({ shard: 0 }), types: [ZONE] });
  const consumers = await Promise.all(shards.map((shard) => consumerOf(kcp, target, { shard, types: [ZONE] })));
  return { target, consumers };
}

/** Writes in each consumer, all of which are followed already. */
async function followed(
  library: Library,
  target: Export,
  consumers: readonly Workspace[],
): Promise<{ readonly follower: Follower; readonly writers: readonly Writer[] }> {
  const follower = new Follower(library.connection, target);
  const writers = consumers.map((consumer) => new Writer(library.connection, consumer));
  for (const writer of writers) writer.start();
  await written(writers);
  await eventually('every consumer is followed', () => Promise.resolve(consumers.map(({ cluster }) => follower.endpointOf(cluster))));
  return { follower, writers };
}

interface Away {
  /** When it went. */
  readonly fromMs: number;
  readonly ms: number;
  readonly noticedMs: number;
  readonly resyncMs: number;
}

/** Takes a shard away, keeps it away for so long, brings it back and waits until its endpoint is followed again. */
async function takenAway(
  { kcp }: Library,
  shard: Library['kcp']['backend']['shards'][number],
  follower: Follower,
  forMs: number,
  endpoint = first(follower.urls),
): Promise<Away> {
  const fromMs = performance.now();
  await shard.stop();
  try {
    const noticed = await eventually('it is noticed', () => Promise.resolve(disconnectedSince(follower, endpoint)), forMs);
    ok(noticed >= fromMs - 1 && noticed <= performance.now());
    await sleep(fromMs + forMs - performance.now());
    // However often the endpoint was tried meanwhile: it is away since then, and still there.
    equal(disconnectedSince(follower, endpoint), noticed);
    ok(follower.freshness(endpoint).synced);
    await shard.start();
    await eventually('kcp is back', async () => void (await kcp.admin.get('/clusters/root/api/v1/namespaces/default')).expect(200));
    const backMs = performance.now();
    await until('it is followed again', () => follower.freshness(endpoint).disconnectedSinceMs === undefined, RESYNC_MS);
    return { fromMs, ms: backMs - fromMs, noticedMs: noticed - fromMs, resyncMs: performance.now() - backMs };
  } catch (failure) {
    await shard.start();
    throw failure;
  }
}

function disconnectedSince(follower: Follower, endpoint: string): number {
  const { disconnectedSinceMs, lastError } = follower.freshness(endpoint);
  if (disconnectedSinceMs === undefined || lastError === undefined) throw new Error('it is not said to be away');
  return disconnectedSinceMs;
}

/** Waits until kcp has confirmed some more writes of each. */
async function written(writers: readonly Writer[]): Promise<void> {
  const enough = writers.map((writer) => writer.count + FEW_WRITES);
  await until('kcp takes writes', () => writers.every((writer, index) => writer.count >= (enough[index] ?? 0)));
}

/** Ends the writing, waits for the last event of each consumer, and compares. */
async function verdictOf(
  follower: Follower,
  consumers: readonly Workspace[],
  writers: readonly Writer[],
): Promise<{ readonly lists: number; readonly events: number }> {
  let [lists, events] = [0, 0];
  for (const [index, writer] of writers.entries()) {
    const truth = await writer.finish();
    const told = follower.told(follower.endpointOf(consumers[index]?.cluster ?? ''));
    await eventually(
      'all is told',
      () => {
        deepEqual(judge(told, truth), { lost: [], doubled: [], different: [] });
        return Promise.resolve();
      },
      RESYNC_MS,
    );
    lists += listsOf(told);
    events += told.length - listsOf(told);
  }
  return { lists, events };
}

async function until(what: string, isSo: () => boolean, withinMs?: number): Promise<void> {
  const check = (): Promise<void> => (isSo() ? Promise.resolve() : Promise.reject(new Error('not so')));
  await eventually(what, check, withinMs);
}

function listsOf(told: readonly Told[]): number {
  return told.filter(({ kind }) => kind === 'replaced').length;
}

/** Looks often for what should never be there; answers with the first that it saw. */
function watchOver(look: () => number | undefined): { end(): Promise<number | undefined> } {
  let [isOver, seen] = [false, undefined as number | undefined];
  const running = (async () => {
    while (!isOver) {
      seen ??= look();
      await sleep(20);
    }
  })();
  return {
    async end() {
      isOver = true;
      await running;
      return seen;
    },
  };
}

/** The longest time from kcp's answer to the event, of what was written while the other shard was away. */
function slowest(writer: Writer | undefined, told: readonly Told[], { fromMs, ms }: Away): number {
  const toldAt = new Map(
    told.flatMap((entry) => (entry.kind === 'applied' ? [[`${entry.object}@${String(entry.revision)}`, entry.atMs]] : [])),
  );
  const meanwhile = (writer?.accepted ?? []).filter(({ atMs }) => atMs > fromMs && atMs < fromMs + ms);
  ok(meanwhile.length > 0, 'nothing could be written to the other shard');
  return Math.max(...meanwhile.map(({ object, revision, atMs }) => (toldAt.get(`${object}@${String(revision)}`) ?? Infinity) - atMs));
}

function count(writers: readonly Writer[]): number {
  return writers.reduce((sum, writer) => sum + writer.count, 0);
}

function first<T>(items: readonly T[]): T {
  const [item] = items;
  if (item === undefined) throw new Error('there is none');
  return item;
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
