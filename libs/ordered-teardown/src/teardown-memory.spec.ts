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
});
