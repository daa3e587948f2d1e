// "Embed it in your operator" as a test: pack every lib, install the tarballs in an empty project outside the repository,
// import each from ESM and from CommonJS, compile what the READMEs show, and let package-problems, publint and attw judge the tarballs.
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve, sep } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { packLibs, publishedLibs } from '../pack.mjs';
import { packageProblems } from './package-problems.mjs';

// @kubernetes/client-node 2.x does not load on Node 20 without this workspace's override; an embedder there uses 1.4.0.
const clientNode = Number(process.versions.node.split('.')[0]) < 22 ? '1.4.0' : '2.0.1';
const outside = mkdtempSync(join(tmpdir(), 'dep-ctrl-pack-'));

try {
  const libs = publishedLibs();
  const root = JSON.parse(readFileSync('package.json', 'utf8'));
  const packed = packLibs(outside);
  const tarballs = packed.map((entry) => join(outside, entry.filename));

  writeFileSync(join(outside, 'package.json'), JSON.stringify({ name: 'embedder', private: true, license: 'UNLICENSED' }));
  run(
    'npm',
    [
      'install',
      ...['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'],
      ...tarballs,
      `@kubernetes/client-node@${clientNode}`,
      `@types/node@${root.devDependencies['@types/node']}`,
      // For the example that exports metrics.
      `prom-client@${root.dependencies['prom-client']}`,
    ],
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

  const examples = writeExamples(libs);
  compile(examples);

  const unfit = libs.flatMap(({ manifest }) => {
    const folder = join(outside, 'node_modules', manifest.name);
    return packageProblems(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')), filesIn(folder), root);
  });
  const complaints = [...unfit, ...(await Promise.all(tarballs.map(complaintsAbout))).flat()];
  if (complaints.length > 0) throw new Error(complaints.join('\n'));
  process.stdout.write(
    `${tarballs.length} tarballs installed in an empty project; ${entries.length} entry points imported and required; ${examples.length} examples of READMEs compiled; publint and attw have no complaint\n`,
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

// What the READMEs do not claim, "ESM only": TypeScript's resolution for Node before 12 finds no entry beside the main one, and its check of CommonJS files
// sees that they require ESM. Anything else that is wrong there is a complaint.
function matters({ kind, resolutionKind }) {
  const notClaimed = { node10: 'NoResolution', 'node16-cjs': 'CJSResolvesToESM' };
  return notClaimed[resolutionKind] !== kind;
}

/** The programs that the READMEs of the installed packages show, as files of this project. */
function writeExamples(libs) {
  return libs.flatMap(({ manifest: { name } }) => {
    const readme = readFileSync(join(outside, 'node_modules', name, 'README.md'), 'utf8');
    return [...readme.matchAll(/^```ts\n(.*?)^```\n/gmsu)].map(([, program], index) => {
      const file = `${name.replace('@dep-ctrl/', '')}-${index}.mts`;
      writeFileSync(join(outside, file), program);
      return file;
    });
  });
}

/** As strict as an embedder can be, but for declarations, which those of others would not pass. */
function compile(files) {
  const compilerOptions = {
    ...{ module: 'nodenext', target: 'es2022', lib: ['es2023'], types: ['node'], noEmit: true, skipLibCheck: true },
    ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, noPropertyAccessFromIndexSignature: true },
    ...{ verbatimModuleSyntax: true, erasableSyntaxOnly: true },
  };
  writeFileSync(join(outside, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  run('node', [resolve('node_modules/typescript/bin/tsc'), '-p', outside], outside);
}

/** The content of each file that was installed, by its path in the package. */
function filesIn(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    files.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [relative(folder, path).split(sep).join('/'), readFileSync(path, 'utf8')];
    }),
  );
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
