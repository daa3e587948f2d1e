// The kcp that a bench measures on: the embedded one in a process of its own, or one that runs.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { EmbeddedKcp, type Delays } from '@dep-ctrl/embedded-kcp';
import { Connection } from '@dep-ctrl/kcp-client';
import { loadKubeconfig } from '@dep-ctrl/kcp-client/kubeconfig';
import { parse } from 'yaml';
import { kcpAdmin, type KcpAdmin } from './review-kubeconfig.js';

/** What a process of the bench is told to be the embedded kcp. */
export const KCP_ARGUMENT = 'kcp';

/** The embedded kcp, in this process until its parent ends. */
export async function serveKcp(delays: Delays): Promise<void> {
  const kcp = await EmbeddedKcp.start({ delays });
  process.on('disconnect', () => void kcp.stop());
  process.send?.(kcp.kubeconfig());
}

/** Measures on the kcp of a kubeconfig; without one on the embedded kcp that `self`, the file of the bench, serves. */
export async function onKcp(
  { self, against }: { readonly self: string; readonly against: string | undefined },
  measure: (admin: KcpAdmin, isEmbedded: boolean) => Promise<void>,
): Promise<void> {
  if (against !== undefined) return measure(kcpAdmin(readFileSync(against, 'utf8')), false);
  const embedded = fork(self, [KCP_ARGUMENT]);
  try {
    const [kubeconfig] = (await once(embedded, 'message')) as [string];
    await measure(kcpAdmin(kubeconfig), true);
  } finally {
    embedded.disconnect();
  }
}

/** The admin's connection. */
export function connectAdmin(admin: KcpAdmin): Connection {
  const loaded = loadKubeconfig({ object: parse(admin.kubeconfigFor('root')) as unknown });
  if (!loaded.ok) throw new Error(loaded.problem);
  return new Connection(loaded.value);
}

/** The program of this tree. */
export async function ownBundle(): Promise<string> {
  const start = (await import(pathToFileURL(join(process.cwd(), 'tools/start.mjs')).href)) as { ensureBundle(): Promise<string> };
  return start.ensureBundle();
}
