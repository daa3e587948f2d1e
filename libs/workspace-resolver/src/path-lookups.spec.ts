import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '@dep-ctrl/kcp-client/testing';
import type { LogicalClusterName, WorkspacePath } from '@dep-ctrl/kcp-names';
import { PathHints } from './path-hints.js';
import { PathLookups, type PathMeaning } from './path-lookups.js';
import type { Resolution } from './resolution.js';

const NETWORK = 'root:network' as WorkspacePath;
const FOUND: Resolution = { state: 'found', cluster: 'network1' as LogicalClusterName, from: 'workspaces', terminating: false };

describe(PathLookups, () => {
  it('given a path that somebody names, then it is looked up, told, and asked for again', async () => {
    const world = makeWorld();
    const stop = new AbortController();
    const running = world.lookups.run(stop.signal);

    await world.clock.advance(20);
    expect(world.told).toEqual([[NETWORK, 'network1']]);

    world.kcp.answer = { state: 'missing', path: NETWORK };
    await world.clock.advance(30_000);
    expect(world.told.at(-1)).toEqual([NETWORK, 'missing']);
    stop.abort();
    await running;
  });

  it('given an answer that cannot be renewed, then it counts for five minutes more', async () => {
    const world = makeWorld();
    const stop = new AbortController();
    const running = world.lookups.run(stop.signal);
    await world.clock.advance(20);

    world.kcp.answer = { state: 'unreachable', problem: 'no answer', retryable: true };
    await world.clock.advance(5 * 60_000);
    expect(world.told.map(([, meaning]) => meaning)).not.toContain('unknown');

    await world.clock.advance(2 * 60_000);
    expect(world.told.at(-1)).toEqual([NETWORK, 'unknown']);
    stop.abort();
    await running;
  });

  it('given so many paths that going through them takes 10 ms, and news all the time, then a tenth of the time is spent on them', async () => {
    const world = makeWorld({ lookTakesMs: 10 });
    const stop = new AbortController();
    const running = world.lookups.run(stop.signal);

    for (let step = 0; step < 200; step += 1) {
      world.lookups.wake();
      await world.clock.advance(5);
    }

    expect(world.looks()).toBeGreaterThan(7);
    expect(world.looks()).toBeLessThan(13);
    stop.abort();
    await running;
  });
});

function makeWorld({ lookTakesMs = 0 } = {}) {
  const clock = new ManualClock();
  let looks = 0;
  const told: (readonly [WorkspacePath, PathMeaning])[] = [];
  const kcp: { answer: Resolution } = { answer: FOUND };
  const lookups = new PathLookups({
    names: {
      unresolvedPaths: () => {
        looks += 1;
        return [NETWORK];
      },
      authorNaming: () => 'compute1',
      isBound: () => true,
    },
    hints: new PathHints(),
    clock: {
      now: () => clock.now(),
      monotonic: () => clock.monotonic() + looks * lookTakesMs,
      sleep: (ms, options) => clock.sleep(ms, options),
    },
    resolver: { resolve: () => Promise.resolve(kcp.answer) },
    tell: (path, meaning) => told.push([path, meaning]),
  });
  return { clock, told, kcp, lookups, looks: () => looks };
}
