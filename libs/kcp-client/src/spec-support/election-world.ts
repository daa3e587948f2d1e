import { setImmediate as turn } from 'node:timers/promises';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import type { Clock } from '../time/clock.js';
import type { CallOptions } from '../connection/cluster-client.js';
import { KcpError, type KcpErrorCode } from '../errors/kcp-error.js';
import { LeaderElector } from '../election/leader-elector.js';

/** What the network does to one call. */
export interface Weather {
  readonly requestMs: number;
  readonly answerMs: number;
  readonly lost: 'nothing' | 'request' | 'answer';
  /** What a kcp that starts says of the lease, or of its workspace, while both are there. */
  readonly wrongly?: 'no such lease' | 'no such workspace' | undefined;
}

/** A candidate's own idea of time. */
export interface CandidateClock {
  /** How fast its clock runs. */
  readonly rate: number;
  /** How far its wall clock is off. */
  readonly offMs: number;
  /** Its wall clock shows the same time for ever. */
  readonly stoppedWall?: boolean;
}

interface Timer {
  readonly atMs: number;
  readonly owner: Candidate | undefined;
  readonly fire: () => void;
}

const LEASE = 'lease';

/** A process that wants to lead. */
export class Candidate {
  readonly elector: LeaderElector;
  readonly stop = new AbortController();
  frozenUntilMs = 0;
  /** Between the begin of the work and the moment it is told to end. */
  isWorking = false;
  isDead = false;
  ended: Promise<void> = Promise.resolve();

  constructor(world: ElectionWorld, identity: string, clock: CandidateClock) {
    this.elector = new LeaderElector({
      client: world.clientOf(this),
      namespace: 'default',
      name: LEASE,
      identity,
      clock: world.clockOf(this, clock),
      random: () => 0.5,
    });
  }

  run(): void {
    this.ended = this.elector.run(
      (signal) =>
        new Promise((resolve) => {
          this.isWorking = true;
          signal.addEventListener('abort', () => {
            this.isWorking = false;
            resolve();
          });
        }),
      this.stop.signal,
    );
  }

  /** As `kill -9`: from now on nothing of it happens any more. */
  kill(): void {
    this.isDead = true;
    this.isWorking = false;
  }
}

/** One lease, a network and candidates, in a time that passes only as events come. */
export class ElectionWorld {
  nowMs = 0;
  #timers: Timer[] = [];
  #lease: KubeObject | undefined;
  #revision = 0;
  #calls = 0;
  readonly #weather: readonly Weather[];

  constructor(weather: readonly Weather[]) {
    this.#weather = weather;
  }

  get holder(): unknown {
    return (this.#lease?.['spec'] as { readonly holderIdentity?: unknown } | undefined)?.holderIdentity;
  }

  /** Lets time pass; `check` is called at every event. */
  async pass(untilMs: number, check: () => void = () => undefined): Promise<void> {
    for (;;) {
      await turn();
      check();
      this.#timers.sort((a, b) => this.#dueMs(a) - this.#dueMs(b));
      const [next] = this.#timers;
      if (next === undefined || this.#dueMs(next) > untilMs) break;
      this.#timers.shift();
      this.nowMs = Math.max(this.nowMs, this.#dueMs(next));
      if (next.owner?.isDead !== true) next.fire();
    }
    this.nowMs = untilMs;
  }

  clockOf(owner: Candidate, { rate, offMs, stoppedWall }: CandidateClock): Clock {
    return {
      now: () => 1_700_000_000_000 + offMs + (stoppedWall === true ? 0 : this.nowMs * rate),
      monotonic: () => this.nowMs * rate,
      sleep: (ms, { signal }) => this.#wait(signal, (resolve) => this.#at(this.nowMs + ms / rate, owner, resolve)),
    };
  }

  clientOf(owner: Candidate): ConstructorParameters<typeof LeaderElector>[0]['client'] {
    return {
      describe: (verb) => ({ asked: verb, at: 'the world' }),
      get: (_type, { name }, options) => this.#call(owner, options, () => this.#lease ?? fail('not-found', name)),
      create: (_type, object, options) =>
        this.#call(owner, options, () => (this.#lease === undefined ? this.#store(object) : fail('already-exists'))),
      replace: (_type, object, options) =>
        this.#call(owner, options, () => {
          const isCurrent = this.#lease?.metadata.resourceVersion === object.metadata.resourceVersion;
          return isCurrent ? this.#store(object) : fail('conflict');
        }),
    };
  }

  /** Somebody deletes the lease by hand. */
  deleteLease(): void {
    this.#lease = undefined;
  }

  #store(object: KubeObject): KubeObject {
    const same = JSON.stringify(object['spec']) === JSON.stringify(this.#lease?.['spec']);
    if (!same) this.#revision += 1; // as kcp: a write that changes nothing leaves the resourceVersion
    this.#lease = { ...object, metadata: { ...object.metadata, resourceVersion: String(this.#revision) } };
    return this.#lease;
  }

  #call(owner: Candidate, { signal, timeoutMs = 30_000 }: CallOptions, serve: () => KubeObject): Promise<KubeObject> {
    const { requestMs, answerMs, lost, wrongly } = this.#weather[this.#calls % this.#weather.length] ?? {
      requestMs: 5,
      answerMs: 5,
      lost: 'nothing',
    };
    this.#calls += 1;
    return this.#wait(signal, (resolve, reject) => {
      this.#at(this.nowMs + timeoutMs, owner, () => reject(error('timeout')));
      if (lost === 'request') return;
      this.#at(this.nowMs + requestMs, undefined, () => {
        const answer =
          wrongly === undefined
            ? attempt(serve)
            : wrongly === 'no such lease'
              ? error('not-found', LEASE)
              : error('not-served', 'root:dep-ctrl');
        if (lost === 'answer') return;
        this.#at(this.nowMs + answerMs, owner, () => (answer instanceof KcpError ? reject(answer) : resolve(answer)));
      });
    });
  }

  /** A promise that the signal rejects. */
  async #wait<T>(signal: AbortSignal, start: (resolve: (value: T) => void, reject: (failure: Error) => void) => void): Promise<T> {
    let onAbort = (): void => undefined;
    try {
      return await new Promise<T>((resolve, reject) => {
        onAbort = () => reject(error('aborted'));
        signal.addEventListener('abort', onAbort, { once: true });
        if (signal.aborted) onAbort();
        else start(resolve, reject);
      });
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  #at(atMs: number, owner: Candidate | undefined, fire: () => void): void {
    this.#timers.push({ atMs, owner, fire });
  }

  #dueMs({ atMs, owner }: Timer): number {
    return Math.max(atMs, owner?.frozenUntilMs ?? 0);
  }
}

function attempt(serve: () => KubeObject): KubeObject | KcpError {
  try {
    return serve();
  } catch (failure) {
    return failure as KcpError; // only `fail` throws in there
  }
}

function fail(code: KcpErrorCode, name?: string): never {
  throw error(code, name);
}

function error(code: KcpErrorCode, name?: string): KcpError {
  const type = name === LEASE ? { group: 'coordination.k8s.io', kind: 'leases' } : { group: 'tenancy.kcp.io', kind: 'workspaces' };
  const statusBody = name === undefined ? {} : { statusBody: { kind: 'Status', details: { name, ...type } } as const };
  return new KcpError({ code, asked: 'write the lease', at: 'the world', problem: code, ...statusBody });
}
