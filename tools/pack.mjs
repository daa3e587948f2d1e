// `npm run pack`: builds every lib and packs it into packs/, for who embeds one before it is in a registry.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The libs with their manifests. */
export function publishedLibs() {
  return readdirSync(join(root, 'libs')).map((folder) => ({
    folder: `libs/${folder}`,
    manifest: JSON.parse(readFileSync(join(root, 'libs', folder, 'package.json'), 'utf8')),
  }));
}

/** Packs what was built; answers what npm says of each tarball. */
export function packLibs(destination) {
  const workspaces = publishedLibs().flatMap(({ folder }) => ['--workspace', folder]);
  return JSON.parse(npm(['pack', '--json', `--pack-destination=${destination}`, ...workspaces]));
}

/** The lib's own tarball after those of the libs that it stands on. */
export function withOwnDependencies(lib, libs) {
  const needed = libs.filter(({ manifest }) => lib.manifest.dependencies?.[manifest.name] !== undefined);
  return [...new Set([...needed.flatMap((each) => withOwnDependencies(each, libs)), lib])];
}

function npm(args) {
  return execFileSync('npm', args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const destination = resolve(root, 'packs');
  rmSync(destination, { recursive: true, force: true });
  mkdirSync(destination);
  npm(['run', '--silent', 'build']);
  const fileOf = new Map(packLibs(destination).map(({ name, filename }) => [name, relative(process.cwd(), join(destination, filename))]));
  const libs = publishedLibs();
  for (const lib of libs) {
    const files = withOwnDependencies(lib, libs).map(({ manifest }) => fileOf.get(manifest.name));
    process.stdout.write(`${lib.manifest.name}\n  npm install ${files.join(' ')}\n`);
  }
}
