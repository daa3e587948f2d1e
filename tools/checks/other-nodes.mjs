// The unit and property specs on Node's other supported lines. `npm ci --prefix tools/node-versions` brings the programs (Linux, x64).
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const scratch = mkdtempSync(join(tmpdir(), 'dep-ctrl-nodes-'));
let passed = 0;
let failed = 0;
let skipped = 0;
for (const line of ['node-22', 'node-24']) {
  const program = resolve('tools/node-versions/node_modules', line, 'bin/node');
  if (!existsSync(program)) {
    process.stdout.write(`NOT EXERCISED: ${line}: ${program} is missing; npm ci --prefix tools/node-versions brings it\n`);
    continue;
  }
  const report = join(scratch, `${line}.json`);
  const version = spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout.trim();
  process.stdout.write(`\n== specs on Node ${version}\n`);
  const run = spawnSync(program, ['node_modules/jest/bin/jest.js', '--json', `--outputFile=${report}`, '--maxWorkers=2'], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  try {
    const counts = JSON.parse(readFileSync(report, 'utf8'));
    passed += counts.numPassedTests;
    skipped += counts.numPendingTests;
    failed += counts.numFailedTests + counts.numRuntimeErrorTestSuites || (run.status === 0 ? 0 : 1);
  } catch {
    failed += 1;
  }
}
rmSync(scratch, { recursive: true, force: true });
process.stdout.write(`${passed} passed, ${failed} failed, ${skipped} skipped\n`);
process.exitCode = failed === 0 ? 0 : 1;
