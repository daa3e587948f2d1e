import { deepEqual, equal, ok } from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { GuardedProcess } from '../backends/guarded-process.js';
import type { Exclusive } from '../running/case.js';
import { eventually } from '../stage/eventually.js';
import type { Library, LibraryCase } from './library-case.js';
import { overlaps, termsOf, type Term } from './terms.js';

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
      await using election = await Election.hold(library);
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
      await using election = await Election.hold(library);
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
      await using election = await Election.hold(library);
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
      await using election = await Election.hold(library);
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

/** A process that stands for a lease. */
class Candidate {
  readonly identity: string;
  readonly #file: string;
  readonly #process: GuardedProcess;

  constructor({ kcp }: Library, cluster: string, identity: string) {
    const { workDir, adminKubeconfig } = kcp.backend;
    this.identity = identity;
    this.#file = join(workDir, `${identity}.terms`);
    // Bundled beside the program that runs the cases.
    const program = fileURLToPath(new URL('./candidate.mjs', import.meta.url));
    this.#process = new GuardedProcess({
      command: process.execPath,
      args: [program, adminKubeconfig, cluster, 'e2e', identity, this.#file],
      cwd: workDir,
      logFile: join(workDir, `${identity}.log`),
    });
  }

  /** When it led, as it recorded itself. */
  terms(): readonly Term[] {
    return existsSync(this.#file) ? termsOf(this.identity, readFileSync(this.#file, 'utf8')) : [];
  }

  /** How much it has recorded. */
  lines(): number {
    return existsSync(this.#file) ? readFileSync(this.#file, 'utf8').split('\n').length : 0;
  }

  /** The begin of its last term. */
  since(): bigint {
    return this.terms().at(-1)?.from ?? 0n;
  }

  freeze(): void {
    this.#process.signal('STOP');
  }

  thaw(): void {
    this.#process.signal('CONT');
  }

  kill(): Promise<void> {
    return this.#process.stop();
  }

  stop(): Promise<void> {
    return this.#process.stop(10_000);
  }
}

/** Three candidates for one lease. */
class Election {
  readonly #candidates: readonly Candidate[];

  private constructor(candidates: readonly Candidate[]) {
    this.#candidates = candidates;
  }

  static async hold(library: Library): Promise<Election> {
    const { cluster } = await library.kcp.workspace({ shard: 0 });
    return new Election(['a', 'b', 'c'].map((each) => new Candidate(library, cluster, library.kcp.unique(each))));
  }

  /** Those who say so right now. */
  leading(): readonly Candidate[] {
    // A record is written every 10 ms; a process that has none of the last half second is frozen, dead or starved.
    const recently = process.hrtime.bigint() - 500_000_000n;
    return this.#candidates.filter((candidate) => (candidate.terms().at(-1)?.to ?? 0n) > recently);
  }

  /** Waits until one leads who is not that one. */
  leader(other?: Candidate): Promise<Candidate> {
    return eventually(
      'one leads',
      () => {
        const found = this.leading().find((candidate) => candidate !== other);
        if (found === undefined) throw new Error('nobody does');
        return Promise.resolve(found);
      },
      60_000,
    );
  }

  /** Fails when two led at one time; says how many terms there were. */
  verdict(): string {
    const terms = this.#candidates.flatMap((candidate) => candidate.terms());
    equal(
      overlaps(terms).length,
      0,
      `two led at once: ${overlaps(terms)
        .flat()
        .map(({ who, from, to }) => `${who} ${String(from)}-${String(to)}`)
        .join(', ')}`,
    );
    return `${String(terms.length)} terms, none at the time of another`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#candidates.map((candidate) => candidate.kill()));
  }
}

function milliseconds(nanoseconds: bigint): number {
  return Number(nanoseconds) / 1_000_000;
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
