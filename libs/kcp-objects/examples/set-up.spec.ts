import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { onEmbeddedKcp } from '../src/spec-support/embedded-world.js';

// The program asserts by itself.
it('given a kcp, then the program makes a workspace and what is in it, twice, and removes it', async () => {
  await onEmbeddedKcp(async ({ kcp }) => {
    const dir = await mkdtemp(join(tmpdir(), 'example-'));
    const KUBECONFIG = join(dir, 'admin.kubeconfig');
    await writeFile(KUBECONFIG, kcp.kubeconfig());
    const [runTs, program] = ['../../../tools/run-ts.mjs', 'set-up.ts'].map((path) => fileURLToPath(new URL(path, import.meta.url)));
    const env = { ...process.env, KUBECONFIG, NODE_OPTIONS: '' };

    const { stderr } = await promisify(execFile)(process.execPath, [String(runTs), String(program)], { env });

    await rm(dir, { recursive: true });
    expect(stderr).toBe('');
  });
}, 60_000);
