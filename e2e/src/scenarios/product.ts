// dep-ctrl as its users run it: the bundled program, both roles as processes of their own, with the kubeconfigs that `bootstrap` wrote.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { freePorts } from '../backends/free-ports.js';
import { GuardedProcess } from '../backends/guarded-process.js';
import { Authority } from '../backends/pki.js';
import { writePair, writePrivate } from '../backends/work-dir.js';
import type { Balancer } from '../faults/balancer.js';
import { FaultProxy } from '../faults/fault-proxy.js';
import type { Stage, Workspace } from '../stage/stage.js';
import { giveCertificates, userFlags, usersFor, type RoleUsers } from './role-users.js';
import { Role, type RoleStart } from './role.js';
import { beginProgram, runProgram, succeed, type BegunCommand, type CommandResult } from './run-program.js';

/** How an installation differs from the usual one. */
export interface InstallWish {
  /** Both roles reach kcp, its virtual workspaces too, only through a proxy that breaks what it is told to: `faults`. */
  readonly breakable?: boolean;
  /** Stands between kcp and the webhooks; the caller sets where it leads. */
  readonly balancer?: Balancer;
  readonly webhookFlags?: readonly string[];
  readonly controllerFlags?: readonly string[];
  /** The webhook may read everything; otherwise what `bind` grants it. */
  readonly readAccess?: 'wildcard';
  /** The caller runs both roles, with the kubeconfigs in the folder of the installation. */
  readonly areRolesElsewhere?: boolean;
  /** The build that is installed. */
  readonly program: string;
  /** The workspace of an installation of the original, which is taken over. */
  readonly takesOver?: Pick<Workspace, 'path'>;
}

/** A webhook, and where kcp would call it. */
export interface WebhookReplica {
  readonly role: Role;
  readonly port: number;
}

const URL_TOKEN_FILE = 'url-token';
const ROLES = ['controller', 'webhook'] as const;
const THROUGH_PROXY = 'command.kubeconfig';
/** The URL token that the product starts with. */
export const FIRST_URL_TOKEN = 'e2e-url-token-of-this-run';

interface Made {
  /** The build that commands and roles run; roles that are running keep theirs. */
  program: string;
  readonly kcp: Stage;
  readonly path: string;
  readonly dir: string;
  readonly authority: Authority;
  readonly users: RoleUsers | undefined;
  readonly wish: InstallWish;
  faults: FaultProxy | undefined;
}

/** An installation: a workspace of its own with the export, and both roles. */
export class Product {
  readonly #made: Made;
  readonly #started: Role[] = [];
  readonly path: string;
  readonly dir: string;
  readonly controller: Role;
  readonly webhook: Role;
  /** Where kcp calls the first webhook. */
  readonly webhookPort: number;
  /** Signs the webhook's serving certificate. */
  readonly authority: Authority;

  private constructor(made: Made, webhook: WebhookReplica, controller: Role) {
    this.#made = made;
    this.path = made.path;
    this.dir = made.dir;
    this.authority = made.authority;
    this.webhook = webhook.role;
    this.webhookPort = webhook.port;
    this.controller = controller;
    this.#started.push(webhook.role, controller);
  }

  /** Bootstraps dep-ctrl into a workspace of its own and starts both roles. */
  static async install(kcp: Stage, wish: InstallWish): Promise<Product> {
    const { program } = wish;
    const path = wish.takesOver?.path ?? `root:${kcp.unique('dep-ctrl')}`;
    const workspace = path.slice('root:'.length);
    const dir = join(kcp.backend.workDir, path.replace(':', '-'));
    mkdirSync(join(dir, 'tls'), { recursive: true });
    const authority = await Authority.create('dep-ctrl-e2e-webhook');
    const users = usersFor(kcp, workspace);
    const made: Made = { program, kcp, path, dir, authority, users, wish, faults: undefined };
    await bootstrapWithKubeconfigs(made);
    writePair(join(dir, 'tls'), 'tls', await authority.server());
    writePrivate(dir, 'ca.crt', authority.pair.cert);
    const webhook = await makeWebhook(made, 'webhook');
    const url = wish.balancer?.url ?? `https://127.0.0.1:${webhook.port}`;
    const product = new Product(made, webhook, await makeController(made, 'controller', url));
    wish.balancer?.use(webhook.port);
    if (wish.areRolesElsewhere === true) return product;
    try {
      const serving = webhook.role.start();
      if (wish.takesOver !== undefined) await serving; // docs/upgrade.md: the controller gives it deletes at once
      await Promise.all([serving, product.controller.start()]);
    } catch (error) {
      await product.stop();
      throw error;
    }
    return product;
  }

  /** Has commands, and roles that start from now on, run another build. */
  use(program: string): void {
    this.#made.program = program;
  }

  /** What breaks requests of the roles; only of an installation that is breakable. */
  get faults(): FaultProxy {
    const { faults } = this.#made;
    if (faults === undefined) throw new Error('this installation reaches kcp directly: install it breakable');
    return faults;
  }

  /** Where the webhook reads its serving pair. */
  get tlsDir(): string {
    return join(this.dir, 'tls');
  }

  /** Where the controller reads the CA that it installs. */
  get caFile(): string {
    return join(this.dir, 'ca.crt');
  }

  /** Changes the secret in the file that both roles derive URL tokens from, as an operator does. Each role reads it every ten seconds. */
  rotateUrlToken(): Promise<CommandResult> {
    return this.command('rotate-token', '--workspace', this.path, '--url-token-file', join(this.dir, URL_TOKEN_FILE), '--settle', '11s');
  }

  /** Another webhook with the same certificate, not started yet. */
  async replica(): Promise<WebhookReplica> {
    const replica = await makeWebhook(this.#made, `webhook-${this.#started.length}`);
    this.#started.push(replica.role);
    return replica;
  }

  /** Another controller, not started yet; both need `--leader-elect=true`. */
  async standby(): Promise<Role> {
    const url = this.#made.wish.balancer?.url ?? `https://127.0.0.1:${this.webhookPort}`;
    const standby = await makeController(this.#made, `controller-${this.#started.length}`, url);
    this.#started.push(standby);
    return standby;
  }

  /** Runs `bootstrap` again, as an upgrade does; the kubeconfigs stay. */
  bootstrap(...flags: readonly string[]): Promise<CommandResult> {
    return runProgram(this.#made.program, [...bootstrapArgs(this.#made), ...flags]);
  }

  /** What `bootstrap` would change. */
  diff(): Promise<CommandResult> {
    return runProgram(this.#made.program, [...bootstrapArgs(this.#made), '--diff', '-o', 'json']);
  }

  /** Bootstraps anew where its workspace was deleted. Both roles read the kubeconfigs and the URL token of the new one, at their start or when they change. */
  async bootstrapAnew(urlToken = 'another-e2e-url-token-of-this-run'): Promise<void> {
    await bootstrapWithKubeconfigs(this.#made);
    writePrivate(this.dir, URL_TOKEN_FILE, `${urlToken}\n`);
  }

  /** Binds workspaces, and lets the webhook read what they export on every shard. */
  bind(...paths: readonly string[]): Promise<CommandResult> {
    return this.command('bind', ...paths, '--workspace', this.path, ...shardFlags(this.#made));
  }

  /** Runs a command with the kubeconfig of kcp-admin. */
  command(...args: readonly string[]): Promise<CommandResult> {
    return this.begin(...args).ended;
  }

  /** Begins one. */
  begin(...args: readonly string[]): BegunCommand {
    return this.#begin(this.#made.kcp.backend.adminKubeconfig, args);
  }

  /** Runs a command whose requests can be broken; only of an installation that is breakable. */
  commandThroughProxy(...args: readonly string[]): Promise<CommandResult> {
    return this.#begin(join(this.dir, THROUGH_PROXY), args).ended;
  }

  #begin(kubeconfig: string, [name = '', ...rest]: readonly string[]): BegunCommand {
    return beginProgram(this.#made.program, [name, '--kubeconfig', kubeconfig, ...rest]);
  }

  /** Ends every role. */
  async stop(): Promise<void> {
    await Promise.all(this.#started.map((role) => role.kill()));
    await this.#made.faults?.close();
  }
}

/** A build that the run made; it tells of it by this variable. */
export function builtProgram(variable: 'DEP_CTRL_PROGRAM' | 'DEP_CTRL_OLDER_PROGRAM'): string {
  const program = process.env[variable];
  if (program === undefined) throw new Error(`${variable} is not set: run e2e/run.mjs`);
  return program;
}

function bootstrapArgs(made: Made): readonly string[] {
  const { kcp, path, users, wish } = made;
  const reading = wish.readAccess === undefined ? [] : ['--read-access', wish.readAccess];
  const adopting = wish.takesOver === undefined ? [] : ['--adopt'];
  return [
    ...['bootstrap', '--kubeconfig', kcp.backend.adminKubeconfig, '--workspace', path],
    ...[...shardFlags(made), ...userFlags(users), ...reading, ...adopting],
  ];
}

function shardFlags({ kcp }: Pick<Made, 'kcp'>): readonly string[] {
  return kcp.backend.shards.flatMap(({ adminKubeconfig }) => ['--shard-kubeconfig', adminKubeconfig]);
}

async function makeWebhook(made: Made, name: string): Promise<WebhookReplica> {
  const { port } = await freePorts('port');
  const flags = ['--webhook-port', String(port), '--tls-cert-dir', join(made.dir, 'tls'), ...(made.wish.webhookFlags ?? [])];
  return { role: await makeRole(made, name, 'webhook', flags), port };
}

async function makeController(made: Made, name: string, webhookUrl: string): Promise<Role> {
  // One that is killed and started again leads at once, unless the scenario is about that.
  const flags = ['--webhook-url', webhookUrl, '--webhook-ca-bundle-path', join(made.dir, 'ca.crt'), '--leader-elect=false'];
  return makeRole(made, name, 'controller', [...flags, ...(made.wish.controllerFlags ?? [])]);
}

async function makeRole(made: Made, name: string, command: 'controller' | 'webhook', flags: readonly string[]): Promise<Role> {
  const { dir, kcp } = made;
  const ports = await freePorts('health', 'metrics');
  const args = [
    ...[command, '--kubeconfig', join(dir, `${command}.kubeconfig`), '--log-format', 'json', '--log-level', 'debug'],
    ...['--health-probe-bind-address', `127.0.0.1:${ports.health}`, '--metrics-bind-address', `127.0.0.1:${ports.metrics}`],
    ...['--url-token-file', writePrivate(dir, URL_TOKEN_FILE, `${FIRST_URL_TOKEN}\n`)],
  ];
  const asProcess: RoleStart['run'] = (start) =>
    new GuardedProcess({ ...start, command: process.execPath, args: [made.program, ...start.args] });
  return new Role({ name, args: [...args, ...flags], dir, ports, run: kcp.backend.runRole ?? asProcess });
}

/** Bootstraps, and writes kubeconfigs for both roles that lead through the proxy where one is wanted. */
async function bootstrapWithKubeconfigs(made: Made): Promise<void> {
  const { program, kcp, dir, users, wish } = made;
  await succeed(program, [...bootstrapArgs(made), '--kubeconfig-dir', dir]);
  const certificates = users === undefined ? [] : await giveCertificates(kcp, dir, users);
  if (wish.breakable !== true) return;
  const { shards, ca } = kcp.backend;
  const servers = [kcp.front.url, ...shards.map(({ url }) => url)];
  const faults = (made.faults ??= await FaultProxy.start({ servers, ca, logFile: join(dir, 'faults.log') }));
  for (const certificate of certificates) await faults.present(certificate);
  for (const role of ROLES) leadThrough(faults, { role, dir, front: kcp.front.url });
  await leadCommandsThrough(faults, made);
}

interface AdminKubeconfig {
  readonly clusters: readonly { readonly name: string; readonly cluster: { readonly server: string } }[];
  readonly users: readonly { readonly user: { readonly 'client-certificate-data': string; readonly 'client-key-data': string } }[];
}

/** Makes a kubeconfig of kcp-admin that leads through the proxy. */
async function leadCommandsThrough(faults: FaultProxy, { kcp, dir }: Made): Promise<void> {
  const { clusters, users, ...rest } = parse(readFileSync(kcp.backend.adminKubeconfig, 'utf8')) as AdminKubeconfig;
  const plain = (text: string): string => Buffer.from(text, 'base64').toString('utf8');
  for (const { user } of users) await faults.present({ cert: plain(user['client-certificate-data']), key: plain(user['client-key-data']) });
  const through = clusters.map(({ name, cluster: { server } }) => ({
    name,
    cluster: {
      server: server.replace(kcp.front.url, faults.addressOf(kcp.front.url, 'command')),
      'certificate-authority-data': Buffer.from(faults.ca).toString('base64'),
    },
  }));
  writePrivate(dir, THROUGH_PROXY, JSON.stringify({ ...rest, clusters: through, users }));
}

/** Makes a role's kubeconfig lead through the proxy, and trust nothing else: an address of kcp's own that reaches the role would be of no use to it. */
function leadThrough(
  faults: FaultProxy,
  { role, dir, front }: { readonly role: (typeof ROLES)[number]; readonly dir: string; readonly front: string },
): void {
  const file = `${role}.kubeconfig`;
  const kubeconfig = readFileSync(join(dir, file), 'utf8')
    .replaceAll(front, faults.addressOf(front, role))
    .replaceAll(/certificate-authority-data: \S+/g, `certificate-authority-data: ${Buffer.from(faults.ca).toString('base64')}`);
  writePrivate(dir, file, kubeconfig);
}
