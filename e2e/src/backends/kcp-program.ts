// One real kcp in one process: shard, virtual workspaces and cache together, no front-proxy.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Backend, BackendName, Missing } from './backend.js';
import { freePorts } from './free-ports.js';
import { makeKcpFiles } from './kcp-files.js';
import { adminKubeconfig } from './kubeconfig.js';
import { findPrograms, kcpVersion } from './programs.js';
import { ServerProcess } from './server-process.js';
import { tokenOf } from './static-tokens.js';
import { makeWorkDir, removeWorkDir, writePrivate } from './work-dir.js';

/** Starts the program `kcp`. */
export async function startKcpProgram(
  env: Readonly<Record<string, string | undefined>>,
  { name = 'kcp', address = '127.0.0.1' }: { readonly name?: BackendName; readonly address?: string } = {},
): Promise<Backend | Missing> {
  const programs = findPrograms(['kcp'], env);
  if ('missing' in programs) return programs;
  const workDir = makeWorkDir(name);
  const ports = await freePorts('secure', 'etcdClient', 'etcdPeer');
  const files = await makeKcpFiles(workDir, address);
  const url = `https://${address}:${ports.secure}`;
  const server = new ServerProcess({
    command: programs.kcp,
    args: await files.shardFlags('root', ports),
    cwd: workDir,
    logFile: join(workDir, 'root.log'),
    url,
    client: files.masters,
    alsoReady: () => existsSync(join(workDir, 'root', 'admin.kubeconfig')),
    timeoutMs: 180_000,
  });
  const kubeconfigFile = writePrivate(workDir, 'admin.kubeconfig', adminKubeconfig(url, files.ca, files));
  const backend: Backend = {
    name,
    version: kcpVersion(programs.kcp, env),
    shards: [{ name: 'root', url, adminKubeconfig: kubeconfigFile, start: () => server.start(), stop: () => server.stop() }],
    proxyUrl: undefined,
    adminKubeconfig: kubeconfigFile,
    ca: files.ca,
    clients: files.clients.pair,
    restartable: true,
    forgetHistory: undefined,
    cache: undefined,
    clientCertificate: (subject, options) => files.clients.client(subject, options),
    token: tokenOf,
    workDir,
    stop: async ({ keep = false } = {}) => {
      await server.stop();
      if (!keep) removeWorkDir(workDir);
    },
  };
  await startOrClean(server, backend);
  return backend;
}

/** Starts; what does not come up is ended, its logs kept. */
async function startOrClean(server: ServerProcess, backend: Backend): Promise<void> {
  try {
    await server.start();
  } catch (error) {
    await backend.stop({ keep: true });
    throw error;
  }
}
