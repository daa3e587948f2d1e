import { describe, expect, it } from '@jest/globals';
import { ManualClock, settled } from '@dep-ctrl/kcp-client/testing';
import { MOST_KNOWN_AS_SHORT, SharedLists, type ListReader } from './shared-lists.js';

const forever = new AbortController().signal;

describe(SharedLists, () => {
  it('given readers who arrive while a list runs, then they share the next one', async () => {
    const stage = new Stage();
    const first = stage.read('a');
    const others = [stage.read('a'), stage.read('a')];

    await stage.deliver(0, 'old');
    await stage.end(0);
    await stage.deliver(1, 'new');
    await stage.end(1);

    expect(await Promise.all([first.result, ...others.map(({ result }) => result)])).toEqual(Array(3).fill('read-to-the-end'));
    expect([first.pages, ...others.map(({ pages }) => pages)]).toEqual([['old'], ['new'], ['new']]);
    expect(stage.runs).toHaveLength(2);
  });

  it.each([
    { given: 'a first page that is all', isWhole: true, runsAfterMs: [2, 3] },
    { given: 'a first page that is not', isWhole: false, runsAfterMs: [2, 2] },
  ])('given $given, then those who wait for the next run begin it after 15 ms: $isWhole', async (how) => {
    const stage = new Stage({ isWhole: () => how.isWhole });
    const before = stage.read('a');
    const slow = stage.read('a');
    await stage.deliver(0, 'old');
    await stage.end(0);
    const others = [stage.read('a'), stage.read('a')];

    const runs: number[] = [];
    for (const ms of [14, 1]) {
      await stage.clock.advance(ms);
      runs.push(stage.runs.length);
    }
    for (let run = 1; run < 3; run += 1) {
      await stage.deliver(run, 'new');
      await stage.end(run);
    }

    expect(runs).toEqual(how.runsAfterMs);
    expect(await Promise.all([before, slow, ...others].map(({ result }) => result))).toEqual(Array(4).fill('read-to-the-end'));
    expect(others.map(({ pages }) => pages)).toEqual([['new'], ['new']]);
  });

  it.each([
    { given: 'a short list that nobody has read for a while', others: 0, runs: 2 },
    { given: 'as many others since then as are remembered', others: MOST_KNOWN_AS_SHORT, runs: 1 },
  ])('given $given, then those who come while it runs have begun $runs after 15 ms', async ({ others, runs }) => {
    const stage = new Stage({ isWhole: () => true });
    for (const key of ['a', ...Array.from({ length: others }, (_, index) => `other-${index}`)]) {
      const { result } = stage.read(key);
      await stage.deliver(stage.runs.length - 1, 'old');
      await stage.end(stage.runs.length - 1);
      await result;
    }
    const before = stage.runs.length;

    for (let reader = 0; reader < 3; reader += 1) void stage.read('a');
    await stage.clock.advance(15);

    expect(stage.runs.length - before).toBe(runs);
  });

  it('given lists of different keys, then they have nothing to do with each other', async () => {
    const stage = new Stage();
    const one = stage.read('a');
    const other = stage.read('b');

    await stage.end(1);

    expect(await other.result).toBe('read-to-the-end');
    await stage.end(0);
    expect(await one.result).toBe('read-to-the-end');
  });

  it("given a reader that gives up, then nobody else's list ends", async () => {
    const stage = new Stage();
    const first = stage.read('a');
    const quitter = new AbortController();
    const second = stage.read('a', { signal: quitter.signal });
    const third = stage.read('a');
    await stage.end(0);

    quitter.abort(new Error('no time'));
    await expect(second.result).rejects.toThrow('no time');
    await stage.deliver(1, 'page');
    await stage.end(1);

    expect([await first.result, await third.result, third.pages]).toEqual(['read-to-the-end', 'read-to-the-end', ['page']]);
  });

  it('given that the last reader gives up, then the list is stopped', async () => {
    const stage = new Stage();
    const quitter = new AbortController();
    const only = stage.read('a', { signal: quitter.signal });

    quitter.abort(new Error('no time'));

    await expect(only.result).rejects.toThrow('no time');
    expect(stage.runs[0]?.signal.aborted).toBe(true);
  });

  it('given a reader that has enough, then it goes and the others read on', async () => {
    const stage = new Stage();
    const blocker = stage.read('a');
    const early = stage.read('a', { enoughAfter: 1 });
    const late = stage.read('a');
    await stage.end(0);

    await stage.deliver(1, 'one');
    await stage.deliver(1, 'two');
    await stage.end(1);

    expect([await blocker.result, await early.result, await late.result]).toEqual(['read-to-the-end', 'stopped-early', 'read-to-the-end']);
    expect([early.pages, late.pages]).toEqual([['one'], ['one', 'two']]);
  });

  it('given that every reader has enough, then the list is stopped', async () => {
    const stage = new Stage();
    const only = stage.read('a', { enoughAfter: 1 });

    await stage.deliver(0, 'one');

    expect(await only.result).toBe('stopped-early');
    expect(stage.runs[0]?.signal.aborted).toBe(true);
  });

  it('given a list that breaks, then all its readers hear why, and those who wait get a list of their own', async () => {
    const stage = new Stage();
    const first = stage.read('a');
    const second = stage.read('a');

    await stage.break(0, new Error('reset'));
    await expect(first.result).rejects.toThrow('reset');
    await stage.end(1);

    expect(await second.result).toBe('read-to-the-end');
  });

  it('given a reader that chokes on a page, then it fails alone', async () => {
    const stage = new Stage();
    const blocker = stage.read('a');
    const choking = stage.read('a', { chokesOn: 'bad' });
    const fine = stage.read('a');
    await stage.end(0);

    await stage.deliver(1, 'bad');
    await stage.end(1);

    await expect(choking.result).rejects.toThrow('cannot read bad');
    expect([await blocker.result, await fine.result]).toEqual(['read-to-the-end', 'read-to-the-end']);
  });

  it('given a reader whose patience is over, then its own list begins, and the slow one goes on', async () => {
    const stage = new Stage();
    const slow = stage.read('a');
    const impatient = stage.read('a', { patienceMs: 4_000 });
    const fellow = stage.read('a');

    await stage.clock.advance(4_000);
    expect(stage.runs).toHaveLength(2);
    await stage.end(1);

    expect([await impatient.result, await fellow.result]).toEqual(['read-to-the-end', 'read-to-the-end']);
    await stage.end(0);
    expect(await slow.result).toBe('read-to-the-end');
  });

  it('given a long list, then who comes while it has only begun shares one that begins anew with who came first', async () => {
    const stage = new Stage();
    const first = stage.read('a');
    const hasEnough = stage.read('a', { enoughAfter: 1 });
    await stage.deliver(0, 'one');
    const second = stage.read('a');

    await stage.deliver(0, 'long');
    const tooLate = stage.read('a');
    await stage.deliver(1, 'one');
    await stage.deliver(1, 'long');
    await stage.end(1);
    await stage.end(2);

    expect(await Promise.all([first, hasEnough, second, tooLate].map(({ result }) => result))).toEqual([
      'read-to-the-end',
      'stopped-early',
      'read-to-the-end',
      'read-to-the-end',
    ]);
    expect([first.pages, second.pages]).toEqual([
      ['one', 'long', 'anew: one', 'long'],
      ['anew: one', 'long'],
    ]);
    expect([hasEnough.pages, tooLate.pages]).toEqual([['anew: one'], []]);
    expect(stage.runs.map(({ signal }) => signal.aborted)).toEqual([true, false, false]);
  });

  it.each([
    ['just enough time', 11_000, 2],
    ['too little time', 10_999, 1],
  ])(
    'given a reader with %s for the whole list once more, then whether others come does not cost it its answer',
    async (_given, untilMs, runs) => {
      const stage = new Stage();
      const first = stage.read('a', { untilMs });
      await stage.deliver(0, 'one');
      const second = stage.read('a');
      await stage.clock.advance(1_000);

      await stage.deliver(0, 'long');

      expect(stage.runs).toHaveLength(runs);
      for (let run = 0; run < 2; run++) if (stage.runs[run]?.signal.aborted === false) await stage.end(run);
      expect([await first.result, await second.result]).toEqual(['read-to-the-end', 'read-to-the-end']);
    },
  );

  it('given that nobody else has come when it is decided, then a long list goes on', async () => {
    const stage = new Stage();
    const only = stage.read('a');

    await stage.deliver(0, 'one');
    await stage.deliver(0, 'long');
    await stage.end(0);

    expect([await only.result, only.pages]).toEqual(['read-to-the-end', ['one', 'long']]);
  });

  it('given that the list which is given up breaks while it ends, then nobody hears of it', async () => {
    const stage = new Stage();
    const first = stage.read('a', { breaksWhenStopped: true });
    const second = stage.read('a');

    await stage.deliver(0, 'one');
    await stage.deliver(0, 'long');
    await stage.end(1);

    expect(await Promise.all([first.result, second.result])).toEqual(['read-to-the-end', 'read-to-the-end']);
  });

  it('given many for whom a page is dear to look at, then everybody else goes on in between, and who gives up meanwhile gets none', async () => {
    const stage = new Stage();
    const first = stage.read('a');
    const quitter = new AbortController();
    const readers = [
      stage.read('a', { takesMs: 6 }),
      stage.read('a', { takesMs: 6 }),
      stage.read('a', { signal: quitter.signal }),
      stage.read('a', { takesMs: 6 }),
    ];
    await stage.end(0);
    stage.whileBreathing = () => quitter.abort(new Error('no time'));

    await stage.deliver(1, 'page');
    await stage.end(1);

    expect(stage.breaths).toBe(3);
    expect(await Promise.allSettled(readers.map(({ result }) => result))).toMatchObject([
      { value: 'read-to-the-end' },
      { value: 'read-to-the-end' },
      { reason: new Error('no time') },
      { value: 'read-to-the-end' },
    ]);
    expect(readers.map(({ pages }) => pages)).toEqual([['page'], ['page'], [], ['page']]);
    expect(await first.result).toBe('read-to-the-end');
  });

  it('given one for whom a page is long work, then everybody else goes on in between, and no work is done for who gives up meanwhile', async () => {
    const stage = new Stage();
    const first = stage.read('a');
    const quitter = new AbortController();
    const [patient, gone] = [stage.read('a', { piecesMs: [6, 6, 6] }), stage.read('a', { piecesMs: [6, 6, 6, 6], signal: quitter.signal })];
    await stage.end(0);
    stage.whileBreathing = () => {
      if (gone.pieces > 0) quitter.abort(new Error('no time'));
    };

    await stage.deliver(1, 'page');
    await stage.end(1);

    await expect(gone.result).rejects.toThrow('no time');
    expect([await first.result, await patient.result]).toEqual(['read-to-the-end', 'read-to-the-end']);
    expect([patient.pieces, gone.pieces, stage.breaths]).toEqual([3, 1, 4]);
  });

  it('given one who has enough in the middle of a page, then it goes there', async () => {
    const stage = new Stage();
    const reader = stage.read('a', { piecesMs: [0, 0, 0], enoughAfterPieces: 2 });

    await stage.deliver(0, 'page');

    expect([await reader.result, reader.pieces]).toEqual(['stopped-early', 2]);
  });

  it('given a signal that is over already, then nothing is read', async () => {
    const stage = new Stage();
    const late = stage.read('a', { signal: AbortSignal.abort(new Error('too late')) });

    await expect(late.result).rejects.toThrow('too late');
    expect(stage.runs).toEqual([]);
  });
});

interface ReadingChange {
  readonly signal?: AbortSignal;
  readonly patienceMs?: number;
  readonly untilMs?: number;
  readonly enoughAfter?: number;
  readonly chokesOn?: string;
  readonly breaksWhenStopped?: boolean;
  readonly takesMs?: number;
  /** How long the pieces take that each page is taken in. */
  readonly piecesMs?: readonly number[];
  readonly enoughAfterPieces?: number;
}

/** Lists whose pages a spec hands out one by one. */
class Stage {
  readonly clock = new ManualClock();
  readonly runs: Run[] = [];
  breaths = 0;
  whileBreathing: () => void = () => undefined;
  readonly #lists: SharedLists<string>;

  constructor(how: { readonly isWhole?: () => boolean } = {}) {
    this.#lists = new SharedLists<string>({
      clock: this.clock,
      ...how,
      long: { shareToDecide: (page, count) => (page.endsWith('long') && count === 2 ? 0.1 : undefined), anew: (page) => `anew: ${page}` },
      turns: {
        next: () => {
          this.breaths += 1;
          this.whileBreathing();
          return Promise.resolve(2);
        },
        spent: () => undefined,
        isBusy: () => false,
      },
    });
  }

  read(
    key: string,
    {
      signal = forever,
      patienceMs = 60_000,
      untilMs = Infinity,
      enoughAfter = Infinity,
      chokesOn,
      breaksWhenStopped = false,
      takesMs = 0,
      piecesMs,
      enoughAfterPieces = Infinity,
    }: ReadingChange = {},
  ) {
    const pages: string[] = [];
    const done = { pieces: 0 };
    const inPieces = function* (clock: ManualClock, pieces: readonly number[]): Generator<void, 'more' | 'enough'> {
      for (const ms of pieces) {
        clock.ms += ms;
        done.pieces += 1;
        if (done.pieces >= enoughAfterPieces) return 'enough';
        yield;
      }
      return 'more';
    };
    const reader: ListReader<string> = {
      signal,
      patienceMs,
      untilMs,
      open: (options) => {
        const run = new Run(options.signal, breaksWhenStopped);
        this.runs.push(run);
        return run.pages();
      },
      accept: (page) => {
        if (page === chokesOn) throw new Error(`cannot read ${page}`);
        pages.push(page);
        if (piecesMs !== undefined) return inPieces(this.clock, piecesMs);
        this.clock.ms += takesMs;
        return pages.length >= enoughAfter ? 'enough' : 'more';
      },
    };
    const result = this.#lists.read(key, reader);
    result.catch(() => undefined);
    return {
      result,
      pages,
      get pieces() {
        return done.pieces;
      },
    };
  }

  deliver(run: number, page: string): Promise<void> {
    return this.#tell(run, { page });
  }

  end(run: number): Promise<void> {
    return this.#tell(run, 'end');
  }

  break(run: number, failure: Error): Promise<void> {
    return this.#tell(run, { failure });
  }

  async #tell(run: number, news: News): Promise<void> {
    await settled();
    const at = this.runs[run];
    if (at === undefined) throw new Error(`run ${String(run)} has not begun`);
    at.tell(news);
    await settled();
  }
}

type News = { readonly page: string } | { readonly failure: Error } | 'end';

class Run {
  readonly signal: AbortSignal;
  readonly #news: News[] = [];
  readonly #breaksWhenStopped: boolean;
  #wake: () => void = () => undefined;

  constructor(signal: AbortSignal, breaksWhenStopped: boolean) {
    this.signal = signal;
    this.#breaksWhenStopped = breaksWhenStopped;
  }

  tell(news: News): void {
    this.#news.push(news);
    this.#wake();
  }

  async *pages(): AsyncGenerator<string> {
    this.signal.addEventListener('abort', () => this.#wake());
    try {
      while (!this.signal.aborted) {
        const next = this.#news.shift();
        if (next === undefined) await new Promise<void>((resolve) => (this.#wake = resolve));
        else if (next === 'end') return;
        else if ('failure' in next) throw next.failure;
        else yield next.page;
      }
    } finally {
      if (this.signal.aborted && this.#breaksWhenStopped) throw new Error('reset');
    }
  }
}
