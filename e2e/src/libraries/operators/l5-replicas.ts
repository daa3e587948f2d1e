import { deepEqual, equal, ok } from 'node:assert/strict';
import { Reflector, type ReflectorEvent } from '@dep-ctrl/kcp-client';
import { recordAt, text, type KubeObject } from '@dep-ctrl/kcp-names';
import { Election, RecordedProcess } from '../election.js';
import type { Library, LibraryCase } from '../library-case.js';
import { ZONES } from '../writer.js';
import { OperatorWorld, until } from './operator-world.js';

// The promise of the default durations: a lease of 15 s, and a look at least every 3 s.
const HAND_OVER_MS = 20_000;

/** L5: replicas of an operator on the kit, as processes. */
export const operatorReplicas: readonly LibraryCase[] = [
  {
    id: 'L5.6',
    title:
      'a leader is frozen for longer than its lease: another replica goes on, nothing is lost, and the frozen one writes nothing more when it goes on',
    slow: true,
    run: async (library) => {
      await using world = await OperatorWorld.open(library, [0]);
      await using authors = await Authors.of(library, world);
      const [first, second] = [replica(library, world), replica(library, world)];
      await using replicas = new Election([first, second]);
      const before = await replicas.leader();
      await until('it has written', () => authors.seen.length === 1);

      before.freeze();
      const after = await replicas.leader(before);
      await until('the other one has written', () => authors.seen.length === 2);
      before.thaw();
      const lines = before.lines();
      await until('the frozen process goes on', () => before.lines() > lines + 100);
      await world.written();
      await world.settledByOthers();

      deepEqual(authors.seen, [before.identity, after.identity]);
      library.tell(replicas.verdict());
    },
  },
  {
    id: 'L5.7',
    title: 'a reconcile never yields: another replica leads within 20 s, and nothing is lost',
    slow: true,
    run: async (library) => {
      await using world = await OperatorWorld.open(library, [0]);
      await using authors = await Authors.of(library, world);
      const stuck = replica(library, world, 'endless');
      await new Election([stuck]).leader();
      await using replicas = new Election([stuck, replica(library, world)]);
      await until('it has written', () => authors.seen.length === 1);

      const stuckMs = performance.now();
      await world.write(0, 'endless', 'first');
      await replicas.leader(stuck);
      const tookMs = performance.now() - stuckMs;
      await world.written();
      await world.settledByOthers();

      ok(tookMs < HAND_OVER_MS, `it took ${String(tookMs)} ms`);
      equal(authors.seen.length, 2);
      library.tell(`hand-over ${(tookMs / 1_000).toFixed(1)} s after a reconcile that does not yield; ${replicas.verdict()}`);
    },
  },
];

function replica(library: Library, { target }: OperatorWorld, endless = ''): RecordedProcess {
  const identity = library.kcp.unique('replica');
  const args = [library.kcp.backend.adminKubeconfig, target.workspace.cluster, target.name, identity, endless];
  return new RecordedProcess(library, { program: 'operator-process.mjs', args, identity });
}

/** Who wrote statuses, in the order in which kcp took them; each once for as long as nobody else wrote between. */
class Authors implements AsyncDisposable {
  readonly seen: string[] = [];
  readonly #stop = new AbortController();
  readonly #byZone = new Map<string, string>();
  #ended: Promise<void> = Promise.resolve();

  static async of({ connection }: Library, { clusters: [cluster] }: OperatorWorld): Promise<Authors> {
    const authors = new Authors();
    if (cluster === undefined) throw new Error('there is no consumer');
    const onEvent = (event: ReflectorEvent): void => {
      if (event.kind === 'applied') authors.#take(event.object.object);
    };
    const reflector = new Reflector({ client: connection.cluster(cluster), type: ZONES, onEvent });
    authors.#ended = reflector.run(authors.#stop.signal);
    await until('the zones are followed', () => reflector.freshness().synced);
    return authors;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#ended;
  }

  /** A status that is new: the writer's own changes carry the one of before. */
  #take(object: KubeObject): void {
    const { name = '' } = object.metadata;
    const { region, by } = recordAt(object, 'status');
    const [written, author] = [`${String(region)} by ${String(by)}`, text(by)];
    if (author === undefined || this.#byZone.get(name) === written) return;
    this.#byZone.set(name, written);
    if (this.seen.at(-1) !== author) this.seen.push(author);
  }
}
