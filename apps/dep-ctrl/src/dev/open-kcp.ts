import { readFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { Connection } from '@dep-ctrl/kcp-client';
import { loadKubeconfig, withWorkspaceContexts } from '@dep-ctrl/kcp-client/kubeconfig';
import type { EmbeddedKcp } from '@dep-ctrl/embedded-kcp';
import type { Parsed } from '@dep-ctrl/kcp-names';
import { listenFailure, UsageError } from '@dep-ctrl/command-settings';
import { parse } from 'yaml';
import { DEV_CONTEXTS } from './dev-paths.js';

/** The kcp of `dev`: one in this process, or one that is there. */
export type KcpChoice =
  | { readonly kind: 'embedded'; readonly port: number; readonly shards: number }
  | { readonly kind: 'given'; readonly kubeconfig: string; readonly context: string | undefined; readonly adopt: boolean };

/** A kcp, as its admin. */
export interface DevKcp {
  readonly description: string;
  readonly connection: Connection;
  /** With one context per workspace of the story. */
  readonly kubeconfig: string;
  close(): Promise<void>;
}

// A quarter of what a real kcp takes: enough to see that things take time, little enough to wait for.
const SPEED = 0.25;

/** Starts or reaches the kcp. */
export async function openKcp(choice: KcpChoice): Promise<DevKcp> {
  return choice.kind === 'embedded' ? startEmbedded(choice) : reach(choice);
}

async function startEmbedded({ port, shards }: { readonly port: number; readonly shards: number }): Promise<DevKcp> {
  const kcp = await startOn(port, shards);
  const kubeconfig = withContexts(kcp.kubeconfig(), { from: undefined, folder: '.' });
  const connection = connect(kubeconfig);
  return {
    description: `an embedded kcp with ${shards === 1 ? 'one shard' : `${shards} shards`}`,
    connection,
    kubeconfig,
    close: async () => {
      await connection.close();
      await kcp.stop();
    },
  };
}

async function startOn(port: number, shards: number): Promise<EmbeddedKcp> {
  // Loaded only when needed: the roles start faster and smaller without it.
  const { EmbeddedKcp } = await import('@dep-ctrl/embedded-kcp');
  try {
    return await EmbeddedKcp.start({ port, shards, delays: SPEED });
  } catch (error) {
    throw listenFailure(error, { flag: '--port', address: { host: '127.0.0.1', port } });
  }
}

function reach({ kubeconfig: file, context }: { readonly kubeconfig: string; readonly context: string | undefined }): DevKcp {
  // Says in words what is wrong with the file and with what it names; the contexts are added to a file that is known to be right.
  accepted(loadKubeconfig({ file, ...(context === undefined ? {} : { context }) }));
  const kubeconfig = withContexts(readFileSync(file, 'utf8'), { from: context, folder: dirname(file) });
  const connection = connect(kubeconfig);
  return { description: 'the given kcp', connection, kubeconfig, close: () => connection.close() };
}

function withContexts(kubeconfig: string, { from, folder }: { readonly from: string | undefined; readonly folder: string }): string {
  const readFile = (path: string) => readIfThere(isAbsolute(path) ? path : join(folder, path));
  return accepted(withWorkspaceContexts(kubeconfig, DEV_CONTEXTS, { from, readFile }));
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function connect(kubeconfig: string): Connection {
  return new Connection(accepted(loadKubeconfig({ object: parse(kubeconfig) as unknown, context: 'root' })));
}

function accepted<T>(kubeconfig: Parsed<T>): T {
  if (kubeconfig.ok) return kubeconfig.value;
  throw new UsageError(
    `--against must be the kubeconfig of a kcp's admin, such as the admin.kubeconfig that kcp writes: ${kubeconfig.problem}`,
  );
}
