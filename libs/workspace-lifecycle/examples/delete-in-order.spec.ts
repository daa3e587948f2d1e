import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { clusterName } from '../src/spec-support/seen.js';
import { KcpWorld, UNIVERSAL } from '../src/spec-support/kcp-world.js';

const PROGRAM = fileURLToPath(new URL('delete-in-order.ts', import.meta.url));
// As the README shows it.
const TYPE = {
  terminator: true,
  extend: { with: [UNIVERSAL] },
  terminatorPermissions: [{ apiGroups: [''], resources: ['configmaps', 'secrets'], verbs: ['list', 'delete'] }],
};
const { signal } = new AbortController();

it('given a workspace that dies, when the program runs, then it deletes what is there in order, waits for a finalizer, and lets it go', async () => {
  const world = await KcpWorld.start();
  const admin = world.admin.cluster(clusterName(await world.platform(TYPE)));
  const labels = { 'example.com/ours': 'true' };
  for (const [resource, finalizers] of [
    ['configmaps', ['example.com/held']],
    ['secrets', ['example.com/held']],
  ] as const) {
    const metadata = { name: 'a', namespace: 'default', labels, finalizers: [...finalizers] };
    await admin.create({ group: '', version: 'v1', resource }, { metadata }, { signal });
  }
  await world.remove('team');
  const program = await start(world.kcp.kubeconfig());
  try {
    const told = program.line();
    const release = { kind: 'merge', body: { metadata: { finalizers: null } } } as const;

    for (const resource of ['configmaps', 'secrets']) {
      await admin.patch({ group: '', version: 'v1', resource }, { namespace: 'default', name: 'a' }, release, { signal });
    }

    expect(await told).toBe(`in order: root:${world.named('team')}`);
    await world.gone('team');
  } finally {
    await program.end();
    await world.stop();
  }
}, 60_000);

interface Program {
  readonly line: () => Promise<string>;
  /** Asks it to end, and waits until it has. */
  readonly end: () => Promise<void>;
}

async function start(kubeconfig: string): Promise<Program> {
  const dir = await mkdtemp(join(tmpdir(), 'example-'));
  const file = join(dir, 'admin.kubeconfig');
  await writeFile(file, kubeconfig);
  const runTs = fileURLToPath(new URL('../../../tools/run-ts.mjs', import.meta.url));
  const env = { ...process.env, KUBECONFIG: file, NODE_OPTIONS: '' };
  // The program is a child of its runner, which passes no signals on: a group of its own gets them.
  const child = spawn(process.execPath, [runTs, PROGRAM], { env, stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  const lines = createInterface({ input: child.stdout });
  const closed = once(child.stdout, 'close');
  return {
    line: async () => String(((await once(lines, 'line')) as readonly unknown[])[0]),
    end: async () => {
      process.kill(-(child.pid ?? 0), 'SIGTERM');
      await closed;
      await rm(dir, { recursive: true });
    },
  };
}
