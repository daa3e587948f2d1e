// `npm test`: every check that needs nothing but Node and a laptop, one after the other, then one line with the sum.
// A check that is not a test runner counts as one. Names given as arguments run only those checks.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const scratch = mkdtempSync(join(tmpdir(), 'dep-ctrl-checks-'));
const jestReport = join(scratch, 'jest.json');

/** @typedef {{ name: string, command: string[], count?: () => { passed: number, failed: number, skipped: number } }} Check */

/** @type {Check[]} */
const first = [
  { name: 'format', command: ['npx', 'prettier', '--check', '--log-level', 'warn', '.'] },
  { name: 'build', command: ['npx', 'nx', 'run-many', '-t', 'build', 'bundle'] },
];

// Lint keeps one core busy, and longer than all that keeps the other one busy meanwhile.
/** @type {Check[][]} */
const besideEachOther = [
  // After the build: the boundaries rule reads the project graph that nx has cached by then.
  [{ name: 'lint', command: ['npx', 'eslint', '.'] }],
  [
    // Each project's own typecheck reads the sources of those that it imports again; this reads every file once.
    { name: 'types', command: ['npx', 'tsc', '-p', 'tsconfig.check.json'] },
    { name: 'manifests are what the code says', command: ['npm', 'run', '--silent', 'generate', '--', '--check'] },
    { name: 'forbidden imports are refused', command: ['node', 'tools/checks/boundaries.mjs'] },
    { name: 'import graph is the documented one', command: ['node', 'tools/checks/import-graph.mjs'] },
    { name: 'rooms are the documented ones', command: ['node', 'tools/checks/rooms-documented.mjs'] },
    { name: 'READMEs show the examples as they are', command: ['node', 'tools/checks/readme-examples.mjs'] },
    { name: 'links in docs', command: ['node', 'tools/checks/doc-links.mjs'] },
    { name: 'guarantees name tests that exist and ran', command: ['node', 'tools/checks/guarantees.mjs'] },
    { name: 'packed libs install and import elsewhere', command: ['node', 'tools/checks/packed-libs.mjs'] },
  ],
];

/** @type {Check[]} */
const last = [
  {
    name: 'tests',
    command: ['npx', 'jest', '--json', `--outputFile=${jestReport}`, '--verbose', '--maxWorkers=2'],
    count: () => jestCounts(jestReport),
  },
  {
    name: 'random topologies are answered as a model says',
    command: ['node', 'e2e/run.mjs', 'model', '--seeds', '20', '--backend', 'embedded', '--workers', '4'],
  },
];

const checks = [...first, ...besideEachOther.flat(), ...last];
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !checks.some((check) => check.name === name));
if (unknown.length > 0) {
  process.stderr.write(`no check is called ${unknown.join(', ')}; there are: ${checks.map((check) => check.name).join(', ')}\n`);
  process.exit(2);
}

const rows = [];
await inOrder(first);
const beside = besideEachOther.flat().filter(isWanted);
if (beside.length > 0) process.stdout.write(`\n${beside.map(({ name }) => name).join(', ')}: each told when it is over\n`);
await Promise.all(besideEachOther.map((lane) => inOrder(lane, { aloud: false })));
await inOrder(last);
rmSync(scratch, { recursive: true, force: true });

process.stdout.write('\n');
for (const row of rows) {
  process.stdout.write(
    `${row.failed === 0 ? 'ok    ' : 'FAILED'}  ${row.name.padEnd(44)} ${String(row.passed).padStart(5)} passed ${row.seconds.padStart(7)} s\n`,
  );
}
const sum = (/** @type {'passed' | 'failed' | 'skipped'} */ key) => rows.reduce((total, row) => total + row[key], 0);
process.stdout.write(`${sum('passed')} passed, ${sum('failed')} failed${sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : ''}\n`);
process.exitCode = sum('failed') === 0 ? 0 : 1;

/** @param {Check} check */
function isWanted({ name }) {
  return wanted.length === 0 || wanted.includes(name);
}

/** @param {Check[]} lane */
async function inOrder(lane, { aloud = true } = {}) {
  for (const check of lane.filter(isWanted)) {
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

function jestCounts(file) {
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
