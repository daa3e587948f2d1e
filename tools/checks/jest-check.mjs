// jest as a check: its report tells how many tests there were.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** @param {string} name @param {string[]} args @returns {import('./running.mjs').Check} */
export function jestCheck(name, args) {
  const scratch = mkdtempSync(join(tmpdir(), 'dep-ctrl-checks-'));
  const report = join(scratch, 'jest.json');
  const count = () => {
    const counts = countsIn(report);
    rmSync(scratch, { recursive: true, force: true });
    return counts;
  };
  return { name, command: ['npx', 'jest', '--json', `--outputFile=${report}`, '--maxWorkers=2', ...args], count };
}

function countsIn(file) {
  try {
    const report = JSON.parse(readFileSync(file, 'utf8'));
    return {
      passed: report.numPassedTests,
      failed: report.numFailedTests + report.numRuntimeErrorTestSuites,
      skipped: report.numPendingTests,
    };
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
}
