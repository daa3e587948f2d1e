// What ran where, kept in a file that the page of guarantees is checked against: case -> backend -> kcp version.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { BackendResult } from './outcome.js';

/** Backend -> kcp version, by case. */
export type Runs = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The runs after these results: what passed is noted, what failed is struck out, what was skipped stays as it was. */
export function withResults(runs: Runs, results: readonly BackendResult[]): Runs {
  const next = new Map(Object.entries(runs).map(([id, backends]) => [id, new Map(Object.entries(backends))]));
  for (const { backend, version = 'unknown', outcomes } of results) {
    for (const [id, { state }] of outcomes) {
      const backends = next.get(id) ?? new Map<string, string>();
      next.set(id, backends);
      if (state === 'passed') backends.set(backend, version);
      else if (state === 'failed') backends.delete(backend);
    }
  }
  const ids = [...next.keys()].toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  return Object.fromEntries(
    ids.flatMap((id) => {
      const backends = [...(next.get(id) ?? [])].toSorted(([a], [b]) => a.localeCompare(b, 'en'));
      return backends.length === 0 ? [] : [[id, Object.fromEntries(backends)]];
    }),
  );
}

/** Adds results to a file of runs. */
export function recordRuns(file: string, results: readonly BackendResult[]): void {
  const before = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Runs) : {};
  writeFileSync(file, `${JSON.stringify(withResults(before, results), null, 2)}\n`);
}
