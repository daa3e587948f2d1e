// Two real shards: cache-server, shard `root`, shard `shard-1` and kcp-front-proxy, each a process of its own.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { Backend, Missing, Shard } from './backend.js';
import { freePorts } from './free-ports.js';
import { etcdFlags, makeKcpFiles, type KcpFiles } from './kcp-files.js';
import { adminKubeconfig, kubeconfig } from './kubeconfig.js';
import { Authority } from './pki.js';
import { findPrograms, isAtLeast, kcpVersion } from './programs.js';
import { ServerProcess } from './server-process.js';
import { tokenOf } from './static-tokens.js';
import { makeWorkDir, removeWorkDir, writePair, writePrivate } from './work-dir.js';

const START_TIMEOUT_MS = 240_000;
const REQUEST_HEADERS = [
  '--requestheader-username-headers=X-Remote-User',
  '--requestheader-group-headers=X-Remote-Group',
  '--requestheader-extra-headers-prefix=X-Remote-Extra-',
];

/** Starts `cache-server`, two times `kcp` and `kcp-front-proxy`. */
export async function startKcpTwoShards(env: Readonly<Record<string, string | undefined>>): Promise<Backend | Missing> {
  const programs = findPrograms(['kcp', 'kcp-front-proxy', 'cache-server'], env);
  if ('missing' in programs) return programs;
  const workDir = makeWorkDir('kcp-2');
  const version = kcpVersion(programs.kcp);
  const files = await makeKcpFiles(workDir);
  const ports = await freePorts('proxy', 'cache', 'cacheEtcd', 'cachePeer', 's0', 's0Etcd', 's0Peer', 's1', 's1Etcd', 's1Peer');
  const urls = { proxy: local(ports.proxy), cache: local(ports.cache), s0: local(ports.s0), s1: local(ports.s1) };
  const requestHeader = await Authority.create('dep-ctrl-e2e-requestheader');
  const requestHeaderCa = writePrivate(workDir, 'requestheader-ca.crt', requestHeader.pair.cert);
  const proxyClient = writePair(workDir, 'requestheader', await requestHeader.client({ name: 'kcp-front-proxy' }));
  const server = (name: string, command: string, args: readonly string[], alsoReady?: () => boolean): ServerProcess =>
    new ServerProcess({
      command,
      args,
      cwd: workDir,
      logFile: join(workDir, `${name}.log`),
      url: name === 'cache' ? urls.cache : name === 'proxy' ? urls.proxy : name === 'root' ? urls.s0 : urls.s1,
      client: files.masters,
      ...(alsoReady === undefined ? {} : { alsoReady }),
      timeoutMs: START_TIMEOUT_MS,
    });

  const cache = server('cache', programs['cache-server'], [
    `--root-directory=${join(workDir, 'cache')}`,
    ...(await files.servingFlags('cache', ports.cache)),
    ...etcdFlags({ etcdClient: ports.cacheEtcd, etcdPeer: ports.cachePeer }),
  ]);
  const shared = [
    `--requestheader-client-ca-file=${requestHeaderCa}`,
    ...REQUEST_HEADERS,
    `--shard-external-url=${urls.proxy}`,
    `--shard-virtual-workspace-ca-file=${files.caFile}`,
    ...(await privilegedKubeconfigs(files, urls)),
    ...(await shardClientFlags(files, version)),
  ];
  const root = server(
    'root',
    programs.kcp,
    [
      ...(await files.shardFlags('root', { secure: ports.s0, etcdClient: ports.s0Etcd, etcdPeer: ports.s0Peer })),
      '--shard-name=root',
      ...shared,
    ],
    () => existsSync(join(workDir, 'root', 'admin.kubeconfig')),
  );
  const second = server('shard-1', programs.kcp, [
    ...(await files.shardFlags('shard-1', { secure: ports.s1, etcdClient: ports.s1Etcd, etcdPeer: ports.s1Peer })),
    '--shard-name=shard-1',
    `--root-shard-kubeconfig-file=${writePrivate(workDir, 'root-shard.kubeconfig', kubeconfig([{ name: 'shard-base', server: urls.s0, ca: files.ca, client: files.masters }]))}`,
    ...shared,
  ]);
  const proxy = server('proxy', programs['kcp-front-proxy'], [
    `--root-directory=${join(workDir, 'proxy')}`,
    ...(await files.servingFlags('proxy', ports.proxy)),
    `--root-kubeconfig=${writePrivate(workDir, 'root.kubeconfig', kubeconfig([{ name: 'shard-base', server: urls.s0, ca: files.ca, client: files.masters }]))}`,
    `--shards-kubeconfig=${writePrivate(workDir, 'shards.kubeconfig', kubeconfig([{ name: 'base', ca: files.ca, client: files.masters }]))}`,
    `--mapping-file=${writePrivate(workDir, 'mapping.yaml', mapping(urls.s0, files.caFile, proxyClient))}`,
    `--requestheader-client-ca-file=${requestHeaderCa}`,
    ...REQUEST_HEADERS,
    '--requestheader-allowed-names=kcp-front-proxy',
    `--service-account-key-file=${files.serviceAccountPublicKeyFile}`,
  ]);
  const parts = [proxy, second, root, cache];
  const stop = async ({ keep = false } = {}): Promise<void> => {
    await Promise.all(parts.map((part) => part.stop()));
    if (!keep) removeWorkDir(workDir);
  };
  try {
    await cache.start();
    root.launch();
    await root.ready();
    await second.start();
    await proxy.start();
  } catch (error) {
    await stop({ keep: true });
    throw error;
  }
  const shard = (name: string, url: string, process: ServerProcess): Shard => ({
    name,
    url,
    adminKubeconfig: writePrivate(workDir, `${name}.kubeconfig`, adminKubeconfig(url, files.ca, files)),
    start: () => process.start(),
    stop: () => process.stop(),
  });
  return {
    name: 'kcp-2',
    version,
    shards: [shard('root', urls.s0, root), shard('shard-1', urls.s1, second)],
    proxyUrl: urls.proxy,
    adminKubeconfig: writePrivate(workDir, 'admin.kubeconfig', adminKubeconfig(urls.proxy, files.ca, { admin: files.admin })),
    ca: files.ca,
    clients: files.clients.pair,
    restartable: true,
    cache,
    forgetHistory: undefined,
    clientCertificate: (subject, options) => files.clients.client(subject, options),
    token: tokenOf,
    workDir,
    stop,
  };
}

/** The identities with which shards reach each other's logical clusters: inside by the root shard, outside by the proxy. */
async function privilegedKubeconfigs(files: KcpFiles, urls: { s0: string; proxy: string; cache: string }): Promise<readonly string[]> {
  const write = async (name: string, server: string): Promise<string> => {
    const client = await files.clients.client({ name, groups: [`system:kcp:${name}`] });
    return writePrivate(files.workDir, `${name}.kubeconfig`, kubeconfig([{ name: 'base', server, ca: files.ca, client }]));
  };
  const cache = kubeconfig([{ name: 'cache', server: urls.cache, ca: files.ca, client: files.masters }]);
  return [
    `--logical-cluster-admin-kubeconfig=${await write('logical-cluster-admin', urls.s0)}`,
    `--external-logical-cluster-admin-kubeconfig=${await write('external-logical-cluster-admin', urls.proxy)}`,
    `--cache-kubeconfig=${writePrivate(files.workDir, 'cache.kubeconfig', cache)}`,
  ];
}

async function shardClientFlags(files: KcpFiles, version: string): Promise<readonly string[]> {
  const client = writePair(files.workDir, 'shard-client', await files.clients.client({ name: 'kcp-shard', groups: ['system:masters'] }));
  const mounts = isAtLeast(version, '0.32.3') || (isAtLeast(version, '0.31.6') && !isAtLeast(version, '0.32'));
  return [
    `--shard-client-cert-file=${client.cert}`,
    `--shard-client-key-file=${client.key}`,
    ...(mounts ? [`--mount-proxy-client-cert-file=${client.cert}`, `--mount-proxy-client-key-file=${client.key}`] : []),
  ];
}

// kcp-front-proxy wants `/clusters/` listed; the backend it sends to is the shard that hosts the cluster.
function mapping(backend: string, caFile: string, client: { cert: string; key: string }): string {
  return stringify([
    { path: '/clusters/', backend, backend_server_ca: caFile, proxy_client_cert: client.cert, proxy_client_key: client.key },
  ]);
}

function local(port: number): string {
  return `https://127.0.0.1:${port}`;
}
