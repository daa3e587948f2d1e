// `npm run pack`: builds every lib and packs it into packs/, for who embeds one before it is in a registry. With `--release FOLDER` it packs the libs and
// the program, as they were built, into that folder.
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packedManifest } from './packed-manifest.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The libs with their manifests. */
export function publishedLibs() {
  return readdirSync(join(root, 'libs')).map((folder) => packageIn(`libs/${folder}`));
}

/** Packs what was built; answers what npm says of each tarball. */
export function packLibs(destination) {
  return packAll(publishedLibs(), destination);
}

/** A copy of each package is packed, with the manifest and the licence that it is published with. */
function packAll(packages, destination) {
  const staging = mkdtempSync(join(tmpdir(), 'dep-ctrl-packing-'));
  try {
    const folders = packages.map((each) => staged(each, join(staging, each.folder)));
    return JSON.parse(npm(['pack', '--json', `--pack-destination=${resolve(destination)}`, ...folders], staging));
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

function staged({ folder, manifest }, into) {
  const from = join(root, folder);
  // Source maps and maps of declarations point to the sources: stack traces, debuggers and editors find them.
  const copied = folder.startsWith('libs/') ? ['dist', 'src', 'README.md'] : manifest.files;
  for (const path of copied) {
    mkdirSync(dirname(join(into, path)), { recursive: true });
    cpSync(join(from, path), join(into, path), { recursive: true, filter: (file) => isShipped(relative(from, file)) });
  }
  copyFileSync(join(root, 'LICENSE'), join(into, 'LICENSE'));
  const packed = packedManifest(manifest, { folder, root: manifestIn('.') });
  writeFileSync(join(into, 'package.json'), `${JSON.stringify(packed, undefined, 2)}\n`);
  return into;
}

function isShipped(path) {
  return !/(?:\.spec\.ts|\.tsbuildinfo|^src\/spec-support)$/.test(path);
}

function packageIn(folder) {
  return { folder, manifest: manifestIn(folder) };
}

function manifestIn(folder) {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
}

/** The lib's own tarball after those of the libs that it stands on. */
export function withOwnDependencies(lib, libs) {
  const needed = libs.filter(({ manifest }) => lib.manifest.dependencies?.[manifest.name] !== undefined);
  return [...new Set([...needed.flatMap((each) => withOwnDependencies(each, libs)), lib])];
}

function npm(args, cwd) {
  return execFileSync('npm', args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
}

function packForPeople() {
  const destination = resolve(root, 'packs');
  rmSync(destination, { recursive: true, force: true });
  mkdirSync(destination);
  // Types are checked elsewhere.
  execFileSync('npx', ['tsc', '--build', '--noCheck', 'tsconfig.libs.json'], { cwd: root, stdio: 'inherit' });
  const fileOf = new Map(packLibs(destination).map(({ name, filename }) => [name, relative(process.cwd(), join(destination, filename))]));
  const libs = publishedLibs();
  for (const lib of libs) {
    const files = withOwnDependencies(lib, libs).map(({ manifest }) => fileOf.get(manifest.name));
    process.stdout.write(`${lib.manifest.name}\n  npm install ${files.join(' ')}\n`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [flag, folder] = process.argv.slice(2);
  if (flag === '--release' && folder !== undefined) {
    const packed = packAll([...publishedLibs(), packageIn('apps/dep-ctrl')], folder);
    process.stdout.write(`${JSON.stringify(packed.map(({ name }) => name))}\n`);
  } else packForPeople();
}
