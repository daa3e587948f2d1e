// Asks the desktop to show an address. The address is a secret, and other users of the machine can read the arguments of every process: so the browser is given
// a file that only this user may read, and the file leads to the address.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { World } from '@dep-ctrl/command-settings';

/** What each system calls the program that opens a file as its user would. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, string>>> = { darwin: 'open', win32: 'explorer' };

/** Opens it. Where that fails, says so: the address is printed anyway. Answers how to remove the file again. */
export function openInBrowser(address: string, { env, stderr }: Pick<World, 'env' | 'stderr'>): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'dep-ctrl-console-'));
  const file = join(folder, 'open.html');
  writeFileSync(file, `<!doctype html><meta http-equiv="refresh" content="0; url=${address}"><a href="${address}">console</a>\n`, {
    mode: 0o600,
  });
  const opener = OPENERS[process.platform] ?? 'xdg-open';
  const child = spawn(opener, [file], { env: { ...env }, stdio: 'ignore', detached: true });
  const failed = (why: string): void => {
    stderr.write(`no browser could be opened (${why}): open the address yourself\n`);
  };
  child.once('error', ({ message }) => failed(message));
  child.once('exit', (code, signal) => {
    if (signal !== null) failed(`${opener} failed, ${signal}`);
    // explorer exits with 1 when it has opened the file.
    else if (code !== 0 && process.platform !== 'win32') failed(`${opener} failed, exit code ${String(code)}`);
  });
  child.unref();
  return () => rmSync(folder, { recursive: true, force: true });
}
