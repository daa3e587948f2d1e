// What ran where, kept in a file that the page of guarantees is checked against: case -> backend -> kcp versions.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { BackendResult } from './outcome.js';

/** Backend -> kcp versions, by case. */
export type Runs = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

/** The runs after these results: what passed is noted, what failed is struck out, what was skipped stays as it was. */
export function withResults(runs: Runs, results: readonly BackendResult[]): Runs {
  const next = new Map(Object.entries(runs).map(([id, backends]) => [id, new Map(Object.entries(backends))]));
  for (const { backend, version = 'unknown', outcomes } of results) {
    for (const [id, { state }] of outcomes) {
      const backends = next.get(id) ?? new Map<string, readonly string[]>();
      next.set(id, backends);
      const others = (backends.get(backend) ?? []).filter((other) => other !== version);
      if (state === 'passed') backends.set(backend, [...others, version].toSorted(inOrder));
      else if (state === 'failed') backends.set(backend, others);
    }
  }
  const ids = [...next.keys()].toSorted(inOrder);
  return Object.fromEntries(
    ids.flatMap((id) => {
      const backends = [...(next.get(id) ?? [])].filter(([, versions]) => versions.length > 0).toSorted(([a], [b]) => inOrder(a, b));
      return backends.length === 0 ? [] : [[id, Object.fromEntries(backends)]];
    }),
  );
}

function inOrder(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}

/** Adds results to a file of runs. */
export function recordRuns(file: string, results: readonly BackendResult[]): void {
  const before = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Runs) : {};
  // Lists on one line, as the formatter of this repository wants them.
  const text = JSON.stringify(withResults(before, results), null, 2).replaceAll(/\[[^\]]*\]/g, (list) =>
    JSON.stringify(JSON.parse(list)).replaceAll(',', ', '),
  );
  writeFileSync(file, `${text}\n`);
}
