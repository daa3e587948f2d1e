// Runs each list by its schedule and hands every page to all readers of the run. A reader that has enough, or no time left, leaves; the run ends with its
// last reader. A failure of a run is a failure for all its readers.
import type { Clock } from '@dep-ctrl/kcp-client';
import { Deadlines, inTurns, processTurns, type Sharer, type Turns } from '@dep-ctrl/fair-shares';
import { idleSchedule, stepSchedule, type ListSchedule, type ReaderId, type RunId, type ScheduleInput } from './list-schedule.js';

/** How far a list was read. */
export type ListEnd = 'read-to-the-end' | 'stopped-early';

/** Whether a reader needs more pages. */
type Taken = 'more' | 'enough';

/** Begins to read a list, `isAnew` in place of one that is given up; readers of one key open the same. */
export type OpenList<Page> = (options: { readonly signal: AbortSignal; readonly isAnew: boolean }) => AsyncIterable<Page>;

/** A reader that needs a list. */
export interface ListReader<Page> {
  readonly open: OpenList<Page>;
  /**
   * Takes the next page; `enough` ends the reading for this reader. What it throws fails this reader alone. Where taking it may be long work,
   * it yields between the pieces, and others are let through there.
   */
  accept(page: Page): Taken | Iterator<void, Taken>;
  readonly signal: AbortSignal;
  /** How long to wait for the next run before beginning one. */
  readonly patienceMs: number;
  /** The sharer that is charged for the turns of the event loop in which the pages are read. */
  readonly sharer?: Sharer;
  /** When the reader's time is over, on the monotonic clock; undefined: never. */
  readonly untilMs?: number;
}

/** What {@link SharedLists} needs. */
export interface SharedListsDependencies<Page> {
  readonly clock: Clock;
  /** How to tell long lists; usually none is. */
  readonly long?: LongLists<Page>;
  /** Whether a first page is the whole list: such a list is short, and readers that wait begin another run beside it. Default: they wait. */
  readonly isWhole?: (page: Page) => boolean;
  readonly turns?: Pick<Turns, 'next' | 'spent' | 'isBusy'>;
}

/** Lists so long that readers which come soon after the start of a run had better begin it anew, together with its first readers. */
export interface LongLists<Page> {
  /** How much of the list has been read with a page, counted from one, where that is to be decided; undefined: it is not, there. */
  shareToDecide(page: Page, count: number): number | undefined;
  /** The first page of the list that began anew: earlier pages are void. */
  anew(page: Page): Page;
}

/** How long the readers that wait for a short list gather: a seventh of the time that the run under way may take. */
const GATHER_MS = 15;
/** How many short lists are remembered while nobody reads them: deletes that come in bursts would gather anew each time. 0.2 MB. */
export const MOST_KNOWN_AS_SHORT = 1_000;
const NEVER = new AbortController().signal;

interface Reading<Page> {
  readonly reader: ListReader<Page>;
  readonly end: (end: ListEnd) => void;
  readonly fail: (reason: unknown) => void;
}

/** Lists that are being read, by key. */
export class SharedLists<Page> {
  readonly #dependencies: SharedListsDependencies<Page>;
  readonly #deadlines: Deadlines;
  readonly #lists = new Map<string, SharedList<Page>>();
  /** Lists that nobody reads and whose last run was short; the one that was read longest ago comes first. */
  readonly #short = new Set<string>();

  constructor(dependencies: SharedListsDependencies<Page>) {
    this.#dependencies = dependencies;
    this.#deadlines = new Deadlines(dependencies);
  }

  /** Reads a list that begins after this call. Rejects with what broke it, or with the signal's reason. */
  async read(key: string, reader: ListReader<Page>): Promise<ListEnd> {
    reader.signal.throwIfAborted();
    const list = this.#lists.get(key) ?? new SharedList(this.#dependencies, { isShort: this.#short.delete(key) });
    this.#lists.set(key, list);
    let leave: (() => void) | undefined;
    let cancelHurry: (() => void) | undefined;
    try {
      return await new Promise<ListEnd>((resolve, reject) => {
        const id = list.join({ reader, end: resolve, fail: reject });
        leave = () => list.leave(id, reader.signal.reason);
        reader.signal.addEventListener('abort', leave, { once: true });
        if (list.isWaiting(id)) cancelHurry = this.#deadlines.after(reader.patienceMs, () => list.hurry(id));
      });
    } finally {
      if (leave !== undefined) reader.signal.removeEventListener('abort', leave);
      cancelHurry?.();
      if (list.isIdle && this.#lists.get(key) === list) {
        this.#lists.delete(key);
        if (list.isShort) this.#rememberAsShort(key);
      }
    }
  }

  #rememberAsShort(key: string): void {
    this.#short.add(key);
    const [oldest] = this.#short;
    if (this.#short.size > MOST_KNOWN_AS_SHORT && oldest !== undefined) this.#short.delete(oldest);
  }
}

/** One list: its schedule, carried out. */
class SharedList<Page> {
  readonly #clock: Clock;
  readonly #long: LongLists<Page> | undefined;
  readonly #isWhole: (page: Page) => boolean;
  readonly #turns: Pick<Turns, 'next' | 'spent' | 'isBusy'>;
  #schedule: ListSchedule;
  #nextReader: ReaderId = 1;
  readonly #readings = new Map<ReaderId, Reading<Page>>();
  readonly #stops = new Map<RunId, AbortController>();

  constructor(
    { clock, long, isWhole = () => false, turns = processTurns }: SharedListsDependencies<Page>,
    { isShort }: Pick<ListSchedule, 'isShort'>,
  ) {
    this.#schedule = { ...idleSchedule, isShort };
    this.#clock = clock;
    this.#long = long;
    this.#isWhole = isWhole;
    this.#turns = turns;
  }

  get isIdle(): boolean {
    return this.#schedule.runs.size === 0 && this.#schedule.waiting.length === 0;
  }

  get isShort(): boolean {
    return this.#schedule.isShort;
  }

  isWaiting(id: ReaderId): boolean {
    return this.#schedule.waiting.includes(id);
  }

  join(reading: Reading<Page>): ReaderId {
    const id = this.#nextReader++;
    this.#readings.set(id, reading);
    this.#tell({ kind: 'arrived', reader: id });
    return id;
  }

  hurry(id: ReaderId): void {
    this.#tell({ kind: 'impatient', reader: id });
  }

  leave(id: ReaderId, reason: unknown): void {
    this.#readings.get(id)?.fail(reason);
    this.#forget(id);
  }

  #forget(id: ReaderId): void {
    this.#readings.delete(id);
    this.#tell({ kind: 'left', reader: id });
  }

  #tell(input: ScheduleInput): void {
    const { schedule, commands } = stepSchedule(this.#schedule, input);
    this.#schedule = schedule;
    for (const command of commands) {
      if (command.kind === 'stop') this.#stops.get(command.run)?.abort();
      else if (command.kind === 'gather') void this.#clock.sleep(GATHER_MS, { signal: NEVER }).then(() => this.#tell({ kind: 'gathered' }));
      else void this.#run(command);
    }
  }

  // Never rejects: whatever breaks is told to the readers.
  async #run({ run, isAnew }: { readonly run: RunId; readonly isAnew: boolean }): Promise<void> {
    const stop = new AbortController();
    this.#stops.set(run, stop);
    let isShort = false;
    try {
      const [first] = this.#readersOf(run);
      const begunMs = this.#clock.monotonic();
      let count = 0;
      for await (const read of first?.[1].reader.open({ signal: stop.signal, isAnew }) ?? []) {
        count += 1;
        const page = isAnew && count === 1 ? (this.#long?.anew(read) ?? read) : read;
        isShort = count === 1 && this.#isWhole(page);
        await this.#offerToAll(run, page);
        const share = this.#long?.shareToDecide(page, count);
        if (share !== undefined && this.#isTimeFor(run, (this.#clock.monotonic() - begunMs) / share)) this.#tell({ kind: 'long', run });
        if (stop.signal.aborted) return;
      }
      for (const [id, { end }] of this.#readersOf(run)) {
        end('read-to-the-end');
        this.#readings.delete(id);
      }
    } catch (failure) {
      for (const [id, { fail }] of this.#readersOf(run)) {
        fail(failure);
        this.#readings.delete(id);
      }
    } finally {
      this.#stops.delete(run);
      this.#tell({ kind: 'ended', run, isShort });
    }
  }

  /** Whether every reader of the run has time for the whole list once more: no reader is refused because others came. */
  #isTimeFor(run: RunId, wholeMs: number): boolean {
    const endMs = this.#clock.monotonic() + wholeMs;
    return this.#readersOf(run).every(([, { reader }]) => endMs <= (reader.untilMs ?? Infinity));
  }

  /** Hands the page to every reader of the run. Its bytes stay valid meanwhile: the next page is asked for afterwards. */
  #offerToAll(run: RunId, page: Page): Promise<void> {
    const readers = this.#readersOf(run);
    const sharer = readers[0]?.[1].reader.sharer;
    return inTurns(this.#offers(readers, page), {
      sharer,
      isUrgent: () => readers.some(([, { reader }]) => this.#isUrgent(reader)),
      now: () => this.#clock.monotonic(),
      turns: this.#turns,
    });
  }

  /** Patience is a third of the time that a reader has in all: a reader that has used it does not wait for others. */
  #isUrgent({ untilMs = Infinity, patienceMs }: ListReader<Page>): boolean {
    return untilMs - this.#clock.monotonic() < 2 * patienceMs;
  }

  *#offers(readers: readonly (readonly [ReaderId, Reading<Page>])[], page: Page): Generator<void, void> {
    for (const [id, reading] of readers) {
      yield* this.#offer(id, reading, page);
      yield;
    }
  }

  *#offer(id: ReaderId, reading: Reading<Page>, page: Page): Generator<void, void> {
    const isThere = (): boolean => this.#readings.get(id) === reading;
    if (!isThere()) return; // a reader that has left needs no page
    const { reader, end, fail } = reading;
    try {
      const taking = reader.accept(page);
      const taken = typeof taking === 'string' ? taking : yield* whileThere(taking, isThere);
      if (taken === 'more' || taken === 'gone') return;
      end('stopped-early');
    } catch (failure) {
      fail(failure);
    }
    this.#forget(id);
  }

  /** The readers that the run still serves: none once another run has taken its place. */
  #readersOf(run: RunId): readonly (readonly [ReaderId, Reading<Page>])[] {
    return [...(this.#schedule.runs.get(run)?.readers ?? [])].flatMap((id) => {
      const reading = this.#readings.get(id);
      return reading === undefined ? [] : [[id, reading] as const];
    });
  }
}

function* whileThere(taking: Iterator<void, Taken>, isThere: () => boolean): Generator<void, Taken | 'gone'> {
  for (;;) {
    const step = taking.next();
    if (step.done === true) return step.value;
    yield;
    if (!isThere()) return 'gone';
  }
}
