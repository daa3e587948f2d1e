import type { Exclusive } from './case.js';
import { NotHere } from './not-here.js';
import type { Outcome } from './outcome.js';

/** One thing to run: it says why it is skipped, or it runs and may throw. */
export interface Job {
  readonly id: string;
  readonly skip: string | undefined;
  readonly exclusive: Exclusive | undefined;
  readonly timeoutMs: number;
  run(): Promise<void>;
}

/**
 * Runs the jobs, `workers` at a time; then those that want the product for themselves, one by one, beside those that want the machine, one by
 * one; and at last, one by one, those that want everything. Tells about each as it ends.
 */
export async function runAll(
  jobs: readonly Job[],
  workers: number,
  tell: (id: string, outcome: Outcome) => void,
): Promise<ReadonlyMap<string, Outcome>> {
  const outcomes = new Map<string, Outcome>();
  const runOne = async (job: Job): Promise<void> => {
    const outcome = await runJob(job);
    outcomes.set(job.id, outcome);
    tell(job.id, outcome);
  };
  const oneByOne = async (which: Iterable<Job>): Promise<void> => {
    for (const job of which) await runOne(job);
  };
  const wanting = (what: Exclusive | undefined): Iterable<Job> => jobs.filter(({ exclusive }) => exclusive === what).values();
  const together = wanting(undefined);
  await Promise.all(Array.from({ length: workers }, () => oneByOne(together)));
  await Promise.all([oneByOne(wanting('product')), oneByOne(wanting('machine'))]);
  await oneByOne(wanting('everything'));
  return outcomes;
}

async function runJob(job: Job): Promise<Outcome> {
  if (job.skip !== undefined) return { state: 'skipped', why: job.skip };
  const started = Date.now();
  try {
    await withDeadline(job.run(), job.timeoutMs);
    return { state: 'passed', ms: Date.now() - started };
  } catch (error) {
    if (error instanceof NotHere) return { state: 'skipped', why: error.message };
    return { state: 'failed', ms: Date.now() - started, problem: describe(error) };
  }
}

async function withDeadline(work: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`did not end within ${ms} ms`)), ms);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const place = error.stack
    ?.split('\n')
    .find((line) => /\/(conformance|scenarios|libraries)\/[^/]+\.ts:/.test(line) && !line.includes('eventually.ts'));
  return place === undefined ? error.message : `${error.message}\n${place.trim()}`;
}
