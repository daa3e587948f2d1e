// Whether a process grew. The first third of a run is warming up; the middle and the last one should be alike.
import { median, type ProcessSample, type Sample } from './sample.js';

type Measure = 'residentMb' | 'heapMb' | 'handles' | 'files';

// A heap breathes by some tens of MB between two collections, and V8 gives memory back late. With each new CA an API server opens new
// connections, and those before live on idle for up to two minutes; a leak outgrows that in a run of any length.
const SLACK: Readonly<Record<Measure, { readonly factor: number; readonly plus: number }>> = {
  residentMb: { factor: 1.15, plus: 25 },
  heapMb: { factor: 1.25, plus: 20 },
  handles: { factor: 1.2, plus: 60 },
  files: { factor: 1.2, plus: 60 },
};

/** What grew more than it should, as sentences. */
export function growthIn(samples: readonly Sample[]): readonly string[] {
  return (['webhook', 'controller'] as const).flatMap((role) =>
    (Object.keys(SLACK) as Measure[]).flatMap((measure) =>
      grew(
        samples.map((sample) => sample[role]),
        measure,
      ).map((how) => `${role}: ${how}`),
    ),
  );
}

function grew(samples: readonly ProcessSample[], measure: Measure): readonly string[] {
  const third = Math.floor(samples.length / 3);
  const middle = median(samples.slice(third, 2 * third).map((sample) => sample[measure]));
  const last = median(samples.slice(2 * third).map((sample) => sample[measure]));
  const { factor, plus } = SLACK[measure];
  return last > middle * factor + plus ? [`${measure} grew from ${middle.toFixed(0)} to ${last.toFixed(0)}`] : [];
}
