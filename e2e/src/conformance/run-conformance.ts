import type { Backend, BackendName, Missing } from '../backends/backend.js';
import { isAtLeast } from '../backends/programs.js';
import type { BackendResult } from '../running/outcome.js';
import { runAll } from '../running/run-all.js';
import type { ConformanceCase, Need } from './case.js';
import { Stage } from './stage.js';

const TIMEOUT_MS = 300_000;

/** How to run the suite on one backend. */
export interface ConformanceRun {
  readonly name: BackendName;
  readonly start: () => Promise<Backend | Missing>;
  readonly workers: number;
  readonly keep: boolean;
  readonly say: (text: string) => void;
}

/** Starts the backend, runs the cases that make sense there, and ends it; logs stay when something failed. */
export async function runConformance(cases: readonly ConformanceCase[], run: ConformanceRun): Promise<BackendResult> {
  const { name, workers, say } = run;
  const started = Date.now();
  const notExercised = (why: string, broken: boolean): BackendResult => {
    say(`${name}: not exercised: ${why}`);
    return { backend: name, outcomes: new Map(), notExercised: { why, broken } };
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
  try {
    const stage = await Stage.open(backend);
    const jobs = cases.map((one) => ({
      id: one.id,
      skip: whySkipped(one, backend),
      exclusive: one.exclusive ?? false,
      timeoutMs: one.timeoutMs ?? TIMEOUT_MS,
      run: () => one.run(stage),
    }));
    const outcomes = await runAll(jobs, workers, (id, outcome) => {
      const time = outcome.state === 'skipped' ? outcome.why : `${outcome.ms} ms`;
      say(
        `${name} ${outcome.state === 'failed' ? 'FAIL' : outcome.state} ${id} ${time}${outcome.state === 'failed' ? ` ${outcome.problem}` : ''}`,
      );
    });
    await stage.close();
    failed = [...outcomes.values()].some(({ state }) => state === 'failed');
    return { backend: name, version: backend.version, seconds: (Date.now() - started) / 1000, outcomes };
  } finally {
    await backend.stop({ keep: failed || run.keep });
    if (failed) say(`${name}: logs kept in ${backend.workDir}`);
  }
}

/** The reason why a case makes no sense on a backend, if there is one. */
export function whySkipped(one: ConformanceCase, backend: Backend): string | undefined {
  if (one.since !== undefined && !isAtLeast(backend.version, one.since)) return `true since kcp ${one.since}`;
  const has: Readonly<Record<Need, boolean>> = {
    'front-proxy': backend.proxyUrl !== undefined,
    'two-shards': backend.shards.length > 1,
    restarts: backend.restartable,
  };
  const lacking = (one.needs ?? []).find((need) => !has[need]);
  return lacking === undefined ? undefined : `needs ${lacking}`;
}
