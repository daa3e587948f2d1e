// The projects in examples/, each as its author has it: alone in an empty folder, with the packed libs and what the registry has, run by its own `npm test`
// on this Node and on the other lines that tools/node-versions brings. Names given as arguments run only those.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { packLibs, publishedLibs, withOwnDependencies } from '../pack.mjs';

const wanted = process.argv.slice(2);
const examples = readdirSync('examples').filter(
  (name) => existsSync(join('examples', name, 'package.json')) && (wanted.length === 0 || wanted.includes(name)),
);
const nodes = ['node-22', 'node-24'].map((line) => resolve('tools/node-versions/node_modules', line, 'bin'));
const lines = [undefined, ...nodes.filter((bin) => existsSync(join(bin, 'node')))];
const counts = { passed: 0, failed: 0, skipped: 0 };
const scratch = mkdtempSync(join(tmpdir(), 'dep-ctrl-authors-'));

try {
  for (const bin of nodes.filter((each) => !lines.includes(each)))
    process.stdout.write(`NOT EXERCISED: ${bin} is missing; npm ci --prefix tools/node-versions brings it\n`);
  if (spawnSync('npm', ['ping', '--fetch-retries=0'], { stdio: 'ignore' }).status !== 0) {
    process.stdout.write('NOT EXERCISED: the registry does not answer\n');
    counts.skipped = examples.length * lines.length;
  } else {
    execFileSync('npx', ['tsc', '--build', '--noCheck', 'tsconfig.libs.json'], { stdio: 'inherit' });
    const libs = publishedLibs();
    const tarballs = new Map(packLibs(scratch).map(({ name, filename }) => [name, join(scratch, filename)]));
    for (const name of examples) {
      const folder = join(scratch, name);
      cpSync(join('examples', name), folder, { recursive: true });
      const { dependencies, devDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      const needed = libs.filter(({ manifest }) => ({ ...dependencies, ...devDependencies })[manifest.name] !== undefined);
      const files = needed.flatMap((lib) => withOwnDependencies(lib, libs)).map(({ manifest }) => tarballs.get(manifest.name));
      if (!run(name, 'npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', ...new Set(files)], folder)) {
        counts.failed += lines.length;
        continue;
      }
      for (const bin of lines) {
        const began = performance.now();
        const passed = run(name, 'npm', ['test'], folder, bin);
        counts[passed ? 'passed' : 'failed'] += 1;
        const version = bin === undefined ? process.version : execFileSync(join(bin, 'node'), ['--version'], { encoding: 'utf8' }).trim();
        process.stdout.write(`${passed ? 'ok    ' : 'FAILED'} ${name} on Node ${version}, ${Math.round(performance.now() - began)} ms\n`);
      }
    }
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
process.stdout.write(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`);
process.exitCode = counts.failed === 0 ? 0 : 1;

/** Runs a program, and shows what it said if it fails. */
function run(name, program, args, cwd, bin) {
  const path = bin === undefined ? process.env.PATH : `${bin}${delimiter}${process.env.PATH}`;
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, PATH: path, NODE_OPTIONS: '' },
  });
  if (status !== 0) process.stdout.write(`FAIL ${name}: ${program} ${args[0]}\n${stdout}${stderr}\n`);
  return status === 0;
}
