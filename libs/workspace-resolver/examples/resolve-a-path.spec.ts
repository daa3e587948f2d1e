import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { startKcp } from '../src/spec-support/kcp-world.js';

const PROGRAM = new URL('resolve-a-path.ts', import.meta.url);

it('given a kcp, when the program runs, then it says what a path means, and what is missing', async () => {
  const world = await startKcp();
  const cluster = await world.makeWorkspace('root:network');

  const printed = await output(world.kcp.kubeconfig());

  await world.stop();
  expect(printed).toBe(`root:network is logical cluster ${cluster}\nworkspace "root:nework" does not exist\n`);
}, 60_000);

/** What the program prints, as a program of its own. */
async function output(kubeconfig: string): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'example-'));
  const file = join(dir, 'admin.kubeconfig');
  await writeFile(file, kubeconfig);
  try {
    const runTs = fileURLToPath(new URL('../../../tools/run-ts.mjs', import.meta.url));
    const env = { ...process.env, KUBECONFIG: file, NODE_OPTIONS: '', FORCE_COLOR: '0' };
    return (await promisify(execFile)(process.execPath, [runTs, fileURLToPath(PROGRAM)], { env })).stdout;
  } finally {
    await rm(dir, { recursive: true });
  }
}
