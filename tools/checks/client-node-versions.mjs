// The packed kcp-client with both lines of @kubernetes/client-node on every supported line of Node, in projects outside of this repository. `npm ci --prefix
// tools/node-versions` brings the other Nodes (Linux, x64).
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { packLibs } from '../pack.mjs';

const root = JSON.parse(readFileSync('package.json', 'utf8'));
const current = root.dependencies['@kubernetes/client-node'];
// client-node 2 asks for undici 8, which does not load on Node 20; what overrides it there is what this workspace overrides it with.
const projects = [
  { name: 'client-node 1', clientNode: '1.4.0', nodes: [20, 22, 24] },
  { name: 'client-node 2', clientNode: current, nodes: [22, 24] },
  { name: 'client-node 2 with undici 7', clientNode: current, nodes: [20], overrides: { undici: root.dependencies.undici } },
];
const NEEDED = ['@dep-ctrl/kcp-names', '@dep-ctrl/kcp-client', '@dep-ctrl/embedded-kcp'];
const outside = mkdtempSync(join(tmpdir(), 'dep-ctrl-client-node-'));
const missing = new Set();
let ran = 0;

try {
  run('node', [resolve('node_modules/typescript/bin/tsc'), '--build', '--noCheck', 'tsconfig.libs.json'], process.cwd());
  const packed = packLibs(outside).filter(({ name }) => NEEDED.includes(name));
  for (const project of projects) {
    const folder = makeProject(
      project,
      packed.map(({ filename }) => join(outside, filename)),
    );
    run('node', [resolve('node_modules/typescript/bin/tsc'), '-p', folder], folder);
    for (const major of project.nodes) {
      const node = nodeOf(major);
      if (node === undefined) missing.add(major);
      else {
        run(node, ['--disable-warning=ExperimentalWarning', 'interop.mjs'], folder);
        ran += 1;
        process.stdout.write(`${project.name} on Node ${major}: ok\n`);
      }
    }
  }
  for (const major of missing) process.stdout.write(`NOT EXERCISED: Node ${major}: npm ci --prefix tools/node-versions brings 22 and 24\n`);
  if (ran === 0) throw new Error('nothing ran');
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  rmSync(outside, { recursive: true, force: true });
}

/** A project with our packages, one client-node, the program, and the README's example for the types. */
function makeProject({ name, clientNode, overrides }, tarballs) {
  const folder = join(outside, name.replaceAll(' ', '-'));
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'embedder', private: true, license: 'UNLICENSED', overrides }));
  const packages = [...tarballs, `@kubernetes/client-node@${clientNode}`, `@types/node@${root.devDependencies['@types/node']}`];
  run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', ...packages], folder);
  copyFileSync('tools/client-node/interop.mjs', join(folder, 'interop.mjs'));
  copyFileSync('libs/kcp-client/examples/generated-api.ts', join(folder, 'generated-api.mts'));
  const compilerOptions = { module: 'nodenext', target: 'es2022', types: ['node'], noEmit: true, strict: true, skipLibCheck: true };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['generated-api.mts'] }));
  return folder;
}

/** The program of a line of Node: this one, or one that was brought. */
function nodeOf(major) {
  if (process.versions.node.startsWith(`${major}.`)) return process.execPath;
  const brought = resolve('tools/node-versions/node_modules', `node-${major}`, 'bin/node');
  return existsSync(brought) ? brought : undefined;
}

function run(program, args, cwd) {
  try {
    execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, NODE_OPTIONS: '' } });
  } catch (error) {
    throw new Error(`${[program, ...args].join(' ').slice(0, 200)} in ${cwd} failed:\n${error.stdout ?? ''}${error.stderr ?? ''}`);
  }
}
