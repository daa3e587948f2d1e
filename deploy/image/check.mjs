// Builds the image and runs it, where a container engine answers; says so where none does. Pulls nothing: unless BASE names an image, the base holds
// the node that runs this check and the libraries that it loads, and nothing else.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeSboms } from '../../tools/sbom.mjs';
import { ensureBundle } from '../../tools/start.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const LOCAL_BASE = 'dep-ctrl-check-base';
const { IMAGE = 'dep-ctrl-check' } = process.env;

if (engineAnswers()) await check();
else console.log('image: not exercised, no container engine answers');

async function check() {
  const bundle = await ensureBundle();
  await writeSboms();
  const { version } = JSON.parse(readFileSync(join(here, '../../apps/dep-ctrl/package.json'), 'utf8'));
  const base = process.env.BASE ?? makeBase();
  // The classic builder is in every engine; BuildKit is a plugin.
  docker(['build', '-q', '-f', join(here, 'Dockerfile'), '--build-arg', `BASE=${base}`, '-t', IMAGE, dirname(bundle)], {
    DOCKER_BUILDKIT: '0',
  });
  const user = docker(['image', 'inspect', '--format', '{{.Config.User}}', IMAGE]);
  const printed = docker(['run', '--rm', '--network', 'none', '--read-only', IMAGE, '--version']);
  const lists = "console.log(JSON.parse(require('fs').readFileSync('/dep-ctrl.cdx.json', 'utf8')).metadata.component.version)";
  const listed = docker(['run', '--rm', '--network', 'none', '--read-only', '--entrypoint', 'node', IMAGE, '-e', lists]);
  const isAsItShould = [
    expect('its user', user, '65532:65532'),
    expect('--version', printed, version),
    expect('the version of its list of packages', listed, version),
  ].every(Boolean);
  if (isAsItShould) console.log(`image: built on ${base}, runs as 65532 with a read-only root, and is ${version}`);
  else process.exitCode = 1;
}

function engineAnswers() {
  try {
    docker(['info']);
    return true;
  } catch {
    return false;
  }
}

function makeBase() {
  const root = mkdtempSync(join(tmpdir(), 'dep-ctrl-base-'));
  // It becomes the image's own root, which every user must be able to read.
  chmodSync(root, 0o755);
  try {
    const libraries = execFileSync('ldd', [process.execPath], { encoding: 'utf8' }).match(/\/\S+/g) ?? [];
    for (const [from, to] of [[process.execPath, '/usr/bin/node'], ...libraries.map((library) => [library, library])]) {
      mkdirSync(dirname(join(root, to)), { recursive: true });
      copyFileSync(realpathSync(from), join(root, to));
    }
    const archive = execFileSync('tar', ['-C', root, '-c', '.'], { maxBuffer: 2 ** 30 });
    execFileSync('docker', ['import', '-', LOCAL_BASE], { input: archive, stdio: ['pipe', 'ignore', 'pipe'] });
    return LOCAL_BASE;
  } finally {
    rmSync(root, { recursive: true });
  }
}

function docker(args, env = {}) {
  return execFileSync('docker', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } }).trim();
}

function expect(what, is, wanted) {
  if (is !== wanted) console.error(`image: ${what} is ${JSON.stringify(is)}, not ${JSON.stringify(wanted)}`);
  return is === wanted;
}
