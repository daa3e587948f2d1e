// How the four programs of a sharded kcp are told about each other.
import { join } from 'node:path';
import { stringify } from 'yaml';
import { etcdFlags, type KcpFiles, type ShardPorts } from './kcp-files.js';
import { kubeconfig } from './kubeconfig.js';
import { Authority } from './pki.js';
import { isAtLeast } from './programs.js';
import { writePair, writePrivate } from './work-dir.js';

/** Base URLs. */
export interface TwoShardAddresses {
  readonly proxy: string;
  readonly cache: string;
  readonly root: string;
  readonly second: string;
}

/** What makes shards believe the proxy when it says who calls. */
export interface ProxyTrust {
  readonly flags: readonly string[];
  readonly client: { readonly cert: string; readonly key: string };
}

/** One shard to start. */
export interface ShardToStart {
  readonly files: KcpFiles;
  readonly name: 'root' | 'shard-1';
  readonly ports: ShardPorts;
  readonly urls: TwoShardAddresses;
  readonly trust: ProxyTrust;
  readonly version: string;
}

/** Makes the certificate with which the proxy speaks to shards, and the flags by which they know it. */
export async function proxyTrust({ workDir }: KcpFiles): Promise<ProxyTrust> {
  const authority = await Authority.create('dep-ctrl-e2e-requestheader');
  return {
    flags: [
      `--requestheader-client-ca-file=${writePrivate(workDir, 'requestheader-ca.crt', authority.pair.cert)}`,
      '--requestheader-username-headers=X-Remote-User',
      '--requestheader-group-headers=X-Remote-Group',
      '--requestheader-extra-headers-prefix=X-Remote-Extra-',
    ],
    client: writePair(workDir, 'requestheader', await authority.client({ name: 'kcp-front-proxy' })),
  };
}

/** Flags of the cache server. */
export async function cacheFlags(files: KcpFiles, ports: ShardPorts): Promise<readonly string[]> {
  return [`--root-directory=${join(files.workDir, 'cache')}`, ...(await files.servingFlags('cache', ports.secure)), ...etcdFlags(ports)];
}

/** Flags of a shard. */
export async function shardFlags({ files, name, ports, urls, trust, version }: ShardToStart): Promise<readonly string[]> {
  return [
    ...(await files.shardFlags(name, ports)),
    `--shard-name=${name}`,
    ...(name === 'root' ? [] : [`--root-shard-kubeconfig-file=${asMasters(files, 'shard-base', urls.root)}`]),
    `--shard-external-url=${urls.proxy}`,
    `--shard-virtual-workspace-ca-file=${files.caFile}`,
    `--cache-kubeconfig=${asMasters(files, 'cache', urls.cache)}`,
    ...trust.flags,
    ...(await privilegedKubeconfigs(files, name, urls)),
    ...(await clientFlags(files, name, version)),
  ];
}

/** Flags of the front-proxy. */
export async function proxyFlags(files: KcpFiles, port: number, urls: TwoShardAddresses, trust: ProxyTrust): Promise<readonly string[]> {
  // kcp-front-proxy wants `/clusters/` listed; the backend it sends to is the shard that hosts the cluster.
  const mapping = [
    {
      path: '/clusters/',
      backend: urls.root,
      backend_server_ca: files.caFile,
      proxy_client_cert: trust.client.cert,
      proxy_client_key: trust.client.key,
    },
  ];
  return [
    `--root-directory=${join(files.workDir, 'proxy')}`,
    ...(await files.servingFlags('proxy', port)),
    `--root-kubeconfig=${asMasters(files, 'shard-base', urls.root)}`,
    `--shards-kubeconfig=${asMasters(files, 'shards', undefined)}`,
    `--mapping-file=${writePrivate(files.workDir, 'mapping.yaml', stringify(mapping))}`,
    ...trust.flags,
    '--requestheader-allowed-names=kcp-front-proxy',
    `--service-account-key-file=${files.serviceAccountPublicKeyFile}`,
    `--token-auth-file=${files.tokenFile}`,
  ];
}

/** A kubeconfig file of system:masters with one context; without a server the reader fills in each shard's. */
function asMasters({ workDir, ca, masters }: KcpFiles, name: string, server: string | undefined): string {
  const context = { name, ca, client: masters, ...(server === undefined ? {} : { server }) };
  return writePrivate(workDir, `masters-${name}.kubeconfig`, kubeconfig([context]));
}

/** The identities with which shards reach each other's logical clusters: inside by the root shard, outside by the proxy. */
async function privilegedKubeconfigs(files: KcpFiles, shard: string, urls: TwoShardAddresses): Promise<readonly string[]> {
  const write = async (name: string, server: string): Promise<string> => {
    const client = await files.clients.client({ name, groups: [`system:kcp:${name}`] });
    return writePrivate(files.workDir, `${shard}-${name}.kubeconfig`, kubeconfig([{ name: 'base', server, ca: files.ca, client }]));
  };
  return [
    `--logical-cluster-admin-kubeconfig=${await write('logical-cluster-admin', urls.root)}`,
    `--external-logical-cluster-admin-kubeconfig=${await write('external-logical-cluster-admin', urls.proxy)}`,
  ];
}

// The flags for mounts came with patch releases; an unknown flag stops the server.
async function clientFlags(files: KcpFiles, shard: string, version: string): Promise<readonly string[]> {
  const client = await files.clients.client({ name: `kcp-${shard}`, groups: ['system:masters'] });
  const { cert, key } = writePair(files.workDir, `${shard}-client`, client);
  const mounts = isAtLeast(version, '0.32.3') || (isAtLeast(version, '0.31.6') && !isAtLeast(version, '0.32'));
  return [
    `--shard-client-cert-file=${cert}`,
    `--shard-client-key-file=${key}`,
    ...(mounts ? [`--mount-proxy-client-cert-file=${cert}`, `--mount-proxy-client-key-file=${key}`] : []),
  ];
}
