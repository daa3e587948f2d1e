// Whether a process grows, judged by the slope of what it uses over time (slope.ts).
//
// A run of half an hour or more has to show that nothing grows: the upper end of the 95 % interval of each slope must stay below a bound. A shorter
// run cannot show that, as what V8 takes in its first minutes is more than any slow leak, and has too few samples for a slope. It fails where its last
// third uses more than its first one did, by more than warming up explains.
import { slopeOf, type Slope } from './slope.js';
import { median, type ProcessSample, type Sample } from './sample.js';

interface Measure {
  readonly name: string;
  readonly of: (sample: ProcessSample) => number;
  /** What stands for the samples of one block of time. */
  readonly stands: (values: readonly number[]) => number;
  /** A long run: the slope must be lower than this, an hour. */
  readonly mostPerHour: (lastS: number) => number;
  /** A short run: more than this from its first third to its last one is no warming up. */
  readonly burst: number;
}

/** How one measure of one role rose. */
export interface Rise {
  readonly role: 'webhook' | 'controller';
  readonly measure: string;
  readonly slope: Slope;
}

/** What a run says about growth. */
export interface Growth {
  readonly rises: readonly Rise[];
  /** What grew, or could not be shown to be level; empty when all is well. */
  readonly problems: readonly string[];
  /** What the run was long enough to show, as a sentence. */
  readonly shows: string;
}

const MINUTE_S = 60;
const WARM_UP_S = 5 * MINUTE_S;
// Half an hour without warming up; samples begin and end some seconds late and early.
const LONG_S = 24 * MINUTE_S;
const TWO_HOURS_S = 115 * MINUTE_S;
// What happens every few seconds takes V8 half an hour to compile: two heaps 155 new CAs apart differed by its code, and by no object of ours. A bound of
// 4 MB an hour is of what comes after.
const WARM_UP_OF_TWO_HOURS_S = 30 * MINUTE_S;
// At least so many blocks: else the interval is wider than any bound.
const BLOCKS = 24;

// Half an hour cannot tell less than 10 MB an hour from the breathing of a heap. Two hours can: at 4 MB an hour a webhook of 150 MB reaches the
// limit that the chart gives it, 384 MB, after 58 hours at the earliest.
const memory = (lastS: number): number => (lastS < TWO_HOURS_S ? 10 : 4);
const always = (most: number) => (): number => most;

const MEASURES: readonly Measure[] = [
  // Before its first full collection a webhook took 51 MB more within two minutes, and gave 38 back.
  { name: 'resident MB', of: ({ residentMb }) => residentMb, stands: median, mostPerHour: memory, burst: 80 },
  // The least of a block is what is left after a collection. A leak shows here before V8 asks for more memory.
  { name: 'heap MB', of: ({ heapMb }) => heapMb, stands: (values) => Math.min(...values), mostPerHour: memory, burst: 50 },
  // The rarest thing in a soak is a new CA, 277 an hour. A leak of one handle or socket in ten of them is found. In a short run a role may open as
  // many connections to kcp as it is allowed, 64.
  ...(['handles', 'files'] as const).map((name) => ({
    name: `${name} besides connections`,
    of: (sample: ProcessSample) => sample[name] - sample.connections,
    stands: median,
    mostPerHour: always(25),
    burst: 64,
  })),
  // At rest 99 of 100 turns of the loop are at most 12 ms late, and 50 ms is what one tenant may cost another. With less than 20 ms an hour more,
  // a role is not slow within two hours; steeper is no noise of a busy machine.
  // In a short run, other work of the machine may begin in its middle.
  { name: 'event loop p99 ms', of: ({ lagP99Ms }) => lagP99Ms, stands: median, mostPerHour: always(20), burst: 100 },
];
// kcp opens connections of its own for each CA and leaves the old ones idle; the webhook closes them after 120 s, so that their number is level only
// after that. Were one of two that a new CA brings never closed, there would be 140 more in an hour.
const CONNECTIONS: Measure = {
  name: 'connections',
  of: ({ connections }) => connections,
  stands: median,
  mostPerHour: always(140),
  burst: 200,
};

/** What grew, by the samples of a whole run. */
export function growthIn(samples: readonly Sample[]): Growth {
  const lastS = samples.at(-1)?.second ?? 0;
  const warmUpS = lastS < TWO_HOURS_S ? Math.min(WARM_UP_S, lastS / 3) : WARM_UP_OF_TWO_HOURS_S;
  const judged = samples.filter(({ second }) => second > warmUpS);
  const judgedS = lastS - warmUpS;
  const isLong = judgedS >= LONG_S;
  const blockS = Math.min(MINUTE_S, judgedS / BLOCKS);
  const judgements = (['webhook', 'controller'] as const).flatMap((role) =>
    [...MEASURES, CONNECTIONS].flatMap((measure) => {
      const { stands } = measure;
      const value = (sample: Sample): number => measure.of(sample[role]);
      const slope = slopeOf(pointsOf(judged, { blockS, value, stands }));
      if (slope === undefined) return [];
      const problem = isLong
        ? notLevel(measure, slope, lastS)
        : burst(measure, stands(thirdOf(judged, 'last').map(value)) - stands(thirdOf(judged, 'first').map(value)));
      return [{ rise: { role, measure: measure.name, slope }, problem: problem === undefined ? undefined : `${role}: ${problem}` }];
    }),
  );
  return {
    rises: judgements.map(({ rise }) => rise),
    problems: judgements.flatMap(({ problem }) => problem ?? []),
    shows: isLong
      ? `${minutes(judgedS)} min after ${minutes(warmUpS)} of warming up: long enough to show that nothing grows`
      : `${minutes(judgedS)} min after ${minutes(warmUpS)} of warming up: too short to show slow growth, which takes 30; only a burst would be seen`,
  };
}

function pointsOf(
  samples: readonly Sample[],
  { blockS, value, stands }: { readonly blockS: number; readonly value: (sample: Sample) => number } & Pick<Measure, 'stands'>,
): readonly { readonly second: number; readonly value: number }[] {
  const blocks = new Map<number, Sample[]>();
  for (const sample of samples) {
    const block = Math.floor(sample.second / blockS);
    blocks.set(block, [...(blocks.get(block) ?? []), sample]);
  }
  return [...blocks.values()].map((some) => ({ second: median(some.map(({ second }) => second)), value: stands(some.map(value)) }));
}

function notLevel({ name, mostPerHour }: Measure, { perHour, margin }: Slope, lastS: number): string | undefined {
  const most = mostPerHour(lastS);
  if (perHour + margin < most) return undefined;
  return `${name} may rise by ${(perHour + margin).toFixed(1)} an hour (${interval({ perHour, margin })}), less than ${most} is wanted`;
}

function burst({ name, burst: most }: Measure, rise: number): string | undefined {
  return rise <= most ? undefined : `${name} rose by ${rise.toFixed(0)} from the first third to the last, more than ${most}`;
}

function thirdOf(samples: readonly Sample[], third: 'first' | 'last'): readonly Sample[] {
  const count = Math.ceil(samples.length / 3);
  return third === 'first' ? samples.slice(0, count) : samples.slice(-count);
}

/** A slope as text: `3.1 ± 0.4`. */
export function interval({ perHour, margin }: Slope): string {
  return `${perHour.toFixed(1)} ± ${margin.toFixed(1)}`;
}

function minutes(seconds: number): string {
  return (seconds / MINUTE_S).toFixed(seconds < 10 * MINUTE_S ? 1 : 0);
}
