// The folder of --kubeconfig-dir. It is made before anything is written to kcp: a bootstrap that failed at its last step would leave people in doubt.
import { access, constants } from 'node:fs/promises';
import { makeFolder, UsageError } from '@dep-ctrl/command-settings';

/** Makes sure that the folder is there and can be written to. Throws UsageError, which names the flag. */
export async function prepareKubeconfigDir(dir: string): Promise<void> {
  try {
    await makeFolder(dir);
    await access(dir, constants.W_OK);
  } catch (error) {
    throw new UsageError(`--kubeconfig-dir must be a folder to write into, not ${JSON.stringify(dir)}: ${whyNot(error)}`);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EEXIST: 'it is a file',
  ENOTDIR: 'a file is in its way',
  ENOENT: 'no folder can be made there',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
};

function whyNot(error: unknown): string {
  const { code = '' } = error as NodeJS.ErrnoException; // what mkdir and access throw
  return REASONS[code] ?? code;
}
