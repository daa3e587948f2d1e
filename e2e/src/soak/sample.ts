import type { Role } from '../scenarios/role.js';

/** What one process uses at one moment. */
export interface ProcessSample {
  readonly residentMb: number;
  readonly heapMb: number;
  readonly handles: number;
  readonly files: number;
  /** The worst lag of the event loop since the sample before. */
  readonly lagMs: number;
}

/** Everything at one moment. */
export interface Sample {
  /** Seconds since the start. */
  readonly second: number;
  readonly webhook: ProcessSample;
  readonly controller: ProcessSample;
  /** Deletes since the sample before, as users saw them. */
  readonly deletes: number;
  readonly medianMs: number;
  readonly slowestMs: number;
}

const MB = 1024 * 1024;

/** Reads the metrics of a role. */
export async function sampleOf(role: Role): Promise<ProcessSample> {
  const metrics = await role.metrics();
  const value = (name: string): number => {
    const found = metrics.get(name);
    if (found === undefined) throw new Error(`${role.name} has no metric ${name}`);
    return found;
  };
  return {
    residentMb: value('process_resident_memory_bytes') / MB,
    heapMb: value('nodejs_heap_size_used_bytes') / MB,
    handles: value('nodejs_active_resources_total'),
    files: value('process_open_fds'),
    lagMs: value('dep_ctrl_event_loop_lag_seconds{quantile="1"}') * 1_000,
  };
}

/** The middle one of some numbers; zero of none. */
export function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}
