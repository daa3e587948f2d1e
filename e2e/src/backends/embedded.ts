// The kcp-compatible server of this repository, in this process.
import { EmbeddedKcp } from '@dep-ctrl/embedded-kcp';
import type { Backend, BackendName, Shard } from './backend.js';
import { adminKubeconfig } from './kubeconfig.js';
import { makeWorkDir, removeWorkDir, writePrivate } from './work-dir.js';

// What it is held to: the version whose behaviour the suite observed.
/** The version of kcp that the embedded one is held to. */
export const STANDS_FOR = '0.32.3';

// kcp's own pauses (5 s before the content of a namespace goes, back-off, replication) at a fiftieth: long enough to be seen.
const DELAYS = 0.02;

/** Starts an embedded kcp with that many shards. */
export async function startEmbedded(name: BackendName, shards: number): Promise<Backend> {
  const kcp = await EmbeddedKcp.start({ shards, delays: DELAYS });
  const workDir = makeWorkDir(name);
  const admin = await kcp.clientCertificate('kcp-admin', ['system:kcp:admin']);
  const masters = await kcp.clientCertificate('shard-admin', ['system:masters']);
  const parts = kcp.shards.map((shard): Shard => ({
    name: shard.name,
    url: shard.url,
    adminKubeconfig: writePrivate(workDir, `${shard.name}.kubeconfig`, adminKubeconfig(shard.url, kcp.ca, { admin, masters })),
    stop: shard.stop,
    start: () => shard.start({ pace: 'as-kcp' }),
  }));
  const [first, ...others] = parts;
  if (first === undefined) throw new Error('the embedded kcp has no shard');
  return {
    name,
    version: STANDS_FOR,
    shards: [first, ...others],
    proxyUrl: kcp.baseUrl,
    adminKubeconfig: writePrivate(workDir, 'admin.kubeconfig', adminKubeconfig(kcp.baseUrl, kcp.ca, { admin })),
    ca: kcp.ca,
    clients: undefined,
    restartable: true,
    forgetHistory: () => kcp.faults.compact(),
    cache: {
      stop: () => {
        kcp.faults.pauseReplication();
        return Promise.resolve();
      },
      start: () => {
        kcp.faults.resumeReplication();
        return Promise.resolve();
      },
    },
    clientCertificate: ({ name: user, groups = [] }, options) =>
      kcp.clientCertificate(user, groups, options?.expired === true ? -86_400_000 : undefined),
    token: (user) => kcp.token(user),
    workDir,
    stop: async ({ keep = false } = {}) => {
      await kcp.stop();
      if (!keep) removeWorkDir(workDir);
    },
  };
}
