import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Makes a folder for its owner only, and those above it. Node's own way to do both never ends in Node 20 where a parent takes no folder, such as /proc. */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if (isCode(error, 'EEXIST') && (await stat(folder)).isDirectory()) return;
    if (!isCode(error, 'ENOENT') || dirname(folder) === folder) throw error;
    await makeFolder(dirname(folder));
    await mkdir(folder, { mode: 0o700 });
  }
}

function isCode(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}
