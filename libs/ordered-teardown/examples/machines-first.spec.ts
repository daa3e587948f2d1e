import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { eventually, TestKcp } from '@dep-ctrl/embedded-kcp/testing';
import { Connection, workspacePath } from '@dep-ctrl/kcp-client';

const PROGRAM = fileURLToPath(new URL('machines-first.ts', import.meta.url));
const RUN_TS = fileURLToPath(new URL('../../../tools/run-ts.mjs', import.meta.url));
const WORKSPACES = { group: 'tenancy.kcp.io', version: 'v1alpha1', resource: 'workspaces' };
const MACHINES = { group: 'compute.example.com', version: 'v1', resource: 'virtualmachines' };
// As the README shows it.
const TYPE = {
  apiVersion: 'tenancy.kcp.io/v1alpha1',
  kind: 'WorkspaceType',
  metadata: { name: 'ordered' },
  spec: {
    terminator: true,
    extend: { with: [{ name: 'universal', path: 'root' }] },
    terminatorPermissions: [
      { apiGroups: ['apis.kcp.io'], resources: ['apibindings'], verbs: ['get', 'list'] },
      { apiGroups: ['network.example.com', 'compute.example.com'], resources: ['*'], verbs: ['list', 'delete'] },
    ],
  },
};
const { signal } = new AbortController();

it('given a workspace that dies, when the program runs, then machines go first, and the network waits for a finalizer of one', async () => {
  // A second until kcp itself deletes what is in a namespace: before that, the objects are the program's to delete.
  const kcp = await TestKcp.start({
    delays: 0.2,
    workspaces: {
      'root:network': { exports: { 'network.example.com': { types: [{ kind: 'VPC' }] } } },
      'root:compute': { exports: { 'compute.example.com': { types: [{ kind: 'VirtualMachine' }] } } },
      'root:platform': { objects: [TYPE] },
    },
  });
  await kcp.add({
    workspaces: {
      'root:team': {
        type: 'root:platform:ordered',
        binds: ['root:network:network.example.com', 'root:compute:compute.example.com'],
        objects: [
          { apiVersion: 'network.example.com/v1', kind: 'VPC', metadata: { name: 'net' } },
          { apiVersion: 'compute.example.com/v1', kind: 'VirtualMachine', metadata: { name: 'a', finalizers: ['example.com/held'] } },
        ],
      },
    },
  });
  const admin = new Connection(kcp.access());
  const asked = (method: string) => kcp.server.requests.recorded({ method, path: /\/terminatingworkspaces\// });
  const deletes = () => asked('DELETE').map(({ path }) => path.split('/').slice(-2).join('/'));
  const program = await start(kcp.kubeconfig());
  try {
    await eventually('the program watches', () => {
      expect(asked('GET')).not.toEqual([]);
      return Promise.resolve();
    });
    await admin.cluster(workspacePath('root')).delete(WORKSPACES, { name: 'team' }, { signal });

    expect(await program.line('teardown waits')).toContain('default/a is held by example.com/held');
    const whileHeld = deletes();
    const team = admin.cluster(workspacePath('root:team'));
    const release = { kind: 'merge', body: { metadata: { finalizers: null } } } as const;
    await team.patch(MACHINES, { namespace: 'default', name: 'a' }, release, { signal });

    expect(await program.line('ended')).toBe('ended: empty');
    expect(whileHeld).toEqual(['virtualmachines/a']);
    expect(deletes().slice(0, 2)).toEqual(['virtualmachines/a', 'vpcs/net']);
  } finally {
    await program.end();
    await admin.close();
    await kcp.stop();
  }
}, 60_000);

interface Program {
  /** The next line that begins like this. */
  readonly line: (begin: string) => Promise<string>;
  /** Asks it to end, and waits until it has. */
  readonly end: () => Promise<void>;
}

async function start(kubeconfig: string): Promise<Program> {
  const dir = await mkdtemp(join(tmpdir(), 'example-'));
  const file = join(dir, 'admin.kubeconfig');
  await writeFile(file, kubeconfig);
  const env = { ...process.env, KUBECONFIG: file, NODE_OPTIONS: '' };
  // The program is a child of its runner, which passes no signals on: a group of its own gets them.
  const child = spawn(process.execPath, [RUN_TS, PROGRAM], { env, stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  const lines: AsyncIterator<string, undefined> = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const closed = once(child.stdout, 'close');
  return {
    line: async (begin) => {
      for (;;) {
        const { value, done } = await lines.next();
        if (done === true) throw new Error(`it ended without a line that begins with "${begin}"`);
        if (value.startsWith(begin)) return value;
      }
    },
    end: async () => {
      process.kill(-(child.pid ?? 0), 'SIGTERM');
      await closed;
      await rm(dir, { recursive: true });
    },
  };
}
