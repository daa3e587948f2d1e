// What a run of a suite leaves in a file of records (records/run-record.ts).
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { merged, parseRecords, printRecords, type RunRecord, type Stamp } from '../records/run-record.js';
import type { Suite } from '../records/known-tests.js';
import type { BackendResult } from './outcome.js';

/** Which code ran on which build of kcp. */
export interface RunOf {
  readonly stamp: Stamp;
  /** The build of the kcp of a backend, where it is a program. */
  readonly buildOf: (backend: string) => string | undefined;
}

/** One record for each case that ran or was skipped. A backend that this machine lacks leaves none. */
export function caseRecords({ backend, version, outcomes, figures = [] }: BackendResult, { stamp, buildOf }: RunOf): readonly RunRecord[] {
  if (version === undefined) return [];
  return [...outcomes].map(([test, outcome]): RunRecord => {
    const tried = { test, backend, kcp: version };
    if (outcome.state === 'skipped') return { ...tried, ...stamp, state: 'skipped', why: outcome.why };
    const measured = figures.filter((figure) => figure.test === test).map(({ says }) => says);
    return {
      ...{ ...tried, ...stamp, state: outcome.state, seconds: Math.ceil(outcome.ms / 1_000), ...built(buildOf(backend)) },
      ...(measured.length > 0 && { extent: measured.join('; ') }),
    };
  });
}

/** One record for a suite that ran as a whole; undefined where nothing of it ran. */
export function suiteRecord(
  suite: Suite,
  { backend, version, outcomes, seconds }: BackendResult,
  { stamp, buildOf, extent }: RunOf & { readonly extent?: string },
): RunRecord | undefined {
  const states = [...outcomes.values()].map(({ state }) => state);
  const count = (wanted: string): number => states.filter((state) => state === wanted).length;
  const ran = states.length - count('skipped');
  if (version === undefined || ran === 0) return undefined;
  const skips = count('skipped') === 0 ? '' : `, ${count('skipped')} skipped`;
  return {
    ...{ test: suite, backend, kcp: version, ...stamp },
    state: count('failed') === 0 ? 'passed' : 'failed',
    ...(seconds === undefined ? {} : { seconds: Math.ceil(seconds) }),
    ...built(buildOf(backend)),
    extent: `${extent ?? `${ran} cases`}${skips}`,
  };
}

/** Adds records to a file. */
export function addRecords(file: string, records: readonly RunRecord[]): void {
  const before = existsSync(file) ? parseRecords(readFileSync(file, 'utf8')) : [];
  writeFileSync(file, printRecords(merged(before, records)));
}

function built(build: string | undefined): { readonly build?: string } {
  return build === undefined ? {} : { build };
}
