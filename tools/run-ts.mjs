// Runs one TypeScript file: `node tools/run-ts.mjs FILE [ARGS]`. Workspace libs are bundled from their sources, so nothing has to be
// built first; npm packages stay outside and are imported from node_modules. The exit code is the script's.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const [file, ...args] = process.argv.slice(2);
if (file === undefined) {
  process.stderr.write('run-ts: name the TypeScript file to run: node tools/run-ts.mjs FILE [ARGS]\n');
  process.exit(2);
}

// Inside node_modules, so that imports of npm packages resolve, and never committed.
const cache = fileURLToPath(new URL('../node_modules/.cache/run-ts/', import.meta.url));
const outfile = join(cache, `${basename(file, '.ts')}-${process.pid}.mjs`);
mkdirSync(cache, { recursive: true });
try {
  await build({
    entryPoints: [file],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['@dep-ctrl/source'],
    sourcemap: 'inline',
    logLevel: 'warning',
    plugins: [{ name: 'npm-packages-stay-outside', setup: keepNpmPackagesOutside }],
  });
  const { status, signal } = spawnSync(process.execPath, ['--enable-source-maps', ...execFlags(), outfile, ...args], { stdio: 'inherit' });
  process.exitCode = signal === null ? (status ?? 1) : 1;
} finally {
  rmSync(outfile, { force: true });
}

/** Everything imported by a bare name but our own libs. */
function keepNpmPackagesOutside(build) {
  build.onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
    return kind === 'entry-point' || path.startsWith('@dep-ctrl/') ? undefined : { path, external: true };
  });
}

/** Flags of this process, such as --expose-gc, are the script's. */
function execFlags() {
  return process.execArgv;
}
