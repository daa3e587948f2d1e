// The secret behind the URL tokens, for roles in separate processes. They share it in a file, because the webhook may not read Secrets.
import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '@dep-ctrl/command-settings';

/** Makes DIR/url-token, readable by its owner only. A file that exists stays, because its tokens are installed. Returns the file. */
export async function ensureUrlTokenFile(dir: string): Promise<string> {
  await makeFolder(dir);
  const file = join(dir, 'url-token');
  try {
    await writeFile(file, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return file; // what writeFile throws
    await rm(file, { force: true }); // half of it
    throw new Error(`${file} cannot be written`, { cause: error });
  }
  return file;
}
