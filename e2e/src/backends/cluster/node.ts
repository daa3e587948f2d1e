// A node of Kubernetes on this machine, in namespaces of its own: who ends the one process that holds them ends all of it, its network too.
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { GuardedProcess } from '../guarded-process.js';
import type { Cluster } from './cluster.js';
import { makeNodeFiles, type NodeAddresses, type NodeFiles } from './node-files.js';
import type { NodePrograms } from './node-programs.js';

const START_MS = 120_000;
const MOST_BYTES = 2 ** 24;
const CGROUPS = '/sys/fs/cgroup';
const CGROUPS_MS = 5_000;

/** Where the machine is seen from the node: something may listen there before the node starts. */
export interface NodeNetwork {
  /** What `ip netns` calls it. */
  readonly name: string;
  readonly addresses: NodeAddresses;
  /** Forgets its name: it ends with its last process. */
  remove(): void;
}

/** A cable between this machine and a network that nothing is in yet. */
export function layNetwork({ ip }: NodePrograms): NodeNetwork {
  const number = String(randomInt(1, 250));
  const name = `dep-ctrl-${number}`;
  const cable = `dce2e${number}`;
  const addresses = {
    host: `10.214.${number}.1`,
    node: `10.214.${number}.2`,
    pods: `10.215.${number}.0/24`,
    services: `10.216.${number}.0/24`,
  };
  const run = (...args: readonly string[]): void => void execFileSync(ip, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  run('netns', 'add', name);
  run('link', 'add', cable, 'type', 'veth', 'peer', 'name', 'cable', 'netns', name);
  run('addr', 'add', `${addresses.host}/30`, 'dev', cable);
  run('link', 'set', cable, 'up');
  run('-n', name, 'addr', 'add', `${addresses.node}/30`, 'dev', 'cable');
  run('-n', name, 'link', 'set', 'cable', 'up');
  run('-n', name, 'route', 'add', 'default', 'via', addresses.host);
  return { name, addresses, remove: () => void spawnSync(ip, ['netns', 'delete', name], { stdio: 'ignore' }) };
}

/** A node that runs. */
export class Node {
  readonly #programs: NodePrograms;
  readonly #files: NodeFiles;
  readonly #process: GuardedProcess;

  private constructor(programs: NodePrograms, files: NodeFiles, process: GuardedProcess) {
    this.#programs = programs;
    this.#files = files;
    this.#process = process;
  }

  /** Starts it and waits until it takes Pods of these images: files as `docker save` writes them. */
  static async start(
    programs: NodePrograms,
    { dir, network, imageFiles }: { readonly dir: string; readonly network: NodeNetwork; readonly imageFiles: readonly string[] },
  ): Promise<Node> {
    mkdirSync(dir);
    const files = await makeNodeFiles(dir, programs, network.addresses);
    const inside = [programs.unshare, '--mount', '--pid', '--fork', '--kill-child', '--mount-proc', '/bin/sh', files.script];
    const program = new GuardedProcess({
      ...{ command: programs.nsenter, args: [`--net=/run/netns/${network.name}`, ...inside], cwd: dir, logFile: join(dir, 'node.log') },
      env: { PATH: [dirname(programs.runc), dirname(programs.iptables), process.env['PATH']].join(delimiter) },
    });
    const node = new Node(programs, files, program);
    try {
      await node.#until('it answers', ['get', 'nodes', 'node']);
      for (const file of imageFiles) await node.#import(file);
      await node.#until('it is ready', ['wait', '--for=condition=Ready', 'node/node', '--timeout=1s']);
      await node.#until('its accounts are there', ['get', 'serviceaccount', 'default']);
    } catch (error) {
      await node.stop();
      throw error;
    }
    return node;
  }

  readonly kubectl: Cluster['kubectl'] = (...args) => this.#as(this.#programs.kubectl, args);
  readonly helm: Cluster['helm'] = (...args) => this.#as(this.#programs.helm, args);

  /** Ends it with everything in it. */
  async stop(): Promise<void> {
    await this.#process.stop();
    const own = [CGROUPS, '-depth', '-type', 'd', '-path', `*/${this.#files.cgroup}*`];
    const remove = ['-exec', 'rmdir', '{}', ';'];
    const deadline = Date.now() + CGROUPS_MS;
    // The last of its processes may still be ending.
    while (spawnSync('find', own, { encoding: 'utf8' }).stdout !== '' && Date.now() < deadline) {
      spawnSync('find', [...own, ...remove], { stdio: 'ignore' });
      await sleep(100);
    }
  }

  async #as(program: string, args: readonly string[]): Promise<string> {
    try {
      const { stdout } = await promisify(execFile)(program, ['--kubeconfig', this.#files.kubeconfig, ...args], { maxBuffer: MOST_BYTES });
      return stdout;
    } catch (error) {
      const { stderr = String(error) } = error as { readonly stderr?: string }; // what execFile throws
      throw new Error(`${args.slice(0, 3).join(' ')}: ${stderr.trim()}`, { cause: error });
    }
  }

  async #import(file: string): Promise<void> {
    await promisify(execFile)(this.#programs.ctr, ['--address', this.#files.containerd, '--namespace', 'k8s.io', 'images', 'import', file]);
  }

  async #until(what: string, args: readonly string[]): Promise<void> {
    const deadline = Date.now() + START_MS;
    for (;;) {
      const problem = await this.kubectl(...args).then(
        () => undefined,
        (error: unknown) => String(error),
      );
      if (problem === undefined) return;
      if (!this.#process.running || Date.now() > deadline) throw new Error(`the node of Kubernetes never said that ${what}: ${problem}`);
      await sleep(200);
    }
  }
}
