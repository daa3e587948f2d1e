import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';

it('when the program runs, then it shows where a kcp is and ends by itself', async () => {
  const [runTs, program] = ['../../../tools/run-ts.mjs', 'start-one.ts'].map((path) => fileURLToPath(new URL(path, import.meta.url)));

  const { stdout } = await promisify(execFile)(process.execPath, [String(runTs), String(program)], {
    env: { ...process.env, NODE_OPTIONS: '', FORCE_COLOR: '0' },
  });

  expect(stdout).toMatch(/^https:\/\/127\.0\.0\.1:\d+\n/u);
  expect(stdout).toContain('/clusters/root:team');
}, 60_000);
