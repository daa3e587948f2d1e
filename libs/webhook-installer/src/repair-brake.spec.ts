import { describe, expect, it } from '@jest/globals';
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import { ManualClock } from '@dep-ctrl/kcp-client/testing';
import type { DesiredConfiguration } from './webhook-configuration.js';
import { RepairBrake } from './repair-brake.js';

const name = (text: string): LogicalClusterName => text as LogicalClusterName;

const cluster = name('network1');

describe(RepairBrake, () => {
  it('given somebody who changes it back at once and for ever, then it is repaired with growing pauses, and that is said once', () => {
    const clock = new ManualClock();
    const brake = new RepairBrake(clock);
    const writtenAt: number[] = [];
    const saidAt: number[] = [];

    for (; clock.ms < 50_000; clock.ms += 500) {
      if (brake.holds(cluster, wanted('a'))) continue;
      writtenAt.push(clock.ms);
      if (brake.repaired(cluster, wanted('a'))) saidAt.push(clock.ms);
    }

    expect(writtenAt).toEqual([0, 500, 1_000, 1_500, 2_500, 4_500, 8_500, 16_500, 31_500, 46_500]);
    expect(saidAt).toEqual([1_500]);
  });

  it.each<{ given: string; change: (clock: ManualClock) => DesiredConfiguration }>([
    { given: 'something else that is wanted', change: () => wanted('b') },
    {
      given: 'a quiet time',
      change: (clock) => {
        clock.ms += 5 * 60_000;
        return wanted('a');
      },
    },
  ])('given a fight, then $given, then it is written at once and the fight is forgotten', ({ change }) => {
    const clock = new ManualClock();
    const brake = new RepairBrake(clock);
    for (let times = 0; times < 6; times += 1) brake.repaired(cluster, wanted('a'));
    expect(brake.holds(cluster, wanted('a'))).toBe(true);

    const next = change(clock);

    expect(brake.holds(cluster, next)).toBe(false);
    expect(brake.repaired(cluster, next)).toBe(false);
    expect(brake.holds(cluster, next)).toBe(false);
  });

  it('given a workspace that is not guarded any more, then nothing of its fight is left', () => {
    const brake = new RepairBrake(new ManualClock());
    for (let times = 0; times < 6; times += 1) brake.repaired(cluster, wanted('a'));

    brake.forget(cluster);

    expect(brake.holds(cluster, wanted('a'))).toBe(false);
  });

  it('given a fight in one workspace, then another one is repaired at once', () => {
    const brake = new RepairBrake(new ManualClock());
    for (let times = 0; times < 6; times += 1) brake.repaired(cluster, wanted('a'));

    expect(brake.holds(name('network2'), wanted('a'))).toBe(false);
  });
});

function wanted(url: string): DesiredConfiguration {
  const entry = { name: 'w.example.com', clientConfig: { url }, rules: [], sideEffects: 'None', admissionReviewVersions: ['v1'] } as const;
  return { labels: {}, webhooks: [entry] };
}
