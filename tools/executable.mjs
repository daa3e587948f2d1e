// `npm run executable`: the program and the Node that runs this, in one file that needs neither Node nor node_modules.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ensureBundle } from './start.mjs';

// Where Node looks for a program inside itself; the same in every release.
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

const bundle = await ensureBundle();
const out = dirname(bundle);
const config = join(out, 'sea.json');
const blob = join(out, 'sea.blob');
const next = join(out, `dep-ctrl.${process.pid}`);
const executable = join(out, 'dep-ctrl');

// The code cache is what V8 made of the bundle: a third less to do at each start.
writeFileSync(config, JSON.stringify({ main: bundle, output: blob, disableExperimentalSEAWarning: true, useCodeCache: true }));
run(process.execPath, ['--experimental-sea-config', config]);
copyFileSync(process.execPath, next);
chmodSync(next, 0o755);
run('npx', ['--no-install', 'postject', next, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', FUSE]);
renameSync(next, executable);
process.stdout.write(`${executable}\n`);

// Both talk much when all is well: what they say is shown when they fail.
function run(program, args) {
  try {
    execFileSync(program, args, { stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' });
  } catch (error) {
    process.stderr.write(`${program} ${args[0]} failed:\n${error.stdout ?? ''}${error.stderr ?? error.message}`);
    process.exit(1);
  }
}
