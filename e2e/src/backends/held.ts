// Keeps a backend running between runs: a real kcp takes half a minute to start, a case a second to run.
import { readFileSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Backend, BackendName, Missing, Shard } from './backend.js';
import { Authority, type KeyPair } from './pki.js';
import { tokenOf } from './static-tokens.js';
import { writePrivate } from './work-dir.js';

interface Held {
  readonly version: string;
  readonly shards: readonly [Pick<Shard, 'name' | 'url' | 'adminKubeconfig'>];
  readonly proxyUrl?: string;
  readonly adminKubeconfig: string;
  readonly ca: string;
  readonly workDir: string;
  readonly clients: KeyPair;
}

/** Starts the backends and keeps them until SIGINT or SIGTERM. */
export async function hold(
  names: readonly BackendName[],
  start: (name: BackendName) => Promise<Backend | Missing>,
  say: (text: string) => void,
): Promise<void> {
  const stopped = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  const running: Backend[] = [];
  for (const name of names) {
    const backend = await start(name);
    if ('missing' in backend || backend.clients === undefined) {
      say(`${name}: ${'missing' in backend ? backend.missing : 'lives in the process that started it'}`);
      continue;
    }
    const { version, shards, proxyUrl, adminKubeconfig, ca, workDir, clients } = backend;
    writePrivate(tmpdir(), fileName(name), JSON.stringify({ version, shards, proxyUrl, adminKubeconfig, ca, workDir, clients }));
    running.push(backend);
    say(`${name}: held, admin kubeconfig ${adminKubeconfig}`);
  }
  await stopped;
  for (const backend of running) {
    rmSync(join(tmpdir(), fileName(backend.name)));
    await backend.stop();
  }
}

/** A backend that another process holds; it cannot be stopped or restarted from here. */
export async function reachHeld(name: BackendName): Promise<Backend | Missing> {
  let held: Held;
  try {
    held = JSON.parse(readFileSync(join(tmpdir(), fileName(name)), 'utf8')) as Held;
  } catch {
    return { missing: `nobody holds it: node e2e/run.mjs hold --backend ${name}` };
  }
  const clients = await Authority.load(held.clients);
  const notOurs = (): Promise<never> => Promise.reject(new Error('a held backend cannot be restarted'));
  const [first, ...others] = held.shards.map((shard) => ({ ...shard, stop: notOurs, start: notOurs }));
  if (first === undefined) return { missing: 'it has no shard' };
  return {
    ...held,
    name,
    shards: [first, ...others],
    proxyUrl: held.proxyUrl,
    cache: undefined,
    restartable: false,
    forgetHistory: undefined,
    clientCertificate: (subject, options) => clients.client(subject, options),
    token: tokenOf,
    stop: () => Promise.resolve(),
  };
}

function fileName(name: BackendName): string {
  return `dep-ctrl-held-${name}.json`;
}
