// A process of ours that is measured from outside: the bundle, started as an operator would start it.

import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Agent, request } from 'undici';
import { mintAuthority, mintServingPair } from '@dep-ctrl/admission-server';
import { freePort } from '@dep-ctrl/admission-server/testing';

/** What a review came to, and how long it took. */
export interface Answered {
  readonly allowed: boolean;
  readonly code: number | undefined;
  readonly ms: number;
}

interface RoleProcessParts {
  readonly folder: string;
  readonly child: ChildProcess;
  readonly readyMs: number;
  readonly metricsUrl: string;
}

/** A role of dep-ctrl in a process of its own. */
export class RoleProcess {
  readonly readyMs: number;
  /** For what it is given. */
  protected readonly folder: string;
  readonly #child: ChildProcess;
  readonly #metricsUrl: string;

  protected constructor({ folder, child, readyMs, metricsUrl }: RoleProcessParts) {
    this.folder = folder;
    this.#child = child;
    this.readyMs = readyMs;
    this.#metricsUrl = metricsUrl;
  }

  /** Starts both roles and waits until they are ready. */
  static async startAll(program: readonly string[], kubeconfig: string): Promise<RoleProcess> {
    const folder = mkdtempSync(join(tmpdir(), 'review-bench-'));
    const port = await freePort();
    return new RoleProcess({ folder, ...(await launch([...program, 'all', '--webhook-port', String(port)], folder, kubeconfig)) });
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

  /** What it holds now, in megabytes of 10^6 bytes. */
  get residentMB(): number {
    return (this.#statusKb('VmRSS') * 1024) / 1e6;
  }

  /** How late its event loop was at worst since this was last asked, in milliseconds. */
  async worstLagMs(): Promise<number> {
    return (await this.counted('dep_ctrl_event_loop_lag_seconds', 'quantile="1"')) * 1_000;
  }

  /** The sum of a metric over all its series whose labels contain a text. */
  async counted(metric: string, labels = ''): Promise<number> {
    const text = await (await request(this.#metricsUrl)).body.text();
    const series = [...text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)].filter(
      ([, name, has = '']) => name === metric && has.includes(labels),
    );
    return series.reduce((sum, [, , , value]) => sum + Number(value), 0);
  }

  /** From now on, {@link peakMiB} counts from what it holds now. */
  forgetPeak(): void {
    writeFileSync(`/proc/${this.#pid}/clear_refs`, '5');
  }

  /** Ends it, and takes back what it put into workspaces. */
  async uninstall(program: readonly string[], workspace: string, ...flags: readonly string[]): Promise<void> {
    this.#child.kill('SIGTERM');
    await once(this.#child, 'exit');
    const args = [...program, 'uninstall', '--yes', '--workspace', workspace, '--kubeconfig', join(this.folder, 'kubeconfig'), ...flags];
    await promisify(execFile)(process.execPath, args);
    rmSync(this.folder, { recursive: true });
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGTERM');
    if (this.#child.exitCode === null) await once(this.#child, 'exit');
    rmSync(this.folder, { recursive: true });
  }

  get #pid(): number {
    return this.#child.pid ?? 0;
  }

  #statusKb(field: string): number {
    const status = readFileSync(`/proc/${this.#pid}/status`, 'utf8');
    return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? Number.NaN);
  }
}

/** `dep-ctrl webhook` in a process of its own. */
export class WebhookProcess extends RoleProcess {
  /** Where it listens, and the authority that it is verified with. */
  readonly url: string;
  readonly ca: string;
  readonly #agent: Agent;

  private constructor({
    agent,
    url,
    ca,
    ...parts
  }: RoleProcessParts & { readonly agent: Agent; readonly url: string; readonly ca: string }) {
    super(parts);
    this.#agent = agent;
    this.url = url;
    this.ca = ca;
  }

  /** Starts it and waits until it is ready. */
  static async start(program: readonly string[], kubeconfig: string, connections: number): Promise<WebhookProcess> {
    const folder = mkdtempSync(join(tmpdir(), 'review-bench-'));
    const authority = await mintAuthority(Date.now());
    const pair = await mintServingPair(authority, ['127.0.0.1'], Date.now());
    writeFileSync(join(folder, 'tls.crt'), pair.certificate);
    writeFileSync(join(folder, 'tls.key'), pair.key);
    const port = await freePort();
    const args = [...program, 'webhook', '--webhook-port', String(port), '--tls-cert-dir', folder];
    const launched = await launch(args, folder, kubeconfig);
    const agent = new Agent({ connect: { ca: authority.certificate }, connections });
    return new WebhookProcess({ folder, ...launched, agent, url: `https://127.0.0.1:${port}`, ca: authority.certificate });
  }

  /** Posts a review. */
  async review(path: string, body: Buffer): Promise<Answered> {
    const begunMs = performance.now();
    const answer = await request(`${this.url}${path}`, {
      dispatcher: this.#agent,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    const { response } = (await answer.body.json()) as { response: { allowed: boolean; status?: { code: number } } };
    return { allowed: response.allowed, code: response.status?.code, ms: performance.now() - begunMs };
  }

  override async stop(): Promise<void> {
    await super.stop();
    await this.#agent.destroy();
  }
}

async function launch(args: readonly string[], folder: string, kubeconfig: string): Promise<Omit<RoleProcessParts, 'folder'>> {
  writeFileSync(join(folder, 'kubeconfig'), kubeconfig);
  const [health, metrics] = [await freePort(), await freePort()];
  const begunMs = performance.now();
  const child = spawn(
    process.execPath,
    [
      ...args,
      ...['--kubeconfig', join(folder, 'kubeconfig')],
      ...['--health-probe-bind-address', `127.0.0.1:${health}`, '--metrics-bind-address', `127.0.0.1:${metrics}`],
      ...['--log-level', 'warn'],
    ],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  );
  await untilReady(`http://127.0.0.1:${health}/readyz`, child);
  return { child, readyMs: performance.now() - begunMs, metricsUrl: `http://127.0.0.1:${metrics}/metrics` };
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`it exited with ${String(child.exitCode)}`);
    const isReady = await request(url).then(
      async ({ statusCode, body }) => (await body.dump(), statusCode === 200),
      () => false,
    );
    if (isReady) return;
    await wait(10);
  }
}
