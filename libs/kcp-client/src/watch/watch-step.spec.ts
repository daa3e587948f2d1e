import { describe, expect, it } from '@jest/globals';
import type { LogicalClusterName, ObjectMeta } from '@dep-ctrl/kcp-names';
import { KcpError, type KcpErrorCode } from '../errors/kcp-error.js';
import type { Observed } from './reflector-event.js';
import type { WatchLine } from './watch-line.js';
import { initialWatchState, type StepContext, type WatchCommand, type WatchInput, type WatchState } from './watch-state.js';
import { STABLE_MS, watchStep, type WatchStepResult } from './watch-step.js';

const UNHEARD_MS = 600_000;
const atStart: StepContext = { atMs: 1_000, random: 0, initial: 'list', unheardMs: UNHEARD_MS };
const stream: StepContext = { ...atStart, initial: 'stream' };
const initialEnd: WatchLine = { kind: 'bookmark', resourceVersion: '7', initialEnd: true };
const gone: WatchLine = { kind: 'error', status: { kind: 'Status', code: 410 } };
const page = { objects: [observed('a')], undecodable: [], resourceVersion: '7', last: true, restarted: false };
const watching: readonly WatchInput[] = [{ kind: 'started' }, { kind: 'page', page }, { kind: 'watch-opened' }];
const resumed: readonly WatchInput[] = [
  ...watching,
  { kind: 'watch-failed', error: error('unreachable') },
  { kind: 'waited' },
  { kind: 'watch-opened' },
];
const settled: readonly WatchInput[] = [{ kind: 'started' }, { kind: 'page', page }];

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

    expect(events).toEqual([
      { kind: 'applied', object: observed('b') },
      { kind: 'undecodable', problem: 'no cluster' },
      { kind: 'deleted', object: observed('a') },
    ]);
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
      ({ state } = after(failed.state, [{ kind: 'waited' }, { kind: 'page', page }]));
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
      ({ state } = after(ended.state, [{ kind: 'waited' }, { kind: 'watch-opened' }]));
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
    const started = watchStep(initialWatchState, { kind: 'started' }, stream);
    const told = watchStep(
      started.state,
      {
        kind: 'lines',
        lines: [
          { kind: 'applied', object: observed('a'), resourceVersion: '3' },
          initialEnd,
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
    const elsewhere: Observed = { ...observed('a'), cluster: 'd' as LogicalClusterName };
    const put = (object: Observed) => ({ kind: 'applied', object, resourceVersion: '3' }) as const;
    const deleted = (object: Observed) => ({ kind: 'deleted', object, resourceVersion: '4' }) as const;
    const changed = observed('b', { generation: 2 });
    let { state } = watchStep(initialWatchState, { kind: 'started' }, stream);
    ({ state } = watchStep(state, { kind: 'lines', lines: [put(observed('a')), put(elsewhere), put(observed('b'))] }, stream));

    const { events } = watchStep(
      state,
      {
        kind: 'lines',
        lines: [deleted(observed('a')), put(changed), put(observed('a', { namespace: 'n' })), initialEnd],
      },
      stream,
    );

    expect(events).toEqual([{ kind: 'replaced', objects: [elsewhere, changed, observed('a', { namespace: 'n' })] }]);
  });

  it('given a server that refuses initial events, then it lists from then on, whatever fails later', () => {
    const refused = after([{ kind: 'started' }, { kind: 'watch-failed', error: error('invalid') }, { kind: 'waited' }], [], stream);
    const lost = after(
      refused.state,
      [{ kind: 'page', page }, { kind: 'watch-failed', error: error('not-served') }, { kind: 'waited' }],
      stream,
    );

    expect([refused.command, lost.command]).toEqual([{ do: 'list' }, { do: 'list' }]);
  });

  it.each<{ given: string; input: WatchInput }>([
    { given: 'that breaks', input: { kind: 'watch-failed', error: error('unreachable') } },
    { given: 'that ends in order', input: { kind: 'watch-ended' } },
  ])('given initial events $given before their end, then nothing is told and they begin anew', ({ input }) => {
    const half = after(
      [{ kind: 'started' }, { kind: 'watch-opened' }, { kind: 'lines', lines: [applied('3'), bookmark('3')] }],
      [],
      stream,
    );
    const broken = after(half.state, [input], stream);
    const anew = after(broken.state, [{ kind: 'waited' }], stream);

    expect([...half.events, ...broken.events]).toEqual([]);
    expect(half.state.freshness).toEqual({ synced: false, disconnectedSinceMs: 1_000 });
    expect(anew.command).toEqual({ do: 'watch', resourceVersion: '', initial: true });
    expect(anew.state.phase).toEqual({ at: 'streaming', beganMs: 1_000, batches: [] });
  });

  it('given initial events that took long, then the sign of life is as old as their beginning, and what came after them newer', () => {
    const { state } = after([{ kind: 'started' }, { kind: 'watch-opened' }], [], stream);
    const told = (lines: readonly WatchLine[]) => watchStep(state, { kind: 'lines', lines }, { ...stream, atMs: 9_000 });

    expect(told([initialEnd]).state.freshness).toStrictEqual({ synced: true, lastSignOfLifeMs: 1_000 });
    expect(told([initialEnd, applied('8')]).state.freshness).toStrictEqual({ synced: true, lastSignOfLifeMs: 9_000 });
    expect(watchStep(told([initialEnd]).state, { kind: 'watch-ended' }, at(9_000 + STABLE_MS)).command).toMatchObject({
      resourceVersion: '7',
    });
    expect(watchStep(told([initialEnd]).state, { kind: 'watch-ended' }, at(9_000 + UNHEARD_MS - 1)).command).toMatchObject({ do: 'watch' });
  });

  it('given what is no object among the initial events, then it is told and the rest counts', () => {
    const lines: WatchLine[] = [{ kind: 'undecodable', problem: 'no cluster', resourceVersion: '2' }, applied('3'), initialEnd];

    expect(after([{ kind: 'started' }, { kind: 'lines', lines }], [], stream).events).toStrictEqual([
      { kind: 'undecodable', problem: 'no cluster' },
      { kind: 'replaced', objects: [observed('a')] },
    ]);
  });

  it('given what is no object on a page, then it is told at once and the rest counts', () => {
    const first = after([{ kind: 'started' }, { kind: 'page', page: { ...page, undecodable: ['no cluster'], last: false } }]);
    const last = after(first.state, [{ kind: 'page', page: { ...page, undecodable: ['no name'] } }]);

    expect(first.events).toEqual([{ kind: 'undecodable', problem: 'no cluster' }]);
    expect(last.events).toEqual([
      { kind: 'undecodable', problem: 'no name' },
      { kind: 'replaced', objects: [observed('a'), observed('a')] },
    ]);
  });

  it('given a list that began anew, then the sign of life is as old as that', () => {
    const { state } = after([{ kind: 'started' }, { kind: 'page', page: { ...page, last: false } }]);
    const anew = watchStep(state, { kind: 'page', page: { ...page, restarted: true, last: false } }, at(5_000));

    const listed = watchStep(anew.state, { kind: 'page', page }, at(9_000));

    expect(listed.state.freshness.lastSignOfLifeMs).toBe(5_000);
  });

  it('given an ERROR among the lines, then what stands before it counts, what stands behind it does not, and the shell tells of the error', () => {
    const { state, events } = after(watching, [{ kind: 'lines', lines: [applied('8'), gone, applied('9'), gone] }]);
    const failed = after(state, [{ kind: 'watch-failed', error: error('unreachable') }, { kind: 'waited' }]);

    expect(events).toEqual([{ kind: 'applied', object: observed('a') }]);
    expect(failed.command).toEqual({ do: 'watch', resourceVersion: '8', initial: false });
  });

  it.each([
    { given: 'an ERROR alone', lines: [gone] },
    { given: 'no line', lines: [] },
  ])('given $given, then that is no word of a watch', ({ lines }) => {
    const { state } = after(watching);

    expect(watchStep(state, { kind: 'lines', lines }, at(5_000))).toEqual({ state, events: [], command: { do: 'go-on' } });
  });

  it('given a line, then that is a sign of life, and its watch is believed for as long as a new one', () => {
    const { state } = after(watching);
    const heard = watchStep(state, { kind: 'lines', lines: [applied('8')] }, at(5_000));

    expect(heard.state.freshness).toStrictEqual({ synced: true, lastSignOfLifeMs: 5_000 });
    expect(watchStep(heard.state, { kind: 'watch-ended' }, at(5_000 + UNHEARD_MS - 1)).command).toMatchObject({ resourceVersion: '8' });
    expect(watchStep(heard.state, { kind: 'watch-ended' }, at(5_000 + UNHEARD_MS)).command).toEqual({ do: 'list' });
  });

  it.each<{ given: string; line: WatchLine }>([
    { given: 'no resourceVersion', line: { kind: 'undecodable', problem: 'x' } },
    { given: 'an empty resourceVersion', line: applied('') },
  ])('given a line with $given, then the next watch goes on behind the one before it', ({ line }) => {
    const { state } = after(watching, [{ kind: 'lines', lines: [bookmark('8'), line] }]);

    expect(watchStep(state, { kind: 'watch-ended' }, at(21_000)).command).toMatchObject({ resourceVersion: '8' });
  });

  it('given a watch that is refused with 410 after a good one, then it is told as lost while the list runs', () => {
    const { state } = after(settled);
    const failed = watchStep(state, { kind: 'watch-failed', error: error('expired') }, at(5_000));

    expect(failed.state.freshness).toMatchObject({ synced: true, disconnectedSinceMs: 1_000, lastError: { code: 'expired' } });
  });

  it('given failures in a row, then it is disconnected since the first and says the last, until a watch is open again', () => {
    const { state } = after(watching);
    const first = watchStep(state, { kind: 'watch-failed', error: error('unreachable') }, at(5_000));
    const second = watchStep(first.state, { kind: 'watch-failed', error: error('forbidden') }, at(9_000));
    const open = after(second.state, [{ kind: 'waited' }, { kind: 'page', page }, { kind: 'watch-opened' }]);

    expect(second.state.freshness).toMatchObject({ disconnectedSinceMs: 5_000, lastError: { code: 'forbidden' } });
    expect(open.state.freshness).toStrictEqual({ synced: true, lastSignOfLifeMs: 1_000, restarts: 1 });
  });

  const lostOnce: readonly WatchInput[] = [{ kind: 'watch-failed', error: error('unreachable') }, { kind: 'waited' }];
  it.each<{ given: string; inputs: readonly WatchInput[]; expected: number | undefined }>([
    {
      given: 'a first list that fails',
      inputs: [{ kind: 'started' }, { kind: 'list-failed', error: error('forbidden') }],
      expected: undefined,
    },
    { given: 'a watch that the server ends in order', inputs: [...watching, { kind: 'watch-ended' }], expected: undefined },
    { given: 'a watch that is lost', inputs: [...watching, ...lostOnce], expected: 1 },
    { given: 'a watch that is lost, and tries in vain to open the next', inputs: [...watching, ...lostOnce, ...lostOnce], expected: 1 },
    { given: 'two watches that are lost', inputs: [...watching, ...lostOnce, { kind: 'watch-opened' }, ...lostOnce], expected: 2 },
    {
      given: 'a watch that the server ends with 410',
      inputs: [...watching, { kind: 'watch-failed', error: error('expired') }],
      expected: 1,
    },
  ])('given $given, then so many restarts are counted: $expected', ({ inputs, expected }) => {
    const [last, ...before] = inputs.toReversed();
    const { state } = after(before.toReversed());

    expect(watchStep(state, last!, at(1_000 + STABLE_MS)).state.freshness.restarts).toBe(expected);
  });

  it('given a watch that ends as soon as it is open, then it is disconnected without an error', () => {
    const { state } = after(watching);

    expect(watchStep(state, { kind: 'watch-ended' }, at(1_100)).state.freshness).toStrictEqual({
      synced: true,
      lastSignOfLifeMs: 1_000,
      disconnectedSinceMs: 1_100,
      restarts: 1,
    });
  });

  it('given a watch that times out before it is open, then it is tried from the same resourceVersion again', () => {
    const failed = after(settled, [{ kind: 'watch-failed', error: error('timeout') }, { kind: 'waited' }]);

    expect(failed.command).toEqual({ do: 'watch', resourceVersion: '7', initial: false });
  });

  it('given a good watch that breaks, then it is resumed after the shortest pause', () => {
    const open = watchStep(after(settled).state, { kind: 'watch-opened' }, at(10_000));
    const broken = watchStep(open.state, { kind: 'watch-failed', error: error('unreachable') }, at(10_000 + STABLE_MS));

    expect(broken.command).toEqual({ do: 'wait', ms: 100 });
    expect(after(broken.state, [{ kind: 'waited' }]).command).toEqual({ do: 'watch', resourceVersion: '7', initial: false });
  });

  it('given a watch that breaks soon, however late that is, then it was no good one', () => {
    const open = watchStep(after(settled).state, { kind: 'watch-opened' }, at(10_000));

    expect(watchStep(open.state, { kind: 'watch-ended' }, at(10_000 + STABLE_MS - 1)).command).toEqual({ do: 'wait', ms: 200 });
  });

  it('given initial events that ended, when their watch times out, then it is resumed: it spoke', () => {
    const told = after([{ kind: 'started' }, { kind: 'watch-opened' }, { kind: 'lines', lines: [initialEnd] }], [], stream);
    const failed = after(told.state, [{ kind: 'watch-failed', error: error('timeout') }, { kind: 'waited' }], stream);

    expect(failed.command).toEqual({ do: 'watch', resourceVersion: '7', initial: false });
  });

  it('given watches that cannot be opened, then the pauses grow', () => {
    const pauses: number[] = [];
    let { state } = after(settled);
    for (let turn = 0; turn < 3; turn += 1) {
      const failed = after(state, [{ kind: 'watch-failed', error: error('unreachable') }]);
      if (failed.command.do === 'wait') pauses.push(failed.command.ms);
      ({ state } = after(failed.state, [{ kind: 'waited' }]));
    }

    expect(pauses).toEqual([100, 200, 400]);
  });

  it('given watches that speak before they end at once, then the pauses do not grow', () => {
    const pauses: number[] = [];
    let { state } = after(watching);
    for (let turn = 0; turn < 4; turn += 1) {
      const ended = after(state, [{ kind: 'lines', lines: [bookmark(String(8 + turn))] }, { kind: 'watch-ended' }]);
      if (ended.command.do === 'wait') pauses.push(ended.command.ms);
      ({ state } = after(ended.state, [{ kind: 'waited' }, { kind: 'watch-opened' }]));
    }

    expect(pauses).toEqual([200, 200, 200, 200]);
  });

  it('given watches that are never heard of and end at once, then there is a list in the end', () => {
    const { state } = after(watching);
    const opened = watchStep(state, { kind: 'watch-opened' }, at(1_000 + UNHEARD_MS));
    const ended = watchStep(opened.state, { kind: 'watch-ended' }, at(1_000 + UNHEARD_MS));

    expect(ended.command).toMatchObject({ do: 'wait' });
    expect(after(ended.state, [{ kind: 'waited' }]).command).toEqual({ do: 'list' });
  });

  it('given a Retry-After that is shorter than the pause, then the pause is not', () => {
    expect(after([{ kind: 'started' }, { kind: 'list-failed', error: error('throttled', 1) }]).command).toEqual({ do: 'wait', ms: 100 });
  });

  it.each([
    { given: 'while it lists', context: atStart },
    { given: 'before the initial events', context: stream },
  ])('given a watch that opens $given, then nothing changes', ({ context }) => {
    const { state } = after([{ kind: 'started' }], [], context);

    expect(watchStep(state, { kind: 'watch-opened' }, at(5_000))).toEqual({ state, events: [], command: { do: 'go-on' } });
  });

  it.each<{ given: string; inputs: readonly WatchInput[]; expected: WatchCommand }>([
    { given: 'a wait that nobody asked for', inputs: [{ kind: 'waited' }], expected: { do: 'list' } },
    { given: 'a watch that opens while it lists', inputs: [{ kind: 'started' }, { kind: 'watch-opened' }], expected: { do: 'go-on' } },
    { given: 'lines while it lists', inputs: [{ kind: 'started' }, { kind: 'lines', lines: [applied('8')] }], expected: { do: 'go-on' } },
    {
      given: 'a watch that ends while it lists',
      inputs: [{ kind: 'started' }, { kind: 'watch-ended' }],
      expected: { do: 'wait', ms: 100 },
    },
    {
      given: 'a watch that fails while it lists',
      inputs: [{ kind: 'started' }, { kind: 'watch-failed', error: error('expired') }],
      expected: { do: 'wait', ms: 100 },
    },
  ])('given $given, then it is neither synced nor connected, and nothing is told', ({ inputs, expected }) => {
    const { state, events, command } = after(inputs);

    expect({ events, command }).toEqual({ events: [], command: expected });
    expect(state.freshness).toMatchObject({ synced: false });
    expect(after([{ kind: 'started' }, ...inputs]).state.freshness.disconnectedSinceMs).toBe(1_000);
  });
});

/** What the last of the inputs led to, from a state or from the inputs that lead to one. */
function after(from: WatchState | readonly WatchInput[], more: readonly WatchInput[] = [], context = atStart): WatchStepResult {
  const [state, before] = 'phase' in from ? [from, []] : [initialWatchState, from];
  let result: WatchStepResult = { state, events: [], command: { do: 'go-on' } };
  for (const input of [...before, ...more]) result = watchStep(result.state, input, context);
  return result;
}

function at(atMs: number): StepContext {
  return { ...atStart, atMs };
}

function applied(resourceVersion: string): WatchLine {
  return { kind: 'applied', object: observed('a'), resourceVersion };
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
