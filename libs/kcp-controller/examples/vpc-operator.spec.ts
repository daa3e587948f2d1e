import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import type { ClusterClient } from '@dep-ctrl/kcp-client';
import { isRecord } from '@dep-ctrl/kcp-names';
import { applyVpc, KcpWorld, until, VPCS } from '../src/spec-support/kcp-world.js';

const LEASES = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases' };
const signal = AbortSignal.timeout(60_000);

it('given VPCs on two shards, when the program runs, then each says how many share its range; a signal ends it and frees its lease', async () => {
  await using world = await KcpWorld.start();
  const exporter = await world.exporter('root:net');
  const one = await world.consumer('root:one', 'root:net', 'root');
  const two = await world.consumer('root:two', 'root:net', 'shard-1');
  await using program = await Program.start(world.kcp.kubeconfig({ workspace: 'root:net' }));

  await applyVpc(one, 'a', '10.0.0.0/8');
  await applyVpc(two, 'b', '10.0.0.0/8');
  await until(async () => (await sharedBy(one, 'a')) === 2 && (await sharedBy(two, 'b')) === 2);
  await applyVpc(two, 'b', '192.168.0.0/16');
  await until(async () => (await sharedBy(one, 'a')) === 1 && (await sharedBy(two, 'b')) === 1);

  await program.stop();
  const lease = await exporter.get(LEASES, { namespace: 'default', name: 'vpc-operator' }, { signal });
  expect(lease['spec']).toMatchObject({ holderIdentity: '' });
}, 60_000);

class Program {
  readonly #folder: string;
  readonly #child;
  readonly #closed: Promise<unknown>;

  constructor(folder: string, kubeconfig: string) {
    this.#folder = folder;
    const [runTs, program] = ['../../../tools/run-ts.mjs', 'vpc-operator.ts'].map((path) => fileURLToPath(new URL(path, import.meta.url)));
    const env = { ...process.env, KUBECONFIG: kubeconfig, NODE_OPTIONS: '' };
    // A group of its own: run-ts.mjs waits for the program, and signals are for both. The pipe closes when both have ended.
    this.#child = spawn(process.execPath, [runTs!, program!], { env, stdio: ['ignore', 'pipe', 'inherit'], detached: true });
    this.#child.stdout.resume();
    this.#closed = once(this.#child, 'close');
  }

  static async start(kubeconfig: string): Promise<Program> {
    const folder = await mkdtemp(join(tmpdir(), 'example-'));
    const file = join(folder, 'admin.kubeconfig');
    await writeFile(file, kubeconfig);
    return new Program(folder, file);
  }

  async stop(): Promise<void> {
    this.#signal('SIGTERM');
    await this.#closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#signal('SIGKILL');
    await rm(this.#folder, { recursive: true });
  }

  #signal(signal: 'SIGTERM' | 'SIGKILL'): void {
    try {
      process.kill(-this.#child.pid!, signal);
    } catch {
      // it has ended
    }
  }
}

async function sharedBy(client: ClusterClient, name: string): Promise<unknown> {
  const { status } = await client.get(VPCS, { name }, { signal });
  return isRecord(status) ? status['sharedBy'] : undefined;
}
