// The kubeconfig with which people try things while `dev` runs. It opens a whole kcp, so it is there for exactly as long as there is something to
// try: a story that only runs through writes none, and that of a kcp which is not ours never lies in a project's folder.
import { mkdtemp, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { UsageError } from '../cli/command.js';
import { makeFolder } from '../cli/make-folder.js';

/** A kubeconfig in a file, until it is removed. */
export interface KubeconfigFile {
  readonly path: string;
  /** Removes the file, unless somebody else has written it meanwhile. */
  remove(): Promise<void>;
}

/** Writes the kubeconfig of the embedded kcp where its user expects it. Throws UsageError where that cannot be. */
export async function writeKubeconfigIn(dir: string, kubeconfig: string): Promise<KubeconfigFile> {
  const path = resolve(dir, FILE);
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

async function removeOwn(path: string, kubeconfig: string): Promise<void> {
  const found = await readFile(path, 'utf8').catch(() => undefined);
  if (found === kubeconfig) await rm(path, { force: true });
}
