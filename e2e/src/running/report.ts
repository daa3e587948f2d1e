import type { BackendResult, Outcome, Titled } from './outcome.js';

const MARK: Readonly<Record<Outcome['state'], string>> = { passed: 'ok', failed: 'FAIL', skipped: '-' };
const TITLE_WIDTH = 100;

/** The table case x backend. */
export function table(cases: readonly Titled[], results: readonly BackendResult[]): string {
  const ran = results.filter((result) => result.notExercised === undefined);
  const idWidth = Math.max(4, ...cases.map(({ id }) => id.length));
  const head = ['case'.padEnd(idWidth), ...ran.map(({ backend }) => backend), 'what holds'].join('  ');
  const rows = cases.map(({ id, title }) => {
    const marks = ran.map(({ backend, outcomes }) => mark(outcomes.get(id)).padEnd(backend.length));
    return [id.padEnd(idWidth), ...marks, clip(title)].join('  ');
  });
  return [head, ...rows].join('\n');
}

/** Every failure and the reasons of skips, after the table. */
export function details(cases: readonly Titled[], results: readonly BackendResult[]): string {
  const failures = results.flatMap(({ backend, outcomes }) =>
    cases.flatMap(({ id, title }) => {
      const outcome = outcomes.get(id);
      return outcome?.state === 'failed' ? [`FAIL ${backend} ${id}: ${title}\n     ${outcome.problem.replaceAll('\n', '\n     ')}`] : [];
    }),
  );
  const ran = results.filter(({ notExercised }) => notExercised === undefined);
  const skips = ran.flatMap(({ backend, outcomes }) => skipLines(backend, outcomes));
  return [...failures, ...skips].join('\n');
}

/** The last lines: what was measured, what was not exercised and why, and the totals. */
export function summary(results: readonly BackendResult[]): string {
  const all = results.flatMap(({ outcomes }) => [...outcomes.values()]);
  const count = (state: Outcome['state']): number => all.filter((outcome) => outcome.state === state).length;
  return [
    ...results.flatMap(({ backend, figures = [] }) => figures.map(({ test, says }) => `${backend}: ${test}: ${says}`)),
    ...results.map(({ backend, version, seconds, notExercised }) =>
      notExercised === undefined
        ? `${backend}: kcp ${version ?? 'unknown'}, ${(seconds ?? 0).toFixed(1)} s`
        : `${backend}: NOT EXERCISED${notExercised.broken ? ' (BROKEN)' : ''}: ${notExercised.why}`,
    ),
    `${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`,
  ].join('\n');
}

/**
 * Whether the run as a whole is good: something ran, nothing failed, and no backend refused to start. `optional`: that this machine lacks
 * every backend is good as well.
 */
export function isGood(results: readonly BackendResult[], { optional }: { readonly optional: boolean }): boolean {
  const all = results.flatMap(({ outcomes }) => [...outcomes.values()]);
  if (results.some(({ notExercised }) => notExercised?.broken === true)) return false;
  if (optional && results.every(({ notExercised }) => notExercised !== undefined)) return true;
  return all.some(({ state }) => state === 'passed') && all.every(({ state }) => state !== 'failed');
}

function skipLines(backend: string, outcomes: ReadonlyMap<string, Outcome>): readonly string[] {
  const reasons = new Map<string, string[]>();
  for (const [id, outcome] of outcomes) {
    if (outcome.state === 'skipped') reasons.set(outcome.why, [...(reasons.get(outcome.why) ?? []), id]);
  }
  return [...reasons].map(([why, ids]) => `skip ${backend}: ${why}: ${ids.join(' ')}`);
}

function mark(outcome: Outcome | undefined): string {
  return outcome === undefined ? '' : MARK[outcome.state];
}

function clip(title: string): string {
  return title.length > TITLE_WIDTH ? `${title.slice(0, TITLE_WIDTH - 3)}...` : title;
}
