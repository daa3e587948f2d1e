import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '@dep-ctrl/kcp-client/testing';
import { logicalCluster } from '@dep-ctrl/kcp-names';
import { isNewLine, TeardownMemory } from './teardown-memory.js';

const MOST_WORKSPACES = 1_000;
const cluster = (index: number) => logicalCluster(`c${index}`);

describe(TeardownMemory, () => {
  it('given more workspaces than it holds, then it forgets the one that was touched first', () => {
    const memory = new TeardownMemory(new ManualClock());
    for (let index = 0; index < MOST_WORKSPACES; index += 1) memory.of(cluster(index)).waits = 1;
    memory.of(cluster(0));

    memory.of(cluster(MOST_WORKSPACES));

    expect([memory.of(cluster(0)).waits, memory.of(cluster(1)).waits]).toEqual([1, 0]);
  });

  it('given a workspace that is new, or new again, then nothing is known of it but when it was seen', () => {
    const clock = new ManualClock();
    const memory = new TeardownMemory(clock);
    const fresh = { waits: 0, isHeld: false, calls: 0, slowCalls: 0, waitsFor: '', deleted: 0, annotated: 0, told: new Set<string>() };
    clock.ms = 5_000;
    expect(memory.of(cluster(1))).toEqual({ ...fresh, firstSeenMs: 5_000, touchedMs: 5_000 });
    Object.assign(memory.of(cluster(1)), { waits: 1, isHeld: true, waitsFor: 'x' });

    clock.ms = 6_000;
    expect(memory.of(cluster(1))).toEqual({ ...fresh, waits: 1, isHeld: true, waitsFor: 'x', firstSeenMs: 5_000, touchedMs: 6_000 });
    memory.forget(cluster(1));

    expect(memory.held).toBe(0);
    expect(memory.of(cluster(1))).toEqual({ ...fresh, firstSeenMs: 6_000, touchedMs: 6_000 });
  });

  it('given workspaces of which some are held, on a clock that runs for long, then these are counted', () => {
    const clock = new ManualClock();
    clock.ms = 24 * 3_600_000;
    const memory = new TeardownMemory(clock);
    for (const index of [1, 2, 3]) memory.of(cluster(index)).isHeld = index > 1;

    clock.ms += 59_999;

    expect(memory.held).toBe(2);
  });

  it('given a workspace that is not called for any more, then it is not counted as held', () => {
    const clock = new ManualClock();
    const memory = new TeardownMemory(clock);
    memory.of(cluster(1)).isHeld = true;
    const before = memory.held;

    clock.ms = 60_000;

    expect([before, memory.held]).toEqual([1, 0]);
  });

  it('given many lines about one workspace, then each is new once, and those after the bound never', () => {
    const notes = new TeardownMemory(new ManualClock()).of(cluster(1));

    const told = Array.from({ length: 50 }, (_each, index) => isNewLine(notes, `line ${index}`)).filter(Boolean);

    expect(told).toHaveLength(20);
    expect(isNewLine(notes, 'line 0')).toBe(false);
  });

  it('given a line that was told, then it is not new again, and others are', () => {
    const notes = new TeardownMemory(new ManualClock()).of(cluster(1));

    expect(['a', 'b', 'a'].map((line) => isNewLine(notes, line))).toEqual([true, true, false]);
  });
});
