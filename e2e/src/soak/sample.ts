import { readFileSync } from 'node:fs';
import type { Role } from '../scenarios/role.js';

/** What one process uses at one moment. */
export interface ProcessSample {
  readonly residentMb: number;
  readonly heapMb: number;
  readonly handles: number;
  readonly files: number;
  /** Connections of others to it; counted among its handles and files, too. */
  readonly connections: number;
  /** The worst lag of the event loop since the sample before. */
  readonly lagMs: number;
  /** The lag that 99 of 100 turns of the event loop since the sample before did not exceed. */
  readonly lagP99Ms: number;
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
const ESTABLISHED = '01';

/** Reads the metrics of a role, and who is connected to the port that it serves. */
export async function sampleOf(role: Role, port?: number): Promise<ProcessSample> {
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
    connections: port === undefined ? 0 : connectionsTo(port),
    lagMs: value('dep_ctrl_event_loop_lag_seconds{quantile="1"}') * 1_000,
    lagP99Ms: value('dep_ctrl_event_loop_lag_seconds{quantile="0.99"}') * 1_000,
  };
}

/** The connections to a port of this machine that stand, as Linux lists them. */
function connectionsTo(port: number): number {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return ['/proc/net/tcp', '/proc/net/tcp6']
    .flatMap((file) => readFileSync(file, 'utf8').split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, from, , state]) => from?.endsWith(local) === true && state === ESTABLISHED).length;
}

/** At most so many samples, each the worst of its share of the time: nothing that was seen is smoothed away. */
export function thinned(samples: readonly Sample[], most: number): readonly Sample[] {
  const size = Math.ceil(samples.length / most);
  return Array.from({ length: Math.ceil(samples.length / Math.max(1, size)) }, (_, block) => {
    const some = samples.slice(block * size, (block + 1) * size);
    const worst = (of: (sample: Sample) => number): number => Math.round(Math.max(...some.map(of)));
    const worstOf = (role: 'webhook' | 'controller'): ProcessSample => ({
      residentMb: worst((sample) => sample[role].residentMb),
      heapMb: worst((sample) => sample[role].heapMb),
      handles: worst((sample) => sample[role].handles),
      files: worst((sample) => sample[role].files),
      connections: worst((sample) => sample[role].connections),
      lagMs: worst((sample) => sample[role].lagMs),
      lagP99Ms: worst((sample) => sample[role].lagP99Ms),
    });
    return {
      second: worst(({ second }) => second),
      webhook: worstOf('webhook'),
      controller: worstOf('controller'),
      deletes: some.reduce((sum, { deletes }) => sum + deletes, 0),
      medianMs: worst(({ medianMs }) => medianMs),
      slowestMs: worst(({ slowestMs }) => slowestMs),
    };
  });
}

/** The middle one of some numbers; zero of none. */
export function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}
