import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';

const PROGRAM = new URL('who-guards-what.ts', import.meta.url);

it('when the program runs, then it says who guards VPCs in the network workspace, once that is known', async () => {
  const runTs = fileURLToPath(new URL('../../../tools/run-ts.mjs', import.meta.url));
  const env = { ...process.env, NODE_OPTIONS: '', FORCE_COLOR: '0' };

  const { stdout } = await promisify(execFile)(process.execPath, [runTs, fileURLToPath(PROGRAM)], { env });

  expect(stdout).toBe('syncing\nknown\nvm-dependencies: VirtualMachine at .spec.vpcRef.name\n');
}, 60_000);
