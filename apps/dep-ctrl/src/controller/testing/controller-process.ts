// `dep-ctrl controller` as a process of its own, from the bundle, so that it can be killed like one.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Builds the bundle where it is older than the sources, and runs it in the same process.
const START = fileURLToPath(new URL('../../../../../tools/start.mjs', import.meta.url));
const FLAGS = [
  ...['--webhook-url', 'https://dep-ctrl.example.com', '--leader-elect=false'],
  ...['--health-probe-bind-address', '127.0.0.1:0', '--metrics-bind-address', '127.0.0.1:0', '--log-level', 'error'],
];

/** One controller at a time, on one kcp. */
export class ControllerProcess {
  readonly #dir: string;
  #child: ChildProcess | undefined;

  private constructor(dir: string) {
    this.#dir = dir;
  }

  /** Makes it; nothing runs yet. */
  static async on(kubeconfig: string): Promise<ControllerProcess> {
    const dir = await mkdtemp(join(tmpdir(), 'dep-ctrl-process-'));
    await writeFile(join(dir, 'kubeconfig'), kubeconfig);
    return new ControllerProcess(dir);
  }

  /** Starts it; does not wait until it works. */
  launch(): void {
    const argv = [START, 'controller', '--kubeconfig', join(this.#dir, 'kubeconfig'), ...FLAGS];
    this.#child = spawn(process.execPath, argv, { stdio: ['ignore', 'ignore', 'inherit'], env: {} });
  }

  /** Kills it as a machine does that loses power; it is gone afterwards. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child?.exitCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  /** Kills it and removes its files. */
  async end(): Promise<void> {
    await this.kill();
    await rm(this.#dir, { recursive: true });
  }
}
