import { readFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { Connection } from '@dep-ctrl/kcp-client';
import { loadKubeconfig } from '@dep-ctrl/kcp-client/kubeconfig';
import type { EmbeddedKcp } from '@dep-ctrl/embedded-kcp';
import { UsageError } from '../cli/command.js';
import { listenFailure } from '../telemetry/listen-failure.js';
import { parse } from 'yaml';
import { DEV_CONTEXTS } from './dev-paths.js';
import { withWorkspaceContexts } from './dev-kubeconfig.js';

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
  // Loaded by who needs it: the roles start faster and smaller without it.
  const { EmbeddedKcp } = await import('@dep-ctrl/embedded-kcp');
  try {
    return await EmbeddedKcp.start({ port, shards, delays: SPEED });
  } catch (error) {
    throw listenFailure(error, { flag: '--port', address: { host: '127.0.0.1', port } });
  }
}

function reach({ kubeconfig: file, context }: { readonly kubeconfig: string; readonly context: string | undefined }): DevKcp {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`--against must be a kubeconfig that can be read, not ${JSON.stringify(file)}`, { cause: error });
  }
  const kubeconfig = withContexts(text, { from: context, folder: dirname(file) });
  const connection = connect(kubeconfig);
  return { description: 'the given kcp', connection, kubeconfig, close: () => connection.close() };
}

function withContexts(kubeconfig: string, { from, folder }: { readonly from: string | undefined; readonly folder: string }): string {
  const readFile = (path: string) => readFileSync(isAbsolute(path) ? path : join(folder, path), 'utf8');
  const extended = withWorkspaceContexts(kubeconfig, DEV_CONTEXTS, { from, readFile });
  if (!extended.ok) throw new UsageError(`--against must be the kubeconfig of a kcp: ${extended.problem}`);
  return extended.value;
}

function connect(kubeconfig: string): Connection {
  const loaded = loadKubeconfig({ object: parse(kubeconfig) as unknown, context: 'root' });
  if (!loaded.ok) throw new UsageError(`--against must be the kubeconfig of a kcp: ${loaded.problem}`);
  return new Connection(loaded.value);
}
