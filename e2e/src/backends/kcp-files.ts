// The authorities, users and files that every real kcp of ours starts from, and the flags that name them.
import { join } from 'node:path';
import { Authority, serviceAccountKeys, type KeyPair } from './pki.js';
import { tokenFile } from './static-tokens.js';
import { writePair, writePrivate } from './work-dir.js';

/** What a kcp and its clients need to trust each other. */
export interface KcpFiles {
  readonly workDir: string;
  /** Signs client certificates. */
  readonly clients: Authority;
  /** PEM that verifies the listeners. */
  readonly ca: string;
  readonly caFile: string;
  readonly clientCaFile: string;
  readonly serviceAccountPublicKeyFile: string;
  /** Static bearer tokens of the users in static-tokens.ts. */
  readonly tokenFile: string;
  /** kcp-admin, in group system:kcp:admin. */
  readonly admin: KeyPair;
  /** shard-admin, in group system:masters. */
  readonly masters: KeyPair;
  /** Flags that serve HTTPS and verify clients. */
  servingFlags(name: string, port: number): Promise<readonly string[]>;
  /** Flags of a shard: where it listens, its etcd, whom it knows. */
  shardFlags(name: string, ports: ShardPorts): Promise<readonly string[]>;
}

/** The ports of one shard. */
export interface ShardPorts {
  readonly secure: number;
  readonly etcdClient: number;
  readonly etcdPeer: number;
}

/** Makes the authorities and writes the files. `address` is where they listen. */
export async function makeKcpFiles(workDir: string, address = '127.0.0.1'): Promise<KcpFiles> {
  const [clients, serving] = await Promise.all([Authority.create('dep-ctrl-e2e-clients'), Authority.create('dep-ctrl-e2e-serving')]);
  const accounts = serviceAccountKeys();
  const files = {
    ca: writePrivate(workDir, 'serving-ca.crt', serving.pair.cert),
    clientCa: writePrivate(workDir, 'client-ca.crt', clients.pair.cert),
    tokens: writePrivate(workDir, 'tokens.csv', tokenFile()),
    accountsPublic: writePrivate(workDir, 'service-account.pub', accounts.publicKey),
    accountsPrivate: writePrivate(workDir, 'service-account.key', accounts.privateKey),
  };
  const servingFlags = async (name: string, port: number): Promise<readonly string[]> => {
    const tls = writePair(workDir, name, await serving.server({ addresses: [address] }));
    return [
      `--bind-address=${address}`,
      `--secure-port=${port}`,
      `--tls-cert-file=${tls.cert}`,
      `--tls-private-key-file=${tls.key}`,
      `--client-ca-file=${files.clientCa}`,
    ];
  };
  return {
    workDir,
    clients,
    ca: serving.pair.cert,
    caFile: files.ca,
    clientCaFile: files.clientCa,
    serviceAccountPublicKeyFile: files.accountsPublic,
    tokenFile: files.tokens,
    admin: await clients.client({ name: 'kcp-admin', groups: ['system:kcp:admin'] }),
    masters: await clients.client({ name: 'shard-admin', groups: ['system:masters'] }),
    servingFlags,
    shardFlags: async (name, ports) => [
      'start',
      `--root-directory=${join(workDir, name)}`,
      ...(await servingFlags(name, ports.secure)),
      ...etcdFlags(ports),
      `--token-auth-file=${files.tokens}`,
      `--service-account-key-file=${files.accountsPublic}`,
      `--service-account-signing-key-file=${files.accountsPrivate}`,
      `--service-account-private-key-file=${files.accountsPrivate}`,
    ],
  };
}

/** Flags of an embedded etcd; the small log file spares 64 MB per server. */
export function etcdFlags(ports: { readonly etcdClient: number; readonly etcdPeer: number }): readonly string[] {
  return [
    `--embedded-etcd-client-port=${ports.etcdClient}`,
    `--embedded-etcd-peer-port=${ports.etcdPeer}`,
    '--embedded-etcd-wal-size-bytes=5000',
    // History of one to two minutes instead of five to ten, so that a run can see the end of it.
    '--etcd-compaction-interval=60s',
  ];
}
