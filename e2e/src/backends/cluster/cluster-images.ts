// The images that a node gets, as files: dep-ctrl's own, built as deploy/image says, and one that does nothing.
import { execFile, execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Missing } from '../backend.js';
import { containerEngine } from '../container-engine.js';
import { PAUSE_IMAGE } from './node-files.js';

/** dep-ctrl's image on a node. */
export const IMAGE = { repository: 'docker.io/library/dep-ctrl-e2e-chart', tag: 'local' };

const NAME = `${IMAGE.repository}:${IMAGE.tag}`;
const PAUSE = `FROM ${NAME}\nENTRYPOINT ["node", "-e", "setInterval(() => {}, 2 ** 30)"]\n`;

/** Builds and saves them into a folder, with the container engine of this machine. */
export async function saveImages(dir: string, check: string): Promise<readonly string[] | Missing> {
  const engine = await containerEngine();
  if ('missing' in engine) return engine;
  try {
    await promisify(execFile)(process.execPath, [check], { env: { ...process.env, IMAGE: NAME } });
    execFileSync('docker', ['build', '-q', '-t', PAUSE_IMAGE, '-'], {
      ...{ input: PAUSE, stdio: ['pipe', 'ignore', 'pipe'] },
      env: { ...process.env, DOCKER_BUILDKIT: '0' },
    });
    const file = join(dir, 'images.tar');
    execFileSync('docker', ['save', '-o', file, NAME, PAUSE_IMAGE]);
    return [file];
  } finally {
    await engine.stop();
  }
}
