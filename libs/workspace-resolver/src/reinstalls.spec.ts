import { describe, expect, it } from '@jest/globals';
import type { LogicalClusterName, WorkspacePath } from '@dep-ctrl/kcp-names';
import { ManualClock } from '@dep-ctrl/kcp-client/testing';
import type { Resolution } from './resolution.js';
import { Reinstalls } from './reinstalls.js';

const name = (text: string): LogicalClusterName => text as LogicalClusterName;
const path = (text: string): WorkspacePath => text as WorkspacePath;

const cluster = name('network1');
const found: Resolution = { state: 'found', cluster, from: 'workspaces', terminating: false };
const signal = new AbortController().signal;

describe(Reinstalls, () => {
  it.each<{ given: string; resolution: Resolution; held: boolean }>([
    { given: 'a workspace that stays', resolution: found, held: false },
    { given: 'a workspace that is being deleted', resolution: { ...found, terminating: true }, held: true },
    { given: 'a workspace that is gone', resolution: { state: 'missing', path: path('root:network') }, held: true },
    { given: 'another workspace at its path', resolution: { ...found, cluster: name('other1') }, held: true },
  ])('given $given, then a configuration is held back: $held', async ({ resolution, held }) => {
    const reinstalls = reinstallsWith(() => resolution);

    for (let times = 0; times < 3; times += 1) expect((await reinstalls.whyNotNow(cluster, { signal })) !== undefined).toBe(held);
  });

  it('given a workspace that may not be looked at, then pauses grow from nothing and are forgotten after a quarter of an hour', async () => {
    const clock = new ManualClock();
    const reinstalls = reinstallsWith(() => ({ state: 'unreachable', problem: '', retryable: true }), clock);
    const reinstalledAt: number[] = [];

    for (; clock.ms < 20_000; clock.ms += 500)
      if ((await reinstalls.whyNotNow(cluster, { signal })) === undefined) reinstalledAt.push(clock.ms);
    clock.ms += 15 * 60_000;

    expect(reinstalledAt).toEqual([0, 2_000, 6_000, 14_000]);
    expect(await reinstalls.whyNotNow(cluster, { signal })).toBeUndefined();
  });

  it('given a workspace whose path nobody knows, then it is held back like one that may not be looked at', async () => {
    const reinstalls = reinstallsWith(
      () => found,
      new ManualClock(),
      () => undefined,
    );

    expect(await reinstalls.whyNotNow(cluster, { signal })).toBeUndefined();
    expect(await reinstalls.whyNotNow(cluster, { signal })).toBeDefined();
  });

  it('given a workspace that is not guarded any more, then nothing of it is left', async () => {
    const reinstalls = reinstallsWith(() => ({ state: 'unreachable', problem: '', retryable: true }));
    await reinstalls.whyNotNow(cluster, { signal });
    expect(await reinstalls.whyNotNow(cluster, { signal })).toBeDefined();

    reinstalls.forget(cluster);

    expect(reinstalls.isMissing(cluster)).toBe(false);
    expect(await reinstalls.whyNotNow(cluster, { signal })).toBeUndefined();
  });

  it('given a configuration that is seen again, then it is no longer missing', async () => {
    const reinstalls = reinstallsWith(() => found);
    await reinstalls.whyNotNow(cluster, { signal });
    expect(reinstalls.isMissing(cluster)).toBe(true);

    reinstalls.seen(cluster);

    expect(reinstalls.isMissing(cluster)).toBe(false);
  });
});

function reinstallsWith(
  resolution: () => Resolution,
  clock = new ManualClock(),
  pathOf = () => path('root:network') as ReturnType<typeof path> | undefined,
): Reinstalls {
  return new Reinstalls({ resolver: { resolve: () => Promise.resolve(resolution()) }, clock, pathOf });
}
