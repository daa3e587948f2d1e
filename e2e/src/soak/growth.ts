// Whether a process grew. The first third of a run is warming up; the middle and the last one should be alike.
import { median, type ProcessSample, type Sample } from './sample.js';

interface Measure {
  readonly name: string;
  readonly of: (sample: ProcessSample) => number;
  /** The last third may be the middle one times this, and so much more. */
  readonly factor: number;
  readonly plus: number;
}

// A role has at most so many connections to a kcp, as many as it needs at a time: files and handles, too.
const TO_KCP = 64;

// A heap breathes by some tens of MB between two collections, and V8 gives memory back late.
const OWN: readonly Measure[] = [
  { name: 'resident MB', of: ({ residentMb }) => residentMb, factor: 1.15, plus: 25 },
  { name: 'heap MB', of: ({ heapMb }) => heapMb, factor: 1.25, plus: 20 },
  { name: 'handles besides connections', of: ({ handles, connections }) => handles - connections, factor: 1.1, plus: TO_KCP },
  { name: 'files besides connections', of: ({ files, connections }) => files - connections, factor: 1.1, plus: TO_KCP },
];
const CONNECTIONS: Measure = { name: 'connections', of: ({ connections }) => connections, factor: 1.2, plus: 20 };

// For each CA that is installed an API server opens connections of their own, and leaves the old ones idle: Go's close after 90 s, and
// the webhook closes after 120 s. Their number is level only after that.
const IDLE_S = 120;

/** What grew more than it should, as sentences. */
export function growthIn(samples: readonly Sample[]): readonly string[] {
  const third = Math.floor(samples.length / 3);
  const isLong = (samples[third]?.second ?? 0) >= IDLE_S;
  return (['webhook', 'controller'] as const).flatMap((role) =>
    (isLong ? [...OWN, CONNECTIONS] : OWN).flatMap(({ name, of, factor, plus }) => {
      const medianOf = (some: readonly Sample[]): number => median(some.map((sample) => of(sample[role])));
      const [middle, last] = [medianOf(samples.slice(third, 2 * third)), medianOf(samples.slice(2 * third))];
      return last > middle * factor + plus ? [`${role}: ${name} grew from ${middle.toFixed(0)} to ${last.toFixed(0)}`] : [];
    }),
  );
}
