// The container engine of this machine: the one that answers, or where none does and Debian's docker.io lies idle, a daemon of our own.
import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Missing } from './backend.js';
import { GuardedProcess } from './guarded-process.js';
import { findExecutable } from './programs.js';
import { removeWorkDir } from './work-dir.js';

const START_MS = 30_000;
// It ends its containers and containerd first.
const STOP_MS = 20_000;

/** An engine that answers at DOCKER_HOST of this process. */
export interface ContainerEngine {
  stop(): Promise<void>;
}

/** Finds or starts one; says what is missing otherwise. */
export async function containerEngine(): Promise<ContainerEngine | Missing> {
  const { env } = process;
  if (findExecutable('docker', env) === undefined) return { missing: 'no docker on PATH' };
  if (answers()) return { stop: () => Promise.resolve() };
  const dockerd = findExecutable('dockerd', { PATH: `${env['PATH'] ?? ''}:/usr/sbin` });
  if (dockerd === undefined || process.getuid?.() !== 0) return { missing: 'no container engine answers, and none may be started here' };
  return startOwn(dockerd);
}

/** A daemon that needs neither a network nor a file system of its own; its containers are on the host's network. */
async function startOwn(dockerd: string): Promise<ContainerEngine | Missing> {
  const dir = mkdtempSync(join(tmpdir(), 'dep-ctrl-engine-'));
  const socket = `unix://${join(dir, 'docker.sock')}`;
  const logFile = join(dir, 'dockerd.log');
  const files = ['--data-root', join(dir, 'data'), '--exec-root', join(dir, 'run'), '--pidfile', join(dir, 'pid'), '--host', socket];
  const args = [...files, '--storage-driver=vfs', '--bridge=none', '--iptables=false', '--ip6tables=false'];
  const daemon = new GuardedProcess({ command: dockerd, args, cwd: dir, logFile, lastSignal: 'TERM' });
  const before = process.env['DOCKER_HOST'];
  process.env['DOCKER_HOST'] = socket;
  const stop = async (): Promise<void> => {
    if (before === undefined) delete process.env['DOCKER_HOST'];
    else process.env['DOCKER_HOST'] = before;
    await daemon.stop(STOP_MS);
    // What it leaves mounted for the containers on the host's network.
    spawnSync('umount', ['--lazy', join(dir, 'run', 'netns', 'default')], { stdio: 'ignore' });
    removeWorkDir(dir);
  };
  const deadline = Date.now() + START_MS;
  while (!answers()) {
    if (!daemon.running || Date.now() > deadline) {
      await stop();
      return { missing: 'no container engine answers, and dockerd does not start here' };
    }
    await sleep(200);
  }
  return { stop };
}

function answers(): boolean {
  return spawnSync('docker', ['info'], { stdio: 'ignore', timeout: START_MS }).status === 0;
}
