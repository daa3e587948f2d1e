import { describe, expect, it } from '@jest/globals';
import type { LogicalClusterName, WorkspacePath } from '@dep-ctrl/kcp-names';
import { ManualClock } from '@dep-ctrl/kcp-client/testing';
import type { Resolution } from './resolution.js';
import { ReinstallBrake } from './reinstall-brake.js';

const name = (text: string): LogicalClusterName => text as LogicalClusterName;
const path = (text: string): WorkspacePath => text as WorkspacePath;

const cluster = name('network1');
const found: Resolution = { state: 'found', cluster, from: 'workspaces', terminating: false };
const signal = new AbortController().signal;

describe(ReinstallBrake, () => {
  it.each<{ given: string; resolution: Resolution; held: boolean }>([
    { given: 'a workspace that stays', resolution: found, held: false },
    { given: 'a workspace that is being deleted', resolution: { ...found, terminating: true }, held: true },
    { given: 'a workspace that is gone', resolution: { state: 'missing', path: path('root:network') }, held: true },
    { given: 'another workspace at its path', resolution: { ...found, cluster: name('other1') }, held: true },
  ])('given $given, then a configuration is held back: $held', async ({ resolution, held }) => {
    const brake = brakeWith(() => resolution);

    for (let times = 0; times < 3; times += 1) expect((await brake.holds(cluster, { signal })) !== undefined).toBe(held);
  });

  it('given a workspace that may not be looked at, then pauses grow from nothing and are forgotten after a quarter of an hour', async () => {
    const clock = new ManualClock();
    const brake = brakeWith(() => ({ state: 'unreachable', problem: '', retryable: true }), clock);
    const reinstalledAt: number[] = [];

    for (; clock.ms < 20_000; clock.ms += 500) if ((await brake.holds(cluster, { signal })) === undefined) reinstalledAt.push(clock.ms);
    clock.ms += 15 * 60_000;

    expect(reinstalledAt).toEqual([0, 2_000, 6_000, 14_000]);
    expect(await brake.holds(cluster, { signal })).toBeUndefined();
  });

  it('given a workspace whose path nobody knows, then it is held back like one that may not be looked at', async () => {
    const brake = brakeWith(
      () => found,
      new ManualClock(),
      () => undefined,
    );

    expect(await brake.holds(cluster, { signal })).toBeUndefined();
    expect(await brake.holds(cluster, { signal })).toBeDefined();
  });

  it('given a workspace that is not guarded any more, then nothing of it is left', async () => {
    const brake = brakeWith(() => ({ state: 'unreachable', problem: '', retryable: true }));
    await brake.holds(cluster, { signal });
    expect(await brake.holds(cluster, { signal })).toBeDefined();

    brake.forget(cluster);

    expect(brake.isWatching(cluster)).toBe(false);
    expect(await brake.holds(cluster, { signal })).toBeUndefined();
  });

  it('given a configuration that is seen again, then it is no longer watched', async () => {
    const brake = brakeWith(() => found);
    await brake.holds(cluster, { signal });
    expect(brake.isWatching(cluster)).toBe(true);

    brake.settled(cluster);

    expect(brake.isWatching(cluster)).toBe(false);
  });
});

function brakeWith(
  resolution: () => Resolution,
  clock = new ManualClock(),
  pathOf = () => path('root:network') as ReturnType<typeof path> | undefined,
): ReinstallBrake {
  return new ReinstallBrake({ resolver: { resolve: () => Promise.resolve(resolution()) }, clock, pathOf });
}
