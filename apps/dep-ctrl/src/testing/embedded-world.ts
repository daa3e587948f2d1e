import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedKcp } from '@dep-ctrl/embedded-kcp';
import { Connection } from '@dep-ctrl/kcp-client';
import { loadKubeconfig } from '@dep-ctrl/kcp-client/kubeconfig';
import { parse, stringify } from 'yaml';

/** An embedded kcp with its admin's kubeconfig in a file, as a user has it. */
export interface EmbeddedWorld {
  readonly kcp: EmbeddedKcp;
  readonly dir: string;
  readonly adminKubeconfig: string;
  /** kcp's admin, at the front-proxy. */
  readonly admin: Connection;
}

/** Gives `work` an embedded kcp that takes no time for anything, and ends it afterwards. */
export async function onEmbeddedKcp<T>(
  work: (world: EmbeddedWorld) => Promise<T>,
  { shards = 1 }: { readonly shards?: number } = {},
): Promise<T> {
  const kcp = await EmbeddedKcp.start({ shards, delays: 0 });
  const dir = await mkdtemp(join(tmpdir(), 'dep-ctrl-'));
  const adminKubeconfig = join(dir, 'admin.kubeconfig');
  await writeFile(adminKubeconfig, kcp.kubeconfig());
  const admin = connectTo(kcp.kubeconfig());
  try {
    return await work({ kcp, dir, adminKubeconfig, admin });
  } finally {
    await admin.close();
    await kcp.stop();
    await rm(dir, { recursive: true });
  }
}

/** Admin kubeconfigs of the shards, one file each, with a context `system:admin` as kcp's own files have it. */
export async function shardKubeconfigs({ kcp, dir }: EmbeddedWorld): Promise<readonly string[]> {
  const all = parse(kcp.kubeconfig()) as { readonly contexts: readonly { readonly name: string; readonly context: object }[] };
  return Promise.all(
    kcp.shards.map(async ({ name }, index) => {
      const context = all.contexts.find((each) => each.name === (index === 0 ? 'system:admin' : `system:admin@${name}`))?.context;
      const file = join(dir, `${name}.kubeconfig`);
      await writeFile(file, stringify({ ...all, contexts: [{ name: 'system:admin', context }], 'current-context': 'system:admin' }));
      return file;
    }),
  );
}

/** A connection by the text of a kubeconfig. */
export function connectTo(
  kubeconfig: string,
  {
    context,
    userAgent,
    requestConnections,
  }: { readonly context?: string; readonly userAgent?: string; readonly requestConnections?: number } = {},
): Connection {
  const loaded = loadKubeconfig({ object: parse(kubeconfig) as unknown, ...(context === undefined ? {} : { context }) });
  if (!loaded.ok) throw new Error(loaded.problem);
  const connections = requestConnections === undefined ? {} : { requestConnections };
  return new Connection({ ...loaded.value, ...connections, ...(userAgent === undefined ? {} : { userAgent }) });
}
