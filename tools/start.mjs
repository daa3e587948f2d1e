// Runs dep-ctrl from its sources: bundles the app when something changed since the last time, then runs the bundle with the given arguments.
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const app = join(root, 'apps/dep-ctrl');
const bundle = join(app, 'dist/dep-ctrl.cjs');
const notes = join(app, 'dist/inputs.json');

/** Writes the bundle unless nothing that went into the last one has changed since. Answers its path. */
export async function ensureBundle() {
  if (isFresh()) return bundle;
  const { version } = JSON.parse(readFileSync(join(app, 'package.json'), 'utf8'));
  mkdirSync(dirname(bundle), { recursive: true });
  const next = `${bundle}.${process.pid}`;
  const startedAt = Date.now();
  const inputs = await bundleProgram(next, { version });
  // Two starts at the same moment: each renames a whole bundle, and the notes fit only the bundle that they were written for.
  renameSync(next, bundle);
  writeFileSync(notes, JSON.stringify({ startedAt, bundle: stampOf(bundle), inputs }));
  return bundle;
}

/** Writes the program as one file. Answers the sources that are in it. */
export async function bundleProgram(outfile, { version, plugins = [] }) {
  const { build, stop } = await import('esbuild');
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['apps/dep-ctrl/src/main.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    conditions: ['@dep-ctrl/source'],
    define: {
      DEP_CTRL_VERSION: JSON.stringify(version),
      // ws, which comes with the kubeconfig reader, would look for native helpers that are not there.
      'process.env.WS_NO_BUFFER_UTIL': '"1"',
      'process.env.WS_NO_UTF_8_VALIDATE': '"1"',
    },
    plugins,
    banner: { js: '#!/usr/bin/env node' },
    legalComments: 'none',
    // Names stay, for stack traces; without the white space the program starts 10 MB smaller.
    minifyWhitespace: true,
    minifySyntax: true,
    metafile: true,
    logLevel: 'warning',
  });
  await stop();
  checkOneByteEach(outfile);
  return Object.keys(metafile.inputs);
}

/** V8 holds the text of a program with two bytes for each character if one of them is beyond Latin-1: 5.6 MB more in every process. */
function checkOneByteEach(outfile) {
  const [found] = /.{0,40}[^\u0000-\u00ff].{0,40}/u.exec(readFileSync(outfile, 'utf8')) ?? [];
  if (found !== undefined) throw new Error(`the program has a character beyond Latin-1 where esbuild cannot escape it, at: ${found}`);
}

function isFresh() {
  if (!existsSync(bundle) || !existsSync(notes)) return false;
  try {
    const noted = JSON.parse(readFileSync(notes, 'utf8'));
    const inputs = [...noted.inputs, 'tools/start.mjs', 'apps/dep-ctrl/package.json', 'package-lock.json'];
    // Compared with the start of that build: what changed while it ran may or may not be in it.
    return noted.bundle === stampOf(bundle) && inputs.every((input) => statSync(join(root, input)).mtimeMs < noted.startedAt);
  } catch {
    return false;
  }
}

function stampOf(file) {
  const { size, mtimeMs, ino } = statSync(file);
  return `${ino} ${size} ${mtimeMs}`;
}

/** npm runs scripts in the folder of their package; files that its user names are meant from where that user stands. */
function standWithTheUser() {
  const { INIT_CWD } = process.env;
  if (INIT_CWD !== undefined) process.chdir(INIT_CWD);
}

// npm passes SIGTERM and SIGINT on. It does not pass on a SIGHUP or SIGKILL that it gets alone: then another process becomes our parent.
const LOOK_FOR_NPM_EVERY_MS = 1_000;

function endWithNpm() {
  const npm = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, LOOK_FOR_NPM_EVERY_MS);
  watch.unref();
}

// A script of this package, not one that only starts us on its way.
const isScriptOfNpm =
  ['start', 'dep-ctrl'].includes(process.env.npm_lifecycle_event) && process.env.npm_package_json === join(root, 'package.json');

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  if (isScriptOfNpm) {
    standWithTheUser();
    endWithNpm();
  }
  const bundled = await ensureBundle().catch((failure) => {
    // What does not build was explained by esbuild already.
    if (failure.errors === undefined) process.stderr.write(`${failure.message}\n`);
    process.exit(1);
  });
  // In this process: nothing stands between the program and its signals.
  if (process.argv[2] !== '--bundle-only') createRequire(import.meta.url)(bundled);
}
