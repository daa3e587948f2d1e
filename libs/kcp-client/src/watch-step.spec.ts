import { describe, expect, it } from '@jest/globals';
import type { LogicalClusterName, ObjectMeta } from '@dep-ctrl/kcp-names';
import { KcpError, type KcpErrorCode } from './kcp-error.js';
import type { Observed } from './reflector-event.js';
import { initialWatchState, type StepContext, type WatchInput, type WatchState } from './watch-state.js';
import { STABLE_MS, UNHEARD_MS, watchStep, type WatchStepResult } from './watch-step.js';

const atStart: StepContext = { atMs: 1_000, random: 0, initial: 'list' };
const page = { objects: [observed('a')], undecodable: [], resourceVersion: '7', last: true, restarted: false };

describe(watchStep, () => {
  it('given pages, when the last one is read, then all objects are told at once and the watch goes on from there', () => {
    const first = after([{ kind: 'started' }, { kind: 'page', page: { ...page, last: false } }]);
    const last = watchStep(first.state, { kind: 'page', page: { ...page, objects: [observed('b')] } }, atStart);

    expect(first.events).toEqual([]);
    expect(last.events).toEqual([{ kind: 'replaced', objects: [observed('a'), observed('b')] }]);
    expect(last.command).toEqual({ do: 'watch', resourceVersion: '7', initial: false });
  });

  it('given a list that began anew, when its last page is read, then what the earlier pages said is forgotten', () => {
    const { events } = after([
      { kind: 'started' },
      { kind: 'page', page: { ...page, last: false } },
      { kind: 'page', page: { ...page, objects: [observed('b')], restarted: true } },
    ]);

    expect(events).toEqual([{ kind: 'replaced', objects: [observed('b')] }]);
  });

  it('given a list that took long, then the sign of life is as old as its beginning', () => {
    const listing = after([{ kind: 'started' }]);

    const listed = watchStep(listing.state, { kind: 'page', page }, { ...atStart, atMs: 9_000 });

    expect(listed.state.freshness).toEqual({ synced: true, lastSignOfLifeMs: 1_000, disconnectedSinceMs: 1_000 });
  });

  it('given an open watch, when lines come, then they are told in order and the next watch goes on behind them', () => {
    const { state, events } = after(watching, [
      {
        kind: 'lines',
        lines: [
          { kind: 'applied', object: observed('b'), resourceVersion: '8' },
          { kind: 'undecodable', problem: 'no cluster' },
          { kind: 'deleted', object: observed('a'), resourceVersion: '9' },
          { kind: 'bookmark', resourceVersion: '12', initialEnd: false },
        ],
      },
    ]);
    const ended = watchStep(state, { kind: 'watch-ended' }, { ...atStart, atMs: 1_000 + STABLE_MS });

    expect(events.map(({ kind }) => kind)).toEqual(['applied', 'undecodable', 'deleted']);
    expect(ended.command).toEqual({ do: 'watch', resourceVersion: '12', initial: false });
  });

  const refused: readonly (readonly [KcpErrorCode, 'list' | 'watch'])[] = [
    ['unreachable', 'watch'],
    ['unavailable', 'watch'],
    ['server-error', 'watch'],
    ['throttled', 'watch'],
    ['forbidden', 'watch'],
    ['unauthorized', 'watch'],
    ['invalid-response', 'watch'],
    ['expired', 'list'],
    ['not-found', 'list'],
    ['not-served', 'list'],
    ['invalid', 'list'],
  ];
  it.each(refused)('given a watch that fails as %s, then after a pause the next thing is a %s', (code, next) => {
    const failed = after(watching, [
      { kind: 'lines', lines: [bookmark('8')] },
      { kind: 'watch-failed', error: error(code) },
    ]);

    const waited = watchStep(failed.state, { kind: 'waited' }, atStart);

    expect(failed.command).toMatchObject({ do: 'wait' });
    expect(waited.command.do).toBe(next);
    expect(failed.state.freshness).toMatchObject({ synced: true, disconnectedSinceMs: 1_000, lastError: { code } });
  });

  it('given a watch refused with 410 after a good one, then it lists at once', () => {
    const { command } = after(settled, [{ kind: 'watch-failed', error: error('expired') }]);

    expect(command).toEqual({ do: 'list' });
  });

  it('given a server that says 410 to every watch, then the pauses grow', () => {
    const pauses: number[] = [];
    let { state } = after(settled);
    for (let turn = 0; turn < 5; turn += 1) {
      const failed = watchStep(state, { kind: 'watch-failed', error: error('expired') }, atStart);
      if (failed.command.do === 'wait') pauses.push(failed.command.ms);
      ({ state } = after([{ kind: 'waited' }, { kind: 'page', page }], [], failed.state));
    }

    expect(pauses).toEqual([200, 400, 800, 1_600]);
  });

  it('given a watch that opened and never spoke, when it times out, then it is not resumed: the server may not know the resourceVersion', () => {
    const failed = after(watching, [{ kind: 'watch-failed', error: error('timeout') }]);

    expect(watchStep(failed.state, { kind: 'waited' }, atStart).command).toEqual({ do: 'list' });
  });

  it('given a watch that spoke, when it times out, then it is resumed', () => {
    const failed = after(watching, [
      { kind: 'lines', lines: [bookmark('8')] },
      { kind: 'watch-failed', error: error('timeout') },
    ]);

    expect(watchStep(failed.state, { kind: 'waited' }, atStart).command).toEqual({ do: 'watch', resourceVersion: '8', initial: false });
  });

  it('given a server that closes every watch at once, then the pauses grow to their bound', () => {
    const pauses: number[] = [];
    let { state } = after(watching);
    for (let turn = 0; turn < 9; turn += 1) {
      const ended = watchStep(state, { kind: 'watch-ended' }, { ...atStart, random: 0.999_999 });
      if (ended.command.do === 'wait') pauses.push(Math.round(ended.command.ms));
      ({ state } = after([{ kind: 'waited' }, { kind: 'watch-opened' }], [], ended.state));
    }

    expect(pauses).toEqual([400, 800, 1_600, 3_200, 6_400, 10_000, 10_000, 10_000, 10_000]);
  });

  it('given a quiet watch that the server ends in order, then that is a sign of life and the next one goes on from there at once', () => {
    const { state } = after(watching);

    const ended = watchStep(state, { kind: 'watch-ended' }, { ...atStart, atMs: 21_000 });

    expect(ended.command).toEqual({ do: 'watch', resourceVersion: '7', initial: false });
    expect(ended.state.freshness).toEqual({ synced: true, lastSignOfLifeMs: 21_000 });
  });

  it('given a watch that was resumed on a new connection, when it ends in order without a word, then there is a list: another server may answer there now', () => {
    const { state } = after(resumed);

    const ended = watchStep(state, { kind: 'watch-ended' }, { ...atStart, atMs: 21_000 });

    expect(ended.command).toEqual({ do: 'list' });
    expect(ended.state.freshness.lastSignOfLifeMs).toBe(1_000);
  });

  it('given a watch that was resumed on a new connection and spoke, when it ends in order, then the next one goes on behind it', () => {
    const { state } = after(resumed, [{ kind: 'lines', lines: [bookmark('8')] }]);

    const ended = watchStep(state, { kind: 'watch-ended' }, { ...atStart, atMs: 21_000 });

    expect(ended.command).toEqual({ do: 'watch', resourceVersion: '8', initial: false });
    expect(ended.state.freshness.lastSignOfLifeMs).toBe(21_000);
  });

  it('given a watch that was resumed on a new connection, when all it says is the resourceVersion it was asked for, then there is a list', () => {
    const { state } = after(resumed, [{ kind: 'lines', lines: [bookmark('7')] }]);

    expect(watchStep(state, { kind: 'watch-ended' }, { ...atStart, atMs: 21_000 }).command).toEqual({ do: 'list' });
  });

  it('given a watch that was resumed and ended as soon as it was open, then it is resumed once more, as unproven as before', () => {
    const { state } = after(resumed, [{ kind: 'watch-ended' }, { kind: 'waited' }, { kind: 'watch-opened' }]);

    const ended = watchStep(state, { kind: 'watch-ended' }, { ...atStart, atMs: 21_000 });

    expect(ended.command).toEqual({ do: 'list' });
  });

  it('given a watch that never spoke for long, then it is not believed any more: its server may not know the resourceVersion', () => {
    const { state } = after(watching);

    const ended = watchStep(state, { kind: 'watch-ended' }, { ...atStart, atMs: 1_000 + UNHEARD_MS });

    expect(ended.command).toEqual({ do: 'list' });
    expect(ended.state.freshness.lastSignOfLifeMs).toBe(1_000);
  });

  it('given a watch that is ended as soon as it is open, then that is no sign of life', () => {
    const { state } = after(watching);

    expect(watchStep(state, { kind: 'watch-ended' }, { ...atStart, atMs: 1_100 }).state.freshness.lastSignOfLifeMs).toBe(1_000);
  });

  it('given Retry-After, then the pause is at least that', () => {
    const failed = after([{ kind: 'started' }, { kind: 'list-failed', error: error('throttled', 30_000) }]);

    expect(failed.command).toEqual({ do: 'wait', ms: 30_000 });
  });

  it('given a failed list, then nothing is told and it is not synced', () => {
    const failed = after([
      { kind: 'started' },
      { kind: 'page', page: { ...page, last: false } },
      { kind: 'list-failed', error: error('not-served') },
    ]);

    expect(failed.events).toEqual([]);
    expect(failed.state.freshness.synced).toBe(false);
  });

  it('given initial events, when their end comes, then they are told at once and the same watch goes on', () => {
    const stream: StepContext = { ...atStart, initial: 'stream' };
    const started = watchStep(initialWatchState, { kind: 'started' }, stream);
    const told = watchStep(
      started.state,
      {
        kind: 'lines',
        lines: [
          { kind: 'applied', object: observed('a'), resourceVersion: '3' },
          { kind: 'bookmark', resourceVersion: '7', initialEnd: true },
          { kind: 'deleted', object: observed('a'), resourceVersion: '8' },
        ],
      },
      stream,
    );

    expect(started.command).toEqual({ do: 'watch', resourceVersion: '', initial: true });
    expect(told.events).toEqual([
      { kind: 'replaced', objects: [observed('a')] },
      { kind: 'deleted', object: observed('a') },
    ]);
    expect(told.command).toEqual({ do: 'go-on' });
    expect(told.state.freshness).toEqual({ synced: true, lastSignOfLifeMs: 1_000 });
  });

  it('given objects that change and go before the end of the initial events, then what is told is what they are at the end', () => {
    const stream: StepContext = { ...atStart, initial: 'stream' };
    const elsewhere: Observed = { ...observed('a'), cluster: 'd' as LogicalClusterName };
    const applied = (object: Observed) => ({ kind: 'applied', object, resourceVersion: '3' }) as const;
    const deleted = (object: Observed) => ({ kind: 'deleted', object, resourceVersion: '4' }) as const;
    const changed = observed('b', { generation: 2 });
    let { state } = watchStep(initialWatchState, { kind: 'started' }, stream);
    ({ state } = watchStep(state, { kind: 'lines', lines: [applied(observed('a')), applied(elsewhere), applied(observed('b'))] }, stream));

    const { events } = watchStep(
      state,
      {
        kind: 'lines',
        lines: [
          deleted(observed('a')),
          applied(changed),
          applied(observed('a', { namespace: 'n' })),
          { kind: 'bookmark', resourceVersion: '7', initialEnd: true },
        ],
      },
      stream,
    );

    expect(events).toEqual([{ kind: 'replaced', objects: [elsewhere, changed, observed('a', { namespace: 'n' })] }]);
  });

  it('given a server that refuses initial events, then it lists from then on', () => {
    const stream: StepContext = { ...atStart, initial: 'stream' };
    const started = watchStep(initialWatchState, { kind: 'started' }, stream);
    const failed = watchStep(started.state, { kind: 'watch-failed', error: error('invalid') }, stream);

    expect(watchStep(failed.state, { kind: 'waited' }, stream).command).toEqual({ do: 'list' });
  });
});

const watching: readonly WatchInput[] = [{ kind: 'started' }, { kind: 'page', page }, { kind: 'watch-opened' }];
const resumed: readonly WatchInput[] = [
  ...watching,
  { kind: 'watch-failed', error: error('unreachable') },
  { kind: 'waited' },
  { kind: 'watch-opened' },
];
const settled: readonly WatchInput[] = [{ kind: 'started' }, { kind: 'page', page }];

function after(inputs: readonly WatchInput[], more: readonly WatchInput[] = [], from: WatchState = initialWatchState): WatchStepResult {
  let result: WatchStepResult = { state: from, events: [], command: { do: 'go-on' } };
  for (const input of [...inputs, ...more]) result = watchStep(result.state, input, atStart);
  return result;
}

function bookmark(resourceVersion: string): { readonly kind: 'bookmark'; readonly resourceVersion: string; readonly initialEnd: false } {
  return { kind: 'bookmark', resourceVersion, initialEnd: false };
}

function error(code: KcpErrorCode, retryAfterMs?: number): KcpError {
  return new KcpError({ code, asked: 'watch', at: 'here', problem: 'x', ...(retryAfterMs === undefined ? {} : { retryAfterMs }) });
}

function observed(name: string, more: Partial<ObjectMeta> = {}): Observed {
  return { cluster: 'c' as LogicalClusterName, object: { metadata: { name, ...more } } };
}
