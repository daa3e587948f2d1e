// Two real shards: cache-server, shard `root`, shard `shard-1` and kcp-front-proxy, each a process of its own.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Backend, Missing, Shard } from './backend.js';
import { freePorts } from './free-ports.js';
import { makeKcpFiles, type KcpFiles } from './kcp-files.js';
import { adminKubeconfig } from './kubeconfig.js';
import { findPrograms, kcpVersion } from './programs.js';
import { ServerProcess } from './server-process.js';
import { tokenOf } from './static-tokens.js';
import { cacheFlags, proxyFlags, proxyTrust, shardFlags, type TwoShardAddresses } from './two-shard-flags.js';
import { makeWorkDir, removeWorkDir, writePrivate } from './work-dir.js';

const START_TIMEOUT_MS = 240_000;

/** Starts `cache-server`, two times `kcp` and `kcp-front-proxy`. */
export async function startKcpTwoShards(env: Readonly<Record<string, string | undefined>>): Promise<Backend | Missing> {
  const programs = findPrograms(['kcp', 'kcp-front-proxy', 'cache-server'], env);
  if ('missing' in programs) return programs;
  const version = kcpVersion(programs.kcp, env);
  const files = await makeKcpFiles(makeWorkDir('kcp-2'));
  const parts = await makeParts(programs, version, files);
  const stop = async ({ keep = false } = {}): Promise<void> => {
    await Promise.all([parts.proxy, parts.second, parts.root, parts.cache].map((part) => part.stop()));
    if (!keep) removeWorkDir(files.workDir);
  };
  try {
    // In this order: a shard needs the cache, the second one the kubeconfig that the first one writes, the proxy both.
    for (const part of [parts.cache, parts.root, parts.second, parts.proxy]) await part.start();
  } catch (error) {
    await stop({ keep: true });
    throw error;
  }
  const { urls } = parts;
  return {
    name: 'kcp-2',
    version,
    shards: [shardOf('root', urls.root, parts.root, files), shardOf('shard-1', urls.second, parts.second, files)],
    proxyUrl: urls.proxy,
    adminKubeconfig: writePrivate(files.workDir, 'admin.kubeconfig', adminKubeconfig(urls.proxy, files.ca, { admin: files.admin })),
    ca: files.ca,
    clients: files.clients.pair,
    restartable: true,
    cache: parts.cache,
    forgetHistory: undefined,
    clientCertificate: (subject, options) => files.clients.client(subject, options),
    token: tokenOf,
    workDir: files.workDir,
    stop,
  };
}

interface Parts {
  readonly urls: TwoShardAddresses;
  readonly cache: ServerProcess;
  readonly root: ServerProcess;
  readonly second: ServerProcess;
  readonly proxy: ServerProcess;
}

/** The four servers, not started yet. */
async function makeParts(
  programs: Readonly<Record<'kcp' | 'kcp-front-proxy' | 'cache-server', string>>,
  version: string,
  files: KcpFiles,
): Promise<Parts> {
  const ports = await freePorts(
    'proxy',
    'cache',
    'cacheEtcd',
    'cachePeer',
    'root',
    'rootEtcd',
    'rootPeer',
    'second',
    'secondEtcd',
    'secondPeer',
  );
  const urls = { proxy: local(ports.proxy), cache: local(ports.cache), root: local(ports.root), second: local(ports.second) };
  const trust = await proxyTrust(files);
  const { workDir, masters } = files;
  const server = (name: string, url: string, command: string, args: readonly string[], alsoReady?: () => boolean): ServerProcess =>
    new ServerProcess({
      ...{ command, args, url, cwd: workDir, logFile: join(workDir, `${name}.log`), client: masters, timeoutMs: START_TIMEOUT_MS },
      ...(alsoReady === undefined ? {} : { alsoReady }),
    });
  const cachePorts = { secure: ports.cache, etcdClient: ports.cacheEtcd, etcdPeer: ports.cachePeer };
  const rootPorts = { secure: ports.root, etcdClient: ports.rootEtcd, etcdPeer: ports.rootPeer };
  const secondPorts = { secure: ports.second, etcdClient: ports.secondEtcd, etcdPeer: ports.secondPeer };
  return {
    urls,
    cache: server('cache', urls.cache, programs['cache-server'], await cacheFlags(files, cachePorts)),
    root: server('root', urls.root, programs.kcp, await shardFlags({ files, name: 'root', ports: rootPorts, urls, trust, version }), () =>
      existsSync(join(workDir, 'root', 'admin.kubeconfig')),
    ),
    second: server(
      'shard-1',
      urls.second,
      programs.kcp,
      await shardFlags({ files, name: 'shard-1', ports: secondPorts, urls, trust, version }),
    ),
    proxy: server('proxy', urls.proxy, programs['kcp-front-proxy'], await proxyFlags(files, ports.proxy, urls, trust)),
  };
}

function shardOf(name: string, url: string, process: ServerProcess, files: KcpFiles): Shard {
  return {
    name,
    url,
    adminKubeconfig: writePrivate(files.workDir, `${name}.kubeconfig`, adminKubeconfig(url, files.ca, files)),
    start: () => process.start(),
    stop: () => process.stop(),
  };
}

function local(port: number): string {
  return `https://127.0.0.1:${port}`;
}
