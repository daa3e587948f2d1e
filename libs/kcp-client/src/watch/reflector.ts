// The shell around watch-step: executes its commands on a client, feeds it with what happened, tells its events. No decision is made
// here. Memory is bounded by one page while listing plus what the list holds, and by one chunk and one line while watching.
import { quote, type GroupVersionResource, type KubeObject } from '@dep-ctrl/kcp-names';
import { isAborted } from '../time/abort-signals.js';
import { systemClock, type Clock } from '../time/clock.js';
import { statusFailure } from '../errors/failure.js';
import { isKcpError, KcpError } from '../errors/kcp-error.js';
import { LineSplitter } from './line-splitter.js';
import { LARGE_BYTES, MOST_PAGE_BYTES, objectsOn, type ListPage } from '../requests/list-page.js';
import { silentLogger, type Logger } from '../running/logger.js';
import type { Freshness, Observed, ReflectorEvent, TakeEvent } from './reflector-event.js';
import type { Runnable } from '../running/run-all.js';
import { observe, parseWatchLine, readWatchLine, type WatchLine } from './watch-line.js';
import { initialWatchState, type ObservedPage, type WatchCommand, type WatchInput, type WatchState } from './watch-state.js';
import { watchStep } from './watch-step.js';
import type { WatchableClient } from '../connection/wildcard-client.js';

/** What to reflect. */
export interface ReflectorQuery {
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  /** Whole objects (default) or apiVersion, kind and metadata only. */
  readonly as?: 'objects' | 'metadata' | undefined;
  /** How to learn what there is: a list by pages (default), or a watch that begins with all objects. */
  readonly initial?: 'list' | 'stream' | undefined;
}

/** The patience of a Reflector. */
export interface ReflectorBounds {
  /** No byte for so long, nor an end, means that the socket is dead. Default 40 s; has to be well above `watchSeconds`. */
  readonly silenceMs: number;
  /**
   * The server is asked to end the watch after so long, plus up to a fifth by chance. Default 20 s: a quiet type sends no bookmarks, so
   * the orderly end is the only sign of life there, and to open the next watch costs less than a small GET.
   */
  readonly watchSeconds: number;
  /**
   * A watch without events is believed for so long, however often the server ends it in order; then the reflector lists again. Default 10 min: such a watch
   * proves nothing if the server does not know the resourceVersion, or if another server answers at that URL now. 0: a list after each watch.
   */
  readonly unheardMs: number;
  /** Objects per page of a list. Default 500. */
  readonly pageLimit: number;
  /** The largest page of a list; where it is larger, fewer objects are asked for. Default 4 MiB, above what etcd stores of one object. */
  readonly pageBytes: number;
  /** The longest line to take. Default 64 MiB, far above what etcd stores. */
  readonly maxLineBytes: number;
}

/** Answers with what is kept of an object, its name and logical cluster at least. */
export type KeepObject = (object: KubeObject) => KubeObject | undefined;

/**
 * Parses a page of a list, or a line of a watch, of more than 64 KiB, in pieces between which other work may go on: of 1.4 MB that an author chose for
 * the purpose, `JSON.parse` takes 50 ms. It may leave out what `keep` does not keep. Throws SyntaxError where it is no JSON.
 */
export type ParseLarge = (json: Buffer, form: 'list' | 'event') => Promise<unknown>;

/** What a Reflector is made of. */
export interface ReflectorOptions {
  readonly client: WatchableClient;
  readonly type: GroupVersionResource;
  readonly query?: ReflectorQuery | undefined;
  /** What to keep of an object; undefined: it is as if it were not there. A list of everything must fit into memory. Default: all of it. */
  readonly keep?: KeepObject | undefined;
  /** Default: `JSON.parse`. */
  readonly parseLarge?: ParseLarge | undefined;
  /** Called for every event, in order, before the next byte is read. What it throws ends `run`. */
  readonly onEvent: TakeEvent<ReflectorEvent>;
  readonly clock?: Clock | undefined;
  readonly random?: (() => number) | undefined;
  readonly logger?: Logger | undefined;
  readonly bounds?: Partial<ReflectorBounds> | undefined;
}

/** How much of a line is shown where it is not understood. */
const SHOWN_BYTES = 512;

const DEFAULT_BOUNDS: ReflectorBounds = {
  silenceMs: 40_000,
  watchSeconds: 20,
  unheardMs: 600_000,
  pageLimit: 500,
  pageBytes: MOST_PAGE_BYTES,
  maxLineBytes: 64 * 1024 * 1024,
};

/**
 * Follows all objects of a type, for as long as it runs, through whatever the network does. Holds no objects itself: its events add up
 * to what the server has.
 */
export class Reflector implements Runnable {
  readonly #client: WatchableClient;
  readonly #type: GroupVersionResource;
  readonly #query: ReflectorQuery;
  readonly #keep: KeepObject;
  readonly #parseLarge: ParseLarge | undefined;
  readonly #onEvent: TakeEvent<ReflectorEvent>;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #logger: Logger;
  readonly #bounds: ReflectorBounds;
  #state: WatchState = initialWatchState;

  constructor(options: ReflectorOptions) {
    this.#client = options.client;
    this.#type = options.type;
    this.#query = options.query ?? {};
    this.#keep = options.keep ?? ((object) => object);
    this.#parseLarge = options.parseLarge;
    this.#onEvent = options.onEvent;
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? Math.random;
    this.#logger = options.logger ?? silentLogger;
    this.#bounds = { ...DEFAULT_BOUNDS, ...options.bounds };
  }

  /** How far the events told so far can be believed now. */
  freshness(): Freshness {
    return this.#state.freshness;
  }

  /** Follows until the signal aborts. Rejects only for what `onEvent` throws. */
  async run(signal: AbortSignal): Promise<void> {
    let command = this.#step({ kind: 'started' });
    while (!signal.aborted) {
      try {
        command = await this.#execute(command, signal);
      } catch (failure) {
        if (isAborted(signal)) return;
        throw failure;
      }
    }
  }

  #execute(command: WatchCommand, signal: AbortSignal): Promise<WatchCommand> {
    switch (command.do) {
      case 'list':
        return this.#list(signal);
      case 'watch':
        return this.#watch(command, signal);
      case 'wait':
        return this.#clock.sleep(command.ms, { signal }).then(() => this.#step({ kind: 'waited' }));
      case 'go-on':
        throw new Error('a list or a watch ended without saying so');
      default:
        return command satisfies never;
    }
  }

  async #list(signal: AbortSignal): Promise<WatchCommand> {
    const { namespace, labelSelector, fieldSelector, as } = this.#query;
    const query = {
      ...defined({ namespace, labelSelector, fieldSelector, as }),
      limit: this.#bounds.pageLimit,
      maxPageBytes: this.#bounds.pageBytes,
      // A tenant may write any number of objects: memory is bounded by the page and by what is kept of each.
      maxBytes: Number.MAX_SAFE_INTEGER,
      onTooLarge: 'shrink',
      onTimeout: 'shrink',
      onExpired: 'restart',
    } as const;
    let command: WatchCommand = { do: 'go-on' };
    const pages = this.#client.list(this.#type, query, { signal })[Symbol.asyncIterator]();
    for (;;) {
      let page: ObservedPage;
      try {
        const next = await pages.next();
        if (next.done === true) return command;
        page = observedPage(next.value, await this.#objectsOn(next.value), this.#keep);
      } catch (failure) {
        if (!isKcpError(failure) || signal.aborted) throw failure;
        return this.#step({ kind: 'list-failed', error: failure });
      }
      if (page.last && page.resourceVersion === '') return this.#step({ kind: 'list-failed', error: this.#unserved() });
      command = this.#step({ kind: 'page', page });
    }
  }

  async #watch(command: WatchCommand & { readonly do: 'watch' }, signal: AbortSignal): Promise<WatchCommand> {
    let failure: KcpError | undefined;
    try {
      failure = await this.#readWatch(command, signal);
    } catch (thrown) {
      if (!isKcpError(thrown) || signal.aborted) throw thrown;
      failure = thrown;
    }
    return this.#step(failure === undefined ? { kind: 'watch-ended' } : { kind: 'watch-failed', error: failure });
  }

  /** Answers with the failure that the server told of, or nothing when it ended the watch in order. */
  async #readWatch(
    { resourceVersion, initial }: WatchCommand & { readonly do: 'watch' },
    signal: AbortSignal,
  ): Promise<KcpError | undefined> {
    const { namespace, labelSelector, fieldSelector, as } = this.#query;
    const { silenceMs, watchSeconds, maxLineBytes } = this.#bounds;
    const timeoutSeconds = Math.ceil(watchSeconds * (1 + this.#random() / 5));
    const chunks = await this.#client.watch(
      this.#type,
      {
        ...defined({ namespace, labelSelector, fieldSelector, as }),
        resourceVersion,
        sendInitialEvents: initial,
        timeoutSeconds,
        silenceMs,
      },
      { signal },
    );
    this.#step({ kind: 'watch-opened' });
    const splitter = new LineSplitter();
    for await (const chunk of chunks) {
      // The sign of life is the moment when the bytes came: slow reading must not make them look fresh.
      const arrivedMs = this.#clock.monotonic();
      const lines: WatchLine[] = [];
      for (const line of splitter.push(chunk)) lines.push(kept(await this.#read(line), this.#keep));
      if (lines.length > 0) this.#step({ kind: 'lines', lines }, arrivedMs);
      const error = lines.find((line) => line.kind === 'error');
      if (error !== undefined) return statusFailure(this.#asked('watch'), error.status);
      if (splitter.pendingBytes > maxLineBytes) {
        return new KcpError({ ...this.#asked('watch'), code: 'too-large', problem: `a line is longer than ${maxLineBytes} bytes` });
      }
    }
    return undefined;
  }

  #objectsOn(page: ListPage): Promise<readonly KubeObject[]> | readonly KubeObject[] {
    const parse = this.#parseLarge;
    return objectsOn(page, parse && ((bytes) => parse(bytes, 'list')));
  }

  async #read(line: Buffer): Promise<WatchLine> {
    if (this.#parseLarge === undefined || line.length < LARGE_BYTES) return parseWatchLine(line.toString('utf8'));
    const beginning = line.toString('utf8', 0, SHOWN_BYTES);
    try {
      return readWatchLine(await this.#parseLarge(line, 'event'), beginning);
    } catch (failure) {
      if (failure instanceof SyntaxError)
        return { kind: 'undecodable', problem: `a line of ${line.length} bytes is not JSON: ${quote(beginning)}` };
      throw failure;
    }
  }

  #step(input: WatchInput, atMs = this.#clock.monotonic()): WatchCommand {
    const before = this.#state.freshness.lastError;
    const { unheardMs } = this.#bounds;
    const context = { atMs, random: this.#random(), initial: this.#query.initial ?? 'list', unheardMs };
    const { state, events, command } = watchStep(this.#state, input, context);
    this.#state = state;
    const { lastError } = state.freshness;
    if (lastError !== undefined && lastError.code !== before?.code) this.#tell(lastError, state.freshness.synced);
    if (lastError === undefined && before !== undefined) this.#logger.info('watch works again', { resource: this.#type.resource });
    for (const event of events) this.#onEvent(event);
    return command;
  }

  /** Every new export begins with a type that is not served yet; a type that was served and is not any more is trouble. */
  #tell(error: KcpError, wasServed: boolean): void {
    const { resource } = this.#type;
    if (!wasServed && isKcpError(error, 'not-served')) this.#logger.info('watch waits until the type is served', { resource });
    else this.#logger.warn('watch lost', { resource, error: error.message });
  }

  #unserved(): KcpError {
    return new KcpError({
      ...this.#asked('list'),
      code: 'not-served',
      problem: 'the list has no resourceVersion; nobody serves this type there yet',
    });
  }

  #asked(verb: string): { readonly asked: string; readonly at: string } {
    return this.#client.describe(verb, this.#type);
  }
}

function observedPage(page: ListPage, shown: readonly KubeObject[], keep: KeepObject): ObservedPage {
  const objects: Observed[] = [];
  const undecodable: string[] = [];
  for (const object of shown) {
    const part = keep(object);
    if (part === undefined) continue;
    const observed = observe(part);
    if (observed.ok) objects.push(observed.value);
    else undecodable.push(observed.problem);
  }
  const { resourceVersion, last, restarted } = page;
  return { objects, undecodable, resourceVersion, last, restarted };
}

function kept(line: WatchLine, keep: KeepObject): WatchLine {
  if (line.kind !== 'applied') return line;
  const { cluster, object } = line.object;
  const part = keep(object);
  if (part === undefined) return { kind: 'bookmark', resourceVersion: line.resourceVersion, initialEnd: false };
  return { ...line, object: { cluster, object: part } };
}

/** Without the keys that are undefined. */
function defined<T extends object>(values: T): { readonly [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    readonly [K in keyof T]?: Exclude<T[K], undefined>; // fromEntries forgets which keys there are
  };
}
