// A process of ours that is measured from outside: the bundle, started as an operator would start it.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Agent, request } from 'undici';
// eslint-disable-next-line @nx/enforce-module-boundaries -- the app exports nothing; this mints what `all` mints
import { mintAuthority, mintServingPair } from '../../../apps/dep-ctrl/src/own-certificate/mint.js';

/** What a review came to, and how long it took. */
export interface Answered {
  readonly allowed: boolean;
  readonly code: number | undefined;
  readonly ms: number;
}

/** `dep-ctrl webhook` in a process of its own. */
export class WebhookProcess {
  readonly readyMs: number;
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly #agent: Agent;
  readonly #url: string;

  private constructor(parts: { child: ChildProcess; folder: string; agent: Agent; url: string; readyMs: number }) {
    this.readyMs = parts.readyMs;
    this.#child = parts.child;
    this.#folder = parts.folder;
    this.#agent = parts.agent;
    this.#url = parts.url;
  }

  /** Starts it and waits until it is ready. */
  static async start(program: readonly string[], kubeconfig: string, connections: number): Promise<WebhookProcess> {
    const folder = mkdtempSync(join(tmpdir(), 'review-bench-'));
    const authority = await mintAuthority(Date.now());
    const pair = await mintServingPair(authority, ['127.0.0.1'], Date.now());
    writeFileSync(join(folder, 'tls.crt'), pair.certificate);
    writeFileSync(join(folder, 'tls.key'), pair.key);
    writeFileSync(join(folder, 'kubeconfig'), kubeconfig);
    const [port = 0, health = 0, metrics = 0] = await freePorts(3);
    const begunMs = performance.now();
    const child = spawn(
      process.execPath,
      [
        ...program,
        'webhook',
        ...['--kubeconfig', join(folder, 'kubeconfig')],
        ...['--webhook-port', String(port), '--tls-cert-dir', folder],
        ...['--health-probe-bind-address', `127.0.0.1:${health}`, '--metrics-bind-address', `127.0.0.1:${metrics}`],
        ...['--log-level', 'warn'],
      ],
      { stdio: ['ignore', 'inherit', 'inherit'] },
    );
    await untilReady(`http://127.0.0.1:${health}/readyz`, child);
    const agent = new Agent({ connect: { ca: authority.certificate }, connections });
    return new WebhookProcess({ child, folder, agent, url: `https://127.0.0.1:${port}`, readyMs: performance.now() - begunMs });
  }

  /** Posts a review. */
  async review(path: string, body: Buffer): Promise<Answered> {
    const begunMs = performance.now();
    const answer = await request(`${this.#url}${path}`, {
      dispatcher: this.#agent,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    const { response } = (await answer.body.json()) as { response: { allowed: boolean; status?: { code: number } } };
    return { allowed: response.allowed, code: response.status?.code, ms: performance.now() - begunMs };
  }

  /** CPU time of all its threads so far, in milliseconds, as the kernel's scheduler counts it. */
  get cpuMs(): number {
    const tasks = `/proc/${this.#pid}/task`;
    const spent = readdirSync(tasks).map((task) => Number(readFileSync(`${tasks}/${task}/schedstat`, 'utf8').split(' ')[0]));
    return spent.reduce((sum, each) => sum + each, 0) / 1e6;
  }

  /** The most memory it ever held, in MiB. */
  get peakMiB(): number {
    return this.#statusKb('VmHWM') / 1024;
  }

  /** What it holds now, in MiB. */
  get residentMiB(): number {
    return this.#statusKb('VmRSS') / 1024;
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGTERM');
    if (this.#child.exitCode === null) await once(this.#child, 'exit');
    await this.#agent.destroy();
    rmSync(this.#folder, { recursive: true });
  }

  get #pid(): number {
    return this.#child.pid ?? 0;
  }

  #statusKb(field: string): number {
    const status = readFileSync(`/proc/${this.#pid}/status`, 'utf8');
    return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? Number.NaN);
  }
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the webhook exited with ${String(child.exitCode)}`);
    const isReady = await request(url).then(
      async ({ statusCode, body }) => (await body.dump(), statusCode === 200),
      () => false,
    );
    if (isReady) return;
    await wait(10);
  }
}

async function freePorts(count: number): Promise<readonly number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}
