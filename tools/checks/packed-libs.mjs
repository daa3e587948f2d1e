// "Embed it in your operator" as a test: pack every lib, install the tarballs in an empty project outside the repository,
// import each from ESM and from CommonJS, and let publint and attw judge the tarballs.
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { packLibs, publishedLibs } from '../pack.mjs';

// @kubernetes/client-node 2.x does not load on Node 20 without this workspace's override; an embedder there uses 1.4.0.
const clientNode = Number(process.versions.node.split('.')[0]) < 22 ? '1.4.0' : '2.0.1';
const outside = mkdtempSync(join(tmpdir(), 'dep-ctrl-pack-'));

try {
  const libs = publishedLibs();
  for (const lib of libs) {
    for (const field of ['name', 'version', 'description', 'license', 'files', 'exports', 'types']) {
      if (lib.manifest[field] === undefined) throw new Error(`${lib.folder}/package.json has no "${field}"`);
    }
  }
  const packed = packLibs(outside);
  const tarballs = packed.map((entry) => join(outside, entry.filename));
  for (const entry of packed) {
    const stray = entry.files
      .map((file) => file.path)
      .filter((path) => !/^(?:dist\/|README\.md$|package\.json$|LICENSE$)/.test(path) || /\.(?:spec\.|tsbuildinfo)/.test(path));
    if (stray.length > 0) throw new Error(`${entry.name}: the tarball holds ${stray.join(', ')}`);
  }

  writeFileSync(join(outside, 'package.json'), JSON.stringify({ name: 'embedder', private: true, license: 'UNLICENSED' }));
  run(
    'npm',
    ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', ...tarballs, `@kubernetes/client-node@${clientNode}`],
    outside,
  );

  const entries = libs.flatMap((lib) =>
    Object.keys(lib.manifest.exports)
      .filter((key) => key !== './package.json')
      .map((key) => join(lib.manifest.name, key)),
  );
  const listed = JSON.stringify(entries);
  writeFileSync(
    join(outside, 'esm.mjs'),
    `for (const name of ${listed}) if (Object.keys(await import(name)).length === 0) throw new Error(name + ' exports nothing');`,
  );
  writeFileSync(
    join(outside, 'cjs.cjs'),
    `for (const name of ${listed}) if (Object.keys(require(name)).length === 0) throw new Error(name + ' exports nothing');`,
  );
  run('node', ['--disable-warning=ExperimentalWarning', 'esm.mjs'], outside);
  run('node', ['--disable-warning=ExperimentalWarning', 'cjs.cjs'], outside);

  const complaints = (await Promise.all(tarballs.map(complaintsAbout))).flat();
  if (complaints.length > 0) throw new Error(complaints.join('\n'));
  process.stdout.write(
    `${tarballs.length} tarballs installed in an empty project; ${entries.length} entry points imported and required; publint and attw have no complaint\n`,
  );
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  rmSync(outside, { recursive: true, force: true });
}

async function complaintsAbout(tarball) {
  const bytes = new Uint8Array(readFileSync(tarball));
  const { messages, pkg } = await publint({ strict: true, pack: { tarball: bytes.buffer } });
  const { problems } = await checkPackage(createPackageFromTarballData(bytes));
  return [
    ...messages.map((message) => `${pkg.name}: publint: ${formatMessage(message, pkg, { color: false })}`),
    ...problems.filter(matters).map((problem) => `${pkg.name}: attw: ${JSON.stringify(problem)}`),
  ];
}

// The libs are ESM only: how Node before 12, and require() in the eyes of TypeScript, resolve them does not matter.
function matters(problem) {
  return !['node10', 'node16-cjs'].includes(problem.resolutionKind);
}

function run(program, args, cwd) {
  try {
    return execFileSync(program, args, {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NODE_OPTIONS: '' },
    });
  } catch (error) {
    throw new Error(`${[program, ...args].join(' ').slice(0, 200)} failed:\n${error.stdout ?? ''}${error.stderr ?? ''}`);
  }
}
