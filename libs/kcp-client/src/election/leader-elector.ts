// The shell around election-step: reads the lease, writes it as the rules allow, and runs the work while this process leads.
import type { KubeObject } from '@dep-ctrl/kcp-names';
import type { CallOptions, ObjectClient } from '../connection/cluster-client.js';
import { isAborted } from '../time/abort-signals.js';
import { systemClock, type Clock } from '../time/clock.js';
import {
  decideWrite,
  DEFAULT_DURATIONS,
  leads,
  pauseMs,
  seeLease,
  steppedDown,
  wrote,
  type ElectionDurations,
  type ElectionState,
  type LeaseView,
} from './election-step.js';
import { isAbsent } from '../errors/absence.js';
import { isKcpError, KcpError, type KcpErrorCode } from '../errors/kcp-error.js';
import { leaseObject, LEASES, parseLease } from './lease-object.js';
import { silentLogger, type Logger } from '../running/logger.js';

/** What an election is made of. */
export interface LeaderElectorOptions {
  readonly client: ObjectClient;
  readonly namespace: string;
  readonly name: string;
  /** Different for every process. */
  readonly identity: string;
  /** What the lease says of its holder, beside the identity. */
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  /** Default: those of client-go, 15 s, 10 s and 2 s. */
  readonly durations?: ElectionDurations | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: (() => number) | undefined;
  readonly logger?: Logger | undefined;
}

/** A candidate for the lease. */
export class LeaderElector {
  readonly #options: LeaderElectorOptions;
  readonly #durations: ElectionDurations;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #logger: Logger;
  #state: ElectionState = {};
  #isSeenOld = true;
  #lastProblem: KcpErrorCode | undefined;

  /** Throws a RangeError for durations that could make two leaders. */
  constructor(options: LeaderElectorOptions) {
    const { leaseMs, renewDeadlineMs, retryMs } = options.durations ?? DEFAULT_DURATIONS;
    if (!(leaseMs >= 1_000 && leaseMs > renewDeadlineMs && renewDeadlineMs > retryMs && retryMs > 0)) {
      throw new RangeError('an election needs lease > renewal deadline > retry > 0, and a lease of at least 1 s');
    }
    this.#options = options;
    this.#durations = { leaseMs, renewDeadlineMs, retryMs };
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? Math.random;
    this.#logger = options.logger ?? silentLogger;
  }

  /** Whether this process may act as the leader at this very moment, also after it was frozen for a while. */
  isLeader(): boolean {
    return leads(this.#state, this.#options.identity, this.#clock.monotonic(), this.#durations);
  }

  /**
   * Stands as a candidate until the signal aborts. Whenever it leads, runs `lead` with a signal that aborts when it no longer does;
   * `lead` should end soon after (before the lease runs out: 5 s with the default durations). Releases the lease on the way out.
   * Ends too when `lead` ends by itself; rejects with what `lead` throws.
   */
  async run(lead: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
    while (await this.#acquire(signal)) {
      this.#logger.info('became leader', { lease: this.#options.name, identity: this.#options.identity });
      const ending = await this.#serve(lead, signal);
      this.#logger.info('no longer leader', { lease: this.#options.name, identity: this.#options.identity });
      if (ending === 'over') return;
    }
  }

  /** Answers whether we lead; false once the signal aborted. */
  async #acquire(signal: AbortSignal): Promise<boolean> {
    for (;;) {
      await this.#tryOnce(this.#durations.renewDeadlineMs, signal);
      if (signal.aborted) {
        await this.#release();
        return false;
      }
      if (this.isLeader()) return true;
      await this.#pause(pauseMs(this.#state, this.#random(), this.#clock.monotonic(), this.#durations), signal);
    }
  }

  /** One term as the leader: `over` when the election is over for us, `lost` when any replica may lead next, this one included. */
  async #serve(lead: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<'over' | 'lost'> {
    const term = new AbortController();
    const end = (): void => term.abort();
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    const endsByItself = lead(term.signal)
      .then(() => !term.signal.aborted)
      .finally(end);
    const [kept, worked] = await Promise.allSettled([this.#keep(term.signal).finally(end), endsByItself]);
    signal.removeEventListener('abort', end);
    await this.#release();
    if (worked.status === 'rejected') throw worked.reason;
    if (kept.status === 'rejected') throw kept.reason;
    return worked.value || isAborted(signal) ? 'over' : 'lost';
  }

  /** Renews until the term ends, or we have to step down. */
  async #keep(term: AbortSignal): Promise<void> {
    while (!isAborted(term) && this.isLeader()) {
      await this.#pause(Math.min(this.#durations.retryMs, this.#timeLeft()), term);
      if (!isAborted(term) && this.isLeader()) await this.#tryOnce(this.#timeLeft(), term);
    }
  }

  #timeLeft(): number {
    const { renewedMs = -Infinity } = this.#state;
    return Math.max(1, renewedMs + this.#durations.renewDeadlineMs - this.#clock.monotonic());
  }

  /** Looks at the lease and writes what the rules allow. What kcp refuses is tried again at the next look. */
  async #tryOnce(timeoutMs: number, signal: AbortSignal): Promise<void> {
    try {
      if (this.#isSeenOld || !this.isLeader()) await this.#look({ timeoutMs, signal });
      await this.#write({ timeoutMs, signal });
      this.#isSeenOld = false;
      this.#lastProblem = undefined;
    } catch (failure) {
      if (signal.aborted) return;
      if (!isKcpError(failure)) throw failure;
      this.#isSeenOld = true;
      this.#tell(failure);
    }
  }

  /** Once for each kind of failure in a row. That another candidate was faster is how elections go. */
  #tell({ code, message }: KcpError): void {
    const told = code === this.#lastProblem || code === 'conflict' || code === 'already-exists' ? 'debug' : 'warn';
    this.#logger[told]('lease neither taken nor renewed', { lease: this.#options.name, error: message });
    this.#lastProblem = code;
  }

  async #look(options: CallOptions): Promise<void> {
    const { client, namespace, name } = this.#options;
    let lease: LeaseView | undefined;
    try {
      lease = this.#parse(await client.get(LEASES, { namespace, name }, options));
    } catch (failure) {
      // A kcp that starts answers 404 for seconds, of a workspace that it does not know yet: that says nothing of the lease.
      if (!isAbsent(failure, LEASES, name)) throw failure;
    }
    this.#state = seeLease(this.#state, lease, this.#clock.monotonic());
  }

  async #write(options: CallOptions): Promise<void> {
    const { client, identity } = this.#options;
    const sentMs = this.#clock.monotonic();
    const write = decideWrite(this.#state, identity, sentMs);
    if (write.do === 'stand-by') return;
    const from = write.do === 'create' ? undefined : write.from;
    const object = this.#object(identity, this.#durations.leaseMs, from);
    const written = await (from === undefined ? client.create(LEASES, object, options) : client.replace(LEASES, object, options));
    this.#state = wrote(this.#state, this.#parse(written), sentMs, this.#clock.monotonic());
  }

  /** Lets go of the lease, so that no replica has to wait for its end. Nothing is lost if that fails. */
  async #release(): Promise<void> {
    const { seen } = this.#state;
    this.#state = steppedDown(this.#state);
    if (seen?.lease.holder !== this.#options.identity) return;
    const { signal } = new AbortController(); // the caller's may have aborted
    try {
      await this.#options.client.replace(LEASES, this.#object('', 0, seen.lease), { signal, timeoutMs: this.#durations.retryMs });
    } catch (failure) {
      this.#logger.debug('lease not released', { lease: this.#options.name, error: String(failure) });
    }
    this.#isSeenOld = true;
  }

  #object(holder: string, durationMs: number, from: LeaseView | undefined): KubeObject {
    const { namespace, name, annotations } = this.#options;
    return leaseObject({ namespace, name, holder, annotations, durationMs, nowMs: this.#clock.now() }, from);
  }

  #parse(object: KubeObject): LeaseView {
    const lease = parseLease(object);
    if (lease.ok) return lease.value;
    throw new KcpError({ ...this.#options.client.describe('read', LEASES), code: 'invalid-response', problem: lease.problem });
  }

  async #pause(ms: number, signal: AbortSignal): Promise<void> {
    try {
      await this.#clock.sleep(ms, { signal });
    } catch (failure) {
      if (!signal.aborted) throw failure;
    }
  }
}
