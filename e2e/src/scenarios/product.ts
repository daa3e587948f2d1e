// dep-ctrl as its users run it: the bundled program, both roles as processes of their own, with the kubeconfigs that `bootstrap` wrote.
import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { freePorts } from '../backends/free-ports.js';
import { GuardedProcess } from '../backends/guarded-process.js';
import { Authority } from '../backends/pki.js';
import { writePair, writePrivate } from '../backends/work-dir.js';
import type { Stage } from '../stage/stage.js';

const START_TIMEOUT_MS = 60_000;

/** What a command printed and how it ended. */
export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** One role, as a process that can be killed and started again. */
export class Role {
  readonly #program: string;
  readonly #args: readonly string[];
  readonly #dir: string;
  readonly #healthPort: number;
  readonly name: string;
  #process: GuardedProcess | undefined;

  constructor(start: { name: string; program: string; args: readonly string[]; dir: string; healthPort: number }) {
    this.name = start.name;
    this.#program = start.program;
    this.#args = start.args;
    this.#dir = start.dir;
    this.#healthPort = start.healthPort;
  }

  /** Starts it and waits until it says that it is ready. */
  async start(): Promise<void> {
    this.launch();
    await this.ready();
  }

  /** Starts it. */
  launch(): void {
    this.#process = new GuardedProcess({
      command: process.execPath,
      args: [this.#program, ...this.#args],
      cwd: this.#dir,
      logFile: join(this.#dir, `${this.name}.log`),
    });
  }

  /** Waits for `/readyz`. */
  async ready(): Promise<void> {
    const deadline = Date.now() + START_TIMEOUT_MS;
    for (;;) {
      const said = await this.readyz();
      if (said === 'ok') return;
      if (this.#process?.running !== true) throw new Error(`${this.name} ended: see ${this.#dir}/${this.name}.log`);
      if (Date.now() > deadline) throw new Error(`${this.name} was not ready after ${START_TIMEOUT_MS} ms: ${said}`);
      await sleep(50);
    }
  }

  /** What `/readyz?verbose` says; `ok` when it is ready. */
  async readyz(): Promise<string> {
    try {
      const answer = await request(`http://127.0.0.1:${this.#healthPort}/readyz?verbose`, { headersTimeout: 2_000 });
      const text = await answer.body.text();
      return answer.statusCode === 200 ? 'ok' : text;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  /** kill -9. */
  async kill(): Promise<void> {
    await this.#process?.stop();
    this.#process = undefined;
  }
}

/** An installation: a workspace of its own with the export, and both roles. */
export class Product {
  readonly #program: string;
  readonly #admin: string;
  readonly #bootstrapArgs: readonly string[];
  readonly path: string;
  readonly dir: string;
  readonly controller: Role;
  readonly webhook: Role;
  /** Signs the webhook's serving certificate. */
  readonly authority: Authority;
  /** Where the webhook reads its serving pair. */
  readonly tlsDir: string;

  private constructor(made: {
    program: string;
    admin: string;
    bootstrapArgs: readonly string[];
    path: string;
    dir: string;
    controller: Role;
    webhook: Role;
    authority: Authority;
    tlsDir: string;
  }) {
    this.#program = made.program;
    this.#admin = made.admin;
    this.#bootstrapArgs = made.bootstrapArgs;
    this.path = made.path;
    this.dir = made.dir;
    this.controller = made.controller;
    this.webhook = made.webhook;
    this.authority = made.authority;
    this.tlsDir = made.tlsDir;
  }

  /** Bootstraps dep-ctrl into a workspace of its own and starts both roles. */
  static async install(kcp: Stage): Promise<Product> {
    const program = process.env['DEP_CTRL_PROGRAM'];
    if (program === undefined) throw new Error('DEP_CTRL_PROGRAM does not name the bundled program');
    const path = `root:${kcp.unique('dep-ctrl')}`;
    const dir = join(kcp.backend.workDir, path.replace(':', '-'));
    const tlsDir = join(dir, 'tls');
    mkdirSync(tlsDir, { recursive: true });
    const admin = kcp.backend.adminKubeconfig;
    const shards = kcp.backend.shards.flatMap(({ adminKubeconfig }) => ['--shard-kubeconfig', adminKubeconfig]);
    const bootstrapArgs = ['bootstrap', '--kubeconfig', admin, '--workspace', path, ...shards];
    await succeed(run(program, [...bootstrapArgs, '--kubeconfig-dir', dir]));
    const authority = await Authority.create('dep-ctrl-e2e-webhook');
    writePair(tlsDir, 'tls', await authority.server());
    const ports = await freePorts('webhook', 'webhookHealth', 'controllerHealth');
    const common = (name: string, healthPort: number): readonly string[] => [
      ...['--kubeconfig', join(dir, `${name}.kubeconfig`), '--log-format', 'json', '--log-level', 'debug'],
      ...['--health-probe-bind-address', `127.0.0.1:${healthPort}`, '--metrics-bind-address', '127.0.0.1:0'],
      ...['--url-token-file', writePrivate(dir, 'url-token', 'e2e-url-token-of-this-run\n')],
    ];
    const role = (name: string, healthPort: number, more: readonly string[]): Role =>
      new Role({ name, program, args: [name, ...common(name, healthPort), ...more], dir, healthPort });
    const webhook = role('webhook', ports.webhookHealth, ['--webhook-port', String(ports.webhook), '--tls-cert-dir', tlsDir]);
    const controller = role('controller', ports.controllerHealth, [
      ...['--webhook-url', `https://127.0.0.1:${ports.webhook}`],
      ...['--webhook-ca-bundle-path', writePrivate(dir, 'ca.crt', authority.pair.cert)],
    ]);
    const product = new Product({ program, admin, bootstrapArgs, path, dir, controller, webhook, authority, tlsDir });
    await Promise.all([webhook.start(), controller.start()]);
    return product;
  }

  /** Runs `bootstrap` again, as an upgrade does; the kubeconfigs stay. */
  bootstrap(): Promise<CommandResult> {
    return run(this.#program, this.#bootstrapArgs);
  }

  /** Runs a command with the kubeconfig of kcp-admin. */
  command(...args: readonly string[]): Promise<CommandResult> {
    const [name = '', ...rest] = args;
    return run(this.#program, [name, '--kubeconfig', this.#admin, ...rest]);
  }

  /** Ends both roles. */
  async stop(): Promise<void> {
    await Promise.all([this.controller.kill(), this.webhook.kill()]);
  }
}

function run(program: string, args: readonly string[]): Promise<CommandResult> {
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...args], { timeout: 120_000 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : 1, stdout, stderr });
    });
  });
}

async function succeed(running: Promise<CommandResult>): Promise<CommandResult> {
  const result = await running;
  if (result.code !== 0) throw new Error(`dep-ctrl ended with ${result.code}: ${result.stderr || result.stdout}`);
  return result;
}
