import { deepEqual, ok } from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Exclusive } from '../running/case.js';
import { eventually } from '../stage/eventually.js';
import { Election, RecordedProcess } from './election.js';
import type { Library, LibraryCase } from './library-case.js';

const everything = (): Exclusive => 'everything';
// The promise of the default durations: a lease of 15 s, and a look at least every 3 s.
const HAND_OVER_MS = 20_000;
const RENEW_DEADLINE_MS = 10_000;

/** L2: three processes, one lease. */
export const elections: readonly LibraryCase[] = [
  {
    id: 'L2.1',
    title: 'the leader is killed with SIGKILL: another one leads within 20 s, and never do two at once',
    slow: true,
    run: async (library) => {
      await using election = await hold(library);
      const before = await election.leader();
      await sleep(5_000);

      const killedAt = process.hrtime.bigint();
      await before.kill();
      const after = await election.leader(before);

      const tookMs = milliseconds(after.since() - killedAt);
      ok(tookMs < HAND_OVER_MS, `it took ${String(tookMs)} ms`);
      await sleep(3_000);
      library.tell(`hand-over after SIGKILL ${seconds(tookMs)}; ${election.verdict()}`);
    },
  },
  {
    id: 'L2.2',
    title: 'the leader stops in order: another one leads at its next look, and never do two at once',
    slow: true,
    run: async (library) => {
      await using election = await hold(library);
      const before = await election.leader();

      const stoppedAt = process.hrtime.bigint();
      await before.stop();
      const after = await election.leader(before);

      const tookMs = milliseconds(after.since() - stoppedAt);
      ok(tookMs < RENEW_DEADLINE_MS, `it took ${String(tookMs)} ms`);
      library.tell(`hand-over after SIGTERM ${seconds(tookMs)}; ${election.verdict()}`);
    },
  },
  {
    id: 'L2.3',
    title: 'the leader is frozen for longer than its lease: another one leads, and the frozen one knows at once that it does not',
    slow: true,
    run: async (library) => {
      await using election = await hold(library);
      const before = await election.leader();

      before.freeze();
      const after = await election.leader(before);
      before.thaw();
      const lines = before.lines();
      await eventually('the frozen process goes on', () => {
        ok(before.lines() > lines + 100);
        return Promise.resolve();
      });

      library.tell(`${after.identity} led while ${before.identity} was frozen; ${election.verdict()}`);
    },
  },
  {
    id: 'L2.4',
    title: 'kcp is away for longer than a lease: the leader steps down in time, one leads again, and never do two at once',
    needs: ['restarts'],
    exclusive: everything,
    run: async (library) => {
      await using election = await hold(library);
      const before = await election.leader();
      const [shard] = library.kcp.backend.shards;

      const awayAt = process.hrtime.bigint();
      await shard.stop();
      await sleep(16_000);
      deepEqual(election.leading(), []);
      const steppedDownMs = milliseconds((before.terms().at(-1)?.to ?? 0n) - awayAt);
      ok(steppedDownMs <= RENEW_DEADLINE_MS, `it led for ${String(steppedDownMs)} ms without kcp`);
      await shard.start();
      const backAt = process.hrtime.bigint();
      const after = await election.leader();

      // Negative where kcp takes writes before it says that it is ready.
      const tookMs = milliseconds(after.since() - backAt);
      ok(tookMs < HAND_OVER_MS, `it took ${String(tookMs)} ms`);
      await sleep(3_000);
      library.tell(
        `stepped down ${seconds(steppedDownMs)} after kcp went, led again ${seconds(tookMs)} after it was ready; ${election.verdict()}`,
      );
    },
  },
];

/** Three candidates for one lease. */
async function hold(library: Library): Promise<Election> {
  const { cluster } = await library.kcp.workspace({ shard: 0 });
  const { adminKubeconfig } = library.kcp.backend;
  return new Election(
    ['a', 'b', 'c'].map((each) => {
      const identity = library.kcp.unique(each);
      return new RecordedProcess(library, { program: 'candidate.mjs', args: [adminKubeconfig, cluster, 'e2e', identity], identity });
    }),
  );
}

function milliseconds(nanoseconds: bigint): number {
  return Number(nanoseconds) / 1_000_000;
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
