import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { KeyedQueue, type KeyedQueueOptions, type QueueOutcome } from '../index.js';
import { instantClock } from '../testing/instant-clock.js';

const done: QueueOutcome = { kind: 'done' };

describe(KeyedQueue, () => {
  it('given keys added twice before it runs, then each is run once', async () => {
    const { queue, ran, finish } = build(() => done, { stopAfter: 2 });
    for (const key of ['a', 'b', 'a'] as const) queue.add(key);

    await finish();

    expect(ran).toEqual(['a', 'b']);
    expect(queue.size).toBe(0);
  });

  it('given keys that wait for a time, then they are not due until it has come', () => {
    const { queue } = build(() => done, { stopAfter: 1 });
    queue.add('a', 60_000);
    queue.add('b');

    expect({ size: queue.size, due: queue.due }).toEqual({ size: 2, due: 1 });
  });

  it('given a key added while it runs, then it is run once more afterwards', async () => {
    const { queue, ran, finish } = build(
      (key, turn) => {
        if (turn === 1) queue.add(key);
        return done;
      },
      { stopAfter: 2 },
    );
    queue.add('a');

    await finish();

    expect(ran).toEqual(['a', 'a']);
  });

  it('given failures, then the pauses grow, and are forgotten after a success', async () => {
    const outcomes: QueueOutcome['kind'][] = ['retry', 'retry', 'retry', 'again', 'retry', 'done'];
    const { queue, clock, finish } = build((_, turn) => outcomeOf(outcomes[turn - 1] ?? 'done'), { stopAfter: 6 });
    queue.add('a');

    await finish();

    expect(clock.slept).toEqual([50, 100, 200, 7, 50]);
  });

  it('given a failure that says when, then the pause is at least that', async () => {
    const { queue, clock, finish } = build((_, turn) => (turn === 1 ? { kind: 'retry', afterMs: 900 } : done), { stopAfter: 2 });
    queue.add('a');

    await finish();

    expect(clock.slept).toEqual([900]);
  });

  it('given a key that waits, when it is added for now, then it does not wait', async () => {
    const { queue, ran, clock, finish } = build(() => done, { stopAfter: 1 });
    queue.add('a', 60_000);
    queue.add('a');

    await finish();

    expect(ran).toEqual(['a']);
    expect(clock.slept).toEqual([]);
  });

  it('given a key that waits, when it is added for later, then the earlier time stays', async () => {
    const { queue, clock, finish } = build(() => done, { stopAfter: 1 });
    queue.add('a', 100);
    queue.add('a', 60_000);

    await finish();

    expect(clock.slept).toEqual([100]);
    expect(queue.size).toBe(0);
  });

  it('given a full queue, then new keys are refused and known ones are not', () => {
    const { queue } = build(() => done, { stopAfter: 1, capacity: 2 });

    expect([queue.add('a'), queue.add('b', 10), queue.add('c'), queue.add('a'), queue.add('b')]).toEqual([true, true, false, true, true]);
    expect(queue.size).toBe(2);
  });

  it.each([{ kind: 'retry' }, { kind: 'again', afterMs: 7 }] as const)(
    'given a queue that filled up while a key ran, then what the run answers is not lost: $kind',
    async (outcome) => {
      const { queue, ran, finish } = build(
        (key, turn) => {
          if (turn > 1) return done;
          queue.add('b');
          return key === 'a' ? outcome : done;
        },
        { stopAfter: 3, capacity: 1 },
      );
      queue.add('a');

      await finish();

      expect(ran).toEqual(['a', 'b', 'a']);
    },
  );

  it('given many keys of one group and then one of each of two others, then the groups take turns', async () => {
    const keys = ['x1', 'x2', 'x3', 'x4', 'y1', 'z1'] as const;
    const { queue, ran, finish } = build(() => done, { stopAfter: keys.length, groupOf: ([group = '']) => group });
    for (const key of keys) queue.add(key);

    await finish();

    expect(ran).toEqual(['x1', 'y1', 'z1', 'x2', 'x3', 'x4']);
  });

  it('given a run that throws, then the queue stops and rejects with that', async () => {
    const { queue, finish } = build(
      () => {
        throw new Error('bug');
      },
      { stopAfter: 9 },
    );
    queue.add('a');

    await expect(finish()).rejects.toThrow('bug');
  });

  it('given a stop while keys run, then their signal aborts and it waits for them', async () => {
    const stop = new AbortController();
    let ended = false;
    const queue = new KeyedQueue<string>({
      concurrency: 1,
      run: (_, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            ended = true;
            reject(new Error('aborted'));
          });
          stop.abort();
        }),
    });
    queue.add('a');

    await expect(queue.run(stop.signal)).resolves.toBeUndefined();
    expect(ended).toBe(true);
  });

  it('never runs one key twice at a time, never more keys than allowed in all or of one group, and every change is followed by a run that began after it', async () => {
    const keys = ['a', 'b', 'c', 'd'] as const;
    const groups: Readonly<Record<string, string>> = { a: 'x', b: 'x', c: 'x', d: 'y' };
    const step = fc.record({
      key: fc.constantFrom(...keys),
      delayMs: fc.constantFrom(0, 0, 5, 50),
      outcome: fc.constantFrom('done', 'retry', 'again'),
    });

    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 30 }),
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 1, max: 3 }),
        fc.scheduler(),
        async (steps, concurrency, groupConcurrency, scheduler) => {
          const wanted = new Set<string>();
          const running = new Set<string>();
          const outcomes = steps.map(({ outcome }) => outcome);
          const broken: string[] = [];
          const stop = new AbortController();
          const queue = new KeyedQueue<string>({
            concurrency,
            groupOf: (key) => groups[key] ?? '',
            groupConcurrency,
            clock: instantClock(),
            random: () => 0,
            async run(key) {
              if (running.has(key)) broken.push(`two runs of ${key}`);
              running.add(key);
              wanted.delete(key);
              if (running.size > concurrency) broken.push('too many at once');
              const ofGroup = [...running].filter((each) => groups[each] === groups[key]);
              if (ofGroup.length > groupConcurrency) broken.push('too many of one group');
              await scheduler.schedule(Promise.resolve(), key);
              running.delete(key);
              return outcomeOf(outcomes.shift() ?? 'done');
            },
          });
          const ended = queue.run(stop.signal);

          for (const { key, delayMs } of steps) {
            wanted.add(key);
            queue.add(key, delayMs);
            if (scheduler.count() > 0) await scheduler.waitNext(1);
          }
          while (queue.size > 0 || running.size > 0) {
            if (scheduler.count() > 0) await scheduler.waitNext(1);
            else await new Promise(setImmediate);
          }
          stop.abort();
          await ended;

          expect(broken).toEqual([]);
          expect([...wanted]).toEqual([]);
        },
      ),
      { numRuns: 200 },
    );
  });
});

function outcomeOf(kind: QueueOutcome['kind']): QueueOutcome {
  return kind === 'again' ? { kind, afterMs: 7 } : { kind };
}

/** A queue that stops itself after so many runs. */
function build(
  run: (key: string, turn: number) => QueueOutcome,
  { stopAfter, ...options }: { readonly stopAfter: number } & Partial<KeyedQueueOptions<string>>,
): {
  readonly queue: KeyedQueue<string>;
  readonly ran: readonly string[];
  readonly clock: ReturnType<typeof instantClock>;
  readonly finish: () => Promise<void>;
} {
  const stop = new AbortController();
  const ran: string[] = [];
  const clock = instantClock();
  const queue = new KeyedQueue<string>({
    concurrency: 1,
    clock,
    random: () => 0,
    ...options,
    run(key) {
      ran.push(key);
      if (ran.length === stopAfter) stop.abort();
      return Promise.resolve().then(() => run(key, ran.length));
    },
  });
  return { queue, ran, clock, finish: () => queue.run(stop.signal) };
}
