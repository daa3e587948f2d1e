// Runs dep-ctrl from its sources: bundles the app when something changed since the last time, then runs the bundle with the given arguments.
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const app = join(root, 'apps/dep-ctrl');
const bundle = join(app, 'bundle/dep-ctrl.cjs');
const inputsFile = join(app, 'bundle/inputs.json');

/** Writes the bundle unless every file that went into the last one is older than it. Answers its path. */
export async function ensureBundle() {
  if (isFresh()) return bundle;
  const { build, stop } = await import('esbuild');
  const { version } = JSON.parse(readFileSync(join(app, 'package.json'), 'utf8'));
  mkdirSync(dirname(bundle), { recursive: true });
  const next = `${bundle}.${process.pid}`;
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['apps/dep-ctrl/src/main.ts'],
    outfile: next,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    conditions: ['@dep-ctrl/source'],
    define: { DEP_CTRL_VERSION: JSON.stringify(version) },
    banner: { js: '#!/usr/bin/env node' },
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  });
  await stop();
  writeFileSync(inputsFile, JSON.stringify(Object.keys(metafile.inputs)));
  // A rename, so that another start at the same moment never runs half a bundle.
  renameSync(next, bundle);
  return bundle;
}

function isFresh() {
  if (!existsSync(bundle) || !existsSync(inputsFile)) return false;
  const builtAt = statSync(bundle).mtimeMs;
  const inputs = [...JSON.parse(readFileSync(inputsFile, 'utf8')), 'tools/start.mjs', 'apps/dep-ctrl/package.json', 'package-lock.json'];
  return inputs.every((input) => statSync(join(root, input), { throwIfNoEntry: false })?.mtimeMs < builtAt);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  // What does not build was explained by esbuild already.
  const bundled = await ensureBundle().catch(() => process.exit(1));
  // In this process: nothing stands between the program and its signals.
  if (process.argv[2] !== '--bundle-only') createRequire(import.meta.url)(bundled);
}
