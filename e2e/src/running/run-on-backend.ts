import type { Backend, BackendName, Missing } from '../backends/backend.js';
import { whySkipped, type Case } from './case.js';
import type { BackendResult, Figure, Outcome } from './outcome.js';
import { runAll } from './run-all.js';

const TIMEOUT_MS = 600_000;

// An interrupted run leaves nothing behind. 130 is the exit code of shells after Ctrl-C.
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
const INTERRUPTED = 130;

/** What the cases of a suite are given, and how it ends. */
export interface Opened<Context> {
  readonly context: Context;
  readonly close: () => Promise<void>;
  /** What cases measured so far. */
  readonly figures?: () => readonly Figure[];
}

/** How to run a suite on one backend. */
export interface SuiteRun<Context> {
  readonly name: BackendName;
  readonly start: () => Promise<Backend | Missing>;
  readonly open: (backend: Backend) => Promise<Opened<Context>>;
  readonly workers: number;
  /** How long one case may take; ten minutes unless given. */
  readonly timeoutMs?: number;
  readonly keep: boolean;
  /** Is told of each case as it ends, so that a run that is interrupted has noted what it saw. */
  readonly ended?: (result: BackendResult) => void;
  /** Cases are to fail: that is no reason to keep logs. */
  readonly areToFail?: boolean;
  readonly say: (text: string) => void;
}

/** Starts the backend, runs the cases that make sense there, and ends it; logs stay when something failed. */
export async function runOnBackend<Context>(cases: readonly Case<Context>[], run: SuiteRun<Context>): Promise<BackendResult> {
  const { name, say, areToFail = false } = run;
  const started = Date.now();
  const notExercised = (why: string, broken: boolean): BackendResult => {
    say(`${name}: not exercised: ${why}`);
    // What cannot run on this machine was skipped; of what should have run and did not, nothing is said case by case.
    const outcomes = new Map(broken ? [] : cases.map(({ id }) => [id, { state: 'skipped', why }] as const));
    return { backend: name, outcomes, notExercised: { why, broken } };
  };
  let backend: Backend | Missing;
  try {
    backend = await run.start();
  } catch (error) {
    return notExercised(error instanceof Error ? error.message : String(error), true);
  }
  if ('missing' in backend) return notExercised(backend.missing, false);
  say(`${name}: kcp ${backend.version} ready after ${((Date.now() - started) / 1000).toFixed(1)} s, logs in ${backend.workDir}`);
  let failed = true;
  const { stop } = backend;
  const interrupted = (): void => void stop().then(() => process.exit(INTERRUPTED));
  for (const signal of SIGNALS) process.once(signal, interrupted);
  try {
    const { outcomes, figures } = await runCases(cases, backend, run);
    failed = [...outcomes.values()].some(({ state }) => state === 'failed');
    return { backend: name, version: backend.version, seconds: (Date.now() - started) / 1000, outcomes, figures };
  } catch (error) {
    return notExercised(error instanceof Error ? (error.stack ?? error.message) : String(error), true);
  } finally {
    for (const signal of SIGNALS) process.removeListener(signal, interrupted);
    const isKept = run.keep || (failed && !areToFail);
    await backend.stop({ keep: isKept });
    if (isKept) say(`${name}: logs kept in ${backend.workDir}`);
  }
}

async function runCases<Context>(
  cases: readonly Case<Context>[],
  backend: Backend,
  { name, open, workers, timeoutMs = TIMEOUT_MS, ended, say }: SuiteRun<Context>,
): Promise<{ readonly outcomes: ReadonlyMap<string, Outcome>; readonly figures: readonly Figure[] }> {
  const { context, close, figures = () => [] } = await open(backend);
  const ordered = [...cases.filter(({ slow }) => slow === true), ...cases.filter(({ slow }) => slow !== true)];
  const jobs = ordered.map((one) => ({
    id: one.id,
    skip: whySkipped(one, backend),
    exclusive: one.exclusive?.(backend),
    timeoutMs,
    run: () => one.run(context),
  }));
  try {
    const outcomes = await runAll(jobs, workers, (id, outcome) => {
      ended?.({ backend: name, version: backend.version, outcomes: new Map([[id, outcome]]), figures: figures() });
      const detail = outcome.state === 'skipped' ? outcome.why : `${outcome.ms} ms`;
      say(
        `${name} ${outcome.state === 'failed' ? 'FAIL' : outcome.state} ${id} ${detail}${outcome.state === 'failed' ? ` ${outcome.problem}` : ''}`,
      );
    });
    return { outcomes, figures: figures() };
  } finally {
    await close();
  }
}
