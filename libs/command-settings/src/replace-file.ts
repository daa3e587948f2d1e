import { chmod, chown, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';

/**
 * Writes a file as a whole: no process reads half of it, and where it cannot be written, what was there stays. A file that was there keeps its owner and
 * mode; a new one is for its owner only. Throws an error that names the file.
 */
export async function replaceFile(file: string, text: string): Promise<void> {
  const before = await whatIsAt(file);
  const target = before?.path ?? file;
  const next = `${target}.next`;
  try {
    await writeFile(next, text, { mode: 0o600 });
    if (before !== undefined) {
      const { mode, uid, gid } = before;
      await chmod(next, mode & 0o777);
      const made = await stat(next);
      if (made.uid !== uid || made.gid !== gid) await chown(next, uid, gid);
    }
    await rename(next, target);
  } catch (error) {
    await rm(next, { force: true });
    throw new Error(`${file} cannot be written`, { cause: error });
  }
}

/** Behind a symbolic link the file itself. */
async function whatIsAt(file: string) {
  try {
    const path = await realpath(file);
    const { mode, uid, gid } = await stat(path);
    return { path, mode, uid, gid };
  } catch {
    return undefined;
  }
}
