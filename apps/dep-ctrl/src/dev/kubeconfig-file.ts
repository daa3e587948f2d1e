// The kubeconfig with which people try things while `dev` runs. It gives access to a whole kcp, so the file exists only while `dev` waits for people:
// `--once` writes none, and the kubeconfig of a kcp given with --against is never written into a project's folder.
import { mkdtemp, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { makeFolder, UsageError } from '@dep-ctrl/command-settings';
import { serverOfDev } from './served-kubeconfig.js';

/** A kubeconfig in a file, until it is removed. */
export interface KubeconfigFile {
  readonly path: string;
  /** Removes the file, unless another process has written it meanwhile. */
  remove(): Promise<void>;
}

/** Writes the kubeconfig of the embedded kcp into --dir. Throws UsageError if that is not possible, or if it would replace another kubeconfig. */
export async function writeKubeconfigIn(dir: string, kubeconfig: string): Promise<KubeconfigFile> {
  const path = resolve(dir, FILE);
  const inUse = await whyKept(path, kubeconfig);
  if (inUse !== undefined) throw new UsageError(`--dir must be another folder than ${JSON.stringify(dir)}: ${inUse}`);
  try {
    await makeFolder(dir);
    await writeFile(path, kubeconfig, { mode: 0o600 });
  } catch (error) {
    throw new UsageError(`--dir must be a folder that can be written to, not ${JSON.stringify(dir)}`, { cause: error });
  }
  return { path, remove: () => removeOwn(path, kubeconfig) };
}

/** Writes the kubeconfig of a kcp that is not ours into a new folder of its own. */
export async function writeKubeconfigAside(kubeconfig: string): Promise<KubeconfigFile> {
  const dir = await mkdtemp(join(tmpdir(), 'dep-ctrl-dev-'));
  const path = join(dir, FILE);
  await writeFile(path, kubeconfig, { mode: 0o600 });
  return {
    path,
    remove: async () => {
      await removeOwn(path, kubeconfig);
      await rmdir(dir).catch(() => undefined); // somebody put something there: it stays
    },
  };
}

const FILE = 'admin.kubeconfig';
const LOOPBACK_ANSWERS_WITHIN_MS = 1_000;

// A file that a killed demo left behind is not in use: its kcp is gone, or its port is ours by now.
async function whyKept(path: string, kubeconfig: string): Promise<string | undefined> {
  const found = await readFile(path, 'utf8').catch(() => undefined);
  if (found === undefined) return undefined;
  const server = serverOfDev(found);
  if (server === undefined) return `its ${FILE} was not written by dep-ctrl dev`;
  return server.origin !== serverOfDev(kubeconfig)?.origin && (await listens(server))
    ? `its ${FILE} is of another dep-ctrl dev, which runs at ${server.origin}`
    : undefined;
}

function listens({ hostname, port }: URL): Promise<boolean> {
  return new Promise((resolved) => {
    const socket = connect({ host: hostname, port: Number(port), timeout: LOOPBACK_ANSWERS_WITHIN_MS });
    const tell = (answer: boolean) => () => {
      socket.destroy();
      resolved(answer);
    };
    socket.once('connect', tell(true)).once('error', tell(false)).once('timeout', tell(true));
  });
}

async function removeOwn(path: string, kubeconfig: string): Promise<void> {
  const found = await readFile(path, 'utf8').catch(() => undefined);
  if (found === kubeconfig) await rm(path, { force: true });
}
