/*
 * The work of a controller from a start, or from the begin of a term as the leader, to its end. It remembers nothing of the time before: another leader may
 * have written since. Changes are noted from the first moment; the queue runs once the stores have read what the endpoints show. The queue has no bound,
 * as it holds only names of objects that are in memory: so none is ever refused.
 */
import { every, KeyedQueue, runAll, type Clock, type Logger, type QueueOutcome, type VirtualWorkspaceUrl } from '@dep-ctrl/kcp-client';
import { keyOf, nameOf, nameOfKey, type ObjectPlace, type StoreChange } from '../store/stored.js';
import type { ControllerOptions, ReconcileContext, Reconciled } from './controller-options.js';
import { GoneObjects } from './gone-objects.js';
import { HeldKeys } from './held-keys.js';
import { LoopWatch } from './loop-watch.js';
import { outcomeOf, problemOf } from './run-outcome.js';
import { ToldFailures } from './told-failures.js';
import { withinTime } from './within-time.js';

/** What a term is made of: the options of its controller with their defaults. */
export interface TermOptions<T, I extends string> extends ControllerOptions<T, I> {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Keys of runs that hung, this term's and earlier ones': none of them may run until that run ends. */
  readonly hung: Map<string, () => void>;
}

/** How long a run may go on after its signal was aborted: less than a lease lasts after its leader stepped down. */
const GRACE_MS = 3_000;
const TIME_LIMIT_MS = 60_000;
const CONCURRENCY = 4;

/** One term of a controller. */
export class ControllerTerm<T, I extends string> {
  readonly #options: TermOptions<T, I>;
  readonly #queue: KeyedQueue<string>;
  readonly #gone = new GoneObjects<T>();
  readonly #held = new HeldKeys();
  readonly #failures: ToldFailures;
  readonly #loop: LoopWatch;

  constructor(options: TermOptions<T, I>) {
    this.#options = options;
    const { name, concurrency = CONCURRENCY, backoff, clock, random, logger } = options;
    this.#failures = new ToldFailures(name, logger);
    this.#loop = new LoopWatch({ controller: name, clock, logger });
    this.#queue = new KeyedQueue({
      run: (key, signal) => this.#run(key, signal),
      concurrency,
      // Workspaces take turns, and none takes all of them.
      groupOf: (key) => nameOfKey(key).cluster,
      groupConcurrency: Math.ceil(concurrency / 2),
      capacity: Infinity,
      clock,
      ...(backoff === undefined ? {} : { backoff }),
      ...(random === undefined ? {} : { random }),
    });
  }

  /** Numbers for metrics. */
  counts(): { readonly queued: number; readonly held: number; readonly failing: number } {
    return { queued: this.#queue.size, held: this.#held.size, failing: this.#failures.size };
  }

  async run(signal: AbortSignal): Promise<void> {
    const endings = this.#subscribe();
    try {
      await this.#whenSynced(signal);
      this.#addAll();
      const { resyncMs, clock } = this.#options;
      const resync = { run: (stop: AbortSignal) => every(resyncMs ?? 0, () => this.#addAll(), { clock, signal: stop }) };
      await runAll([this.#queue, this.#loop, ...(resyncMs === undefined ? [] : [resync])], signal);
    } catch (failure) {
      if (!signal.aborted) throw failure;
    } finally {
      for (const end of endings) end();
    }
  }

  #subscribe(): readonly (() => void)[] {
    const { store, watches = [], logger, name } = this.#options;
    const listed = (endpoint: VirtualWorkspaceUrl): void => this.#release(endpoint);
    return [
      store.subscribe({ listed, changed: (changes) => changes.forEach((change) => this.#take(change)) }),
      ...watches.map((watch) =>
        watch.follow(store, {
          listed,
          concerns: (object) => this.#queue.add(keyOf(object)),
          failed: (error) => logger.error('a watch cannot map an object', { controller: name, problem: problemOf(error) }),
        }),
      ),
    ];
  }

  async #whenSynced(signal: AbortSignal): Promise<void> {
    const { store, watches = [], patienceMs, logger, name } = this.#options;
    const patience = patienceMs === undefined ? {} : { patienceMs };
    const missing = await Promise.all([store, ...watches.map((watch) => watch.store)].map((each) => each.whenSynced(signal, patience)));
    for (const endpoint of new Set(missing.flat()))
      logger.warn('starting without an endpoint that does not answer', { controller: name, endpoint });
  }

  #take(change: StoreChange<T>): void {
    switch (change.kind) {
      case 'stored':
        if (this.#matters(change.now, change.before)) this.#queue.add(keyOf(nameOf(change.now)));
        return;
      case 'gone':
        if (this.#options.gone !== undefined && this.#matters(undefined, change.before))
          this.#queue.add(this.#gone.add({ last: change.before, because: change.because }));
        return;
      case 'broken':
        return; // the store tells of it, and its next version is a change
      default:
        change satisfies never;
    }
  }

  #matters(...versions: Parameters<NonNullable<ControllerOptions<T, I>['when']>>): boolean {
    const { when, logger, name } = this.#options;
    try {
      return when?.(...versions) ?? true;
    } catch (error) {
      logger.error('the predicate of a controller threw', { controller: name, problem: problemOf(error) });
      return true;
    }
  }

  #addAll(): void {
    for (const stored of this.#options.store.list()) this.#queue.add(keyOf(nameOf(stored)));
  }

  #release(endpoint: VirtualWorkspaceUrl): void {
    if (!this.#isRead(endpoint)) return;
    for (const key of this.#held.release(endpoint)) this.#queue.add(key);
  }

  /** Whether an endpoint has listed all types of this controller. */
  #isRead(endpoint: VirtualWorkspaceUrl): boolean {
    const { store, watches = [] } = this.#options;
    return !store.awaits(endpoint) && watches.every((watch) => !watch.store.awaits(endpoint));
  }

  async #run(key: string, signal: AbortSignal): Promise<QueueOutcome> {
    const { store, reconcile, gone, hung, logger, name } = this.#options;
    if (hung.has(key)) {
      hung.set(key, () => this.#queue.add(key));
      return { kind: 'done' };
    }
    for (let went = this.#gone.first(key); went !== undefined && gone !== undefined; went = this.#gone.first(key)) {
      const { last, because } = went;
      const outcome = await this.#attempt(key, last, (context) => gone(last, { ...context, because }), signal);
      if (outcome.kind !== 'done' || hung.has(key) || signal.aborted) return outcome;
      this.#gone.done(key);
    }
    const stored = store.get(nameOfKey(key));
    if (stored === undefined) return { kind: 'done' };
    if (!this.#isRead(stored.endpoint)) {
      const isFirst = this.#held.hold(stored.endpoint, key);
      if (isFirst) logger.info('objects wait until their endpoint has listed all types', { controller: name, endpoint: stored.endpoint });
      return { kind: 'done' };
    }
    return this.#attempt(key, stored, (context) => reconcile(stored, context), signal);
  }

  async #attempt(
    key: string,
    place: ObjectPlace,
    work: (context: ReconcileContext) => Promise<Reconciled>,
    signal: AbortSignal,
  ): Promise<QueueOutcome> {
    const { clock, timeLimitMs: limitMs = TIME_LIMIT_MS, hung } = this.#options;
    const beganMs = clock.monotonic();
    this.#loop.begins(key);
    const clientOf = (where: ObjectPlace): ReconcileContext['client'] => this.#clientOf(where);
    const run = await withinTime((own) => work({ client: clientOf(place), clientOf, signal: own }), {
      limitMs,
      graceMs: GRACE_MS,
      clock,
      signal,
    });
    if (run.kind === 'hung') {
      hung.set(key, () => this.#queue.add(key));
      void run.ending.then(() => {
        const goOn = hung.get(key);
        hung.delete(key);
        goOn?.();
      });
    }
    const outcome = outcomeOf(run, signal.aborted);
    if (!signal.aborted) this.#failures.tell(key, outcome);
    const { outcome: kind, error } = outcome;
    this.#observe({ ...nameOfKey(key), ms: clock.monotonic() - beganMs, outcome: kind, ...(error === undefined ? {} : { error }) });
    return outcome.queue;
  }

  #clientOf(place: ObjectPlace): ReconcileContext['client'] {
    const { store, leadership } = this.#options;
    return store.clientOf(place, leadership?.guard(store.connection));
  }

  #observe(run: Omit<Parameters<NonNullable<ControllerOptions<T, I>['observe']>>[0], 'controller'>): void {
    const { observe, name, logger } = this.#options;
    try {
      observe?.({ controller: name, ...run });
    } catch (error) {
      logger.error('the observer of a controller threw', { controller: name, problem: problemOf(error) });
    }
  }
}
