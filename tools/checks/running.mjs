// Runs checks, shows what they print, and closes with a table and one line with the sum.
import { spawn } from 'node:child_process';

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */
/** A check that does not count is one. @typedef {{ name: string, command: string[], count?: () => Counts }} Check */

/** Runs stage after stage. A stage is some lanes beside each other, a lane some checks one after the other. @param {Check[][][]} stages */
export async function runChecks(stages) {
  const rows = [];
  for (const lanes of stages) {
    const names = lanes.flat().map(({ name }) => name);
    const beside = lanes.filter((lane) => lane.length > 0);
    if (beside.length > 1) process.stdout.write(`\n${names.join(', ')}: each told when it is over\n`);
    await Promise.all(beside.map((lane) => inOrder(lane, rows, { aloud: beside.length === 1 })));
  }
  process.stdout.write('\n');
  for (const row of rows) {
    process.stdout.write(
      `${row.failed === 0 ? 'ok    ' : 'FAILED'}  ${row.name.padEnd(48)} ${String(row.passed).padStart(5)} passed ${row.seconds.padStart(7)} s\n`,
    );
  }
  const sum = (/** @type {keyof Counts} */ key) => rows.reduce((total, row) => total + row[key], 0);
  process.stdout.write(`${sum('passed')} passed, ${sum('failed')} failed${sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : ''}\n`);
  process.exitCode = sum('failed') === 0 ? 0 : 1;
}

/** @param {Check[]} lane */
async function inOrder(lane, rows, { aloud }) {
  for (const check of lane) {
    if (aloud) process.stdout.write(`\n== ${check.name}\n`);
    const started = Date.now();
    const { ok, output } = await run(check, aloud);
    if (!aloud) process.stdout.write(`\n== ${check.name}\n${output}`);
    const counts = check.count === undefined ? { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 } : check.count();
    // A runner that failed without a failed test (a crash, a suite that did not load) must not look green.
    if (!ok && counts.failed === 0) counts.failed = 1;
    rows.push({ name: check.name, ...counts, seconds: ((Date.now() - started) / 1000).toFixed(1) });
  }
}

/** @param {Check} check @param {boolean} aloud as it comes, or as a whole when it is over */
function run({ command }, aloud) {
  const [program = '', ...args] = command;
  const output = aloud ? 'inherit' : 'pipe';
  const child = spawn(program, args, { stdio: ['ignore', output, output] });
  const printed = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => printed.push(chunk));
  return new Promise((resolve) => {
    child.once('error', (error) => {
      process.stderr.write(`cannot start ${command.join(' ')}: ${error.message}\n`);
      resolve({ ok: false, output: '' });
    });
    child.once('close', (code) => resolve({ ok: code === 0, output: Buffer.concat(printed).toString() }));
  });
}
