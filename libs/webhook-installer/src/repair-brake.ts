/*
 * What somebody else changes, a configuration or something beside it, is repaired at once. Whoever changes it again and again is most likely a second controller,
 * of another version, or with another URL or CA, and without leader election: neither would ever stop, and each write is one to kcp's store and to every shard.
 * So it is repaired with growing pauses then, and said once.
 */
import { isDeepStrictEqual } from 'node:util';
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import type { Clock } from '@dep-ctrl/kcp-client';
import type { DesiredConfiguration } from './webhook-configuration.js';

/** How often something was put back to the same, without a quiet time in between. */
interface Repairs<Wanted> {
  readonly desired: Wanted;
  readonly count: number;
  readonly lastMs: number;
}

/** Repairs that are made at once: somebody tries out what happens. */
const AT_ONCE = 3;
const FIRST_PAUSE_MS = 1_000;
/** Short enough that an edit which weakens the protection does not last. */
const MAX_PAUSE_MS = 15_000;
/** What stayed this long is no longer fought about. */
const FORGET_MS = 5 * 60_000;

/** Decides when a configuration, or something else of a workspace, that somebody else changed may be put back. */
export class RepairBrake<Wanted = DesiredConfiguration> {
  readonly #clock: Clock;
  readonly #repairs = new Map<LogicalClusterName, Repairs<Wanted>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether it must be left alone now. What was not wanted before never must. */
  holds(cluster: LogicalClusterName, desired: Wanted): boolean {
    const before = this.#fightFor(cluster, desired);
    if (before === undefined || before.count < AT_ONCE) return false;
    const pauseMs = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (before.count - AT_ONCE));
    return this.#clock.monotonic() - before.lastMs < pauseMs;
  }

  /** It was replaced. True the first time that this counts as a fight. */
  repaired(cluster: LogicalClusterName, desired: Wanted): boolean {
    const before = this.#fightFor(cluster, desired);
    const count = before === undefined ? 0 : before.count + 1;
    this.#repairs.set(cluster, { desired, count, lastMs: this.#clock.monotonic() });
    return count === AT_ONCE;
  }

  /** There is to be nothing. */
  forget(cluster: LogicalClusterName): void {
    this.#repairs.delete(cluster);
  }

  #fightFor(cluster: LogicalClusterName, desired: Wanted): Repairs<Wanted> | undefined {
    const before = this.#repairs.get(cluster);
    if (before === undefined || !isDeepStrictEqual(before.desired, desired)) return undefined;
    return this.#clock.monotonic() - before.lastMs < FORGET_MS ? before : undefined;
  }
}
