import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KeyPair } from './pki.js';

/** Makes a folder for one backend's files under the temp folder of the system. */
export function makeWorkDir(name: string): string {
  return mkdtempSync(join(tmpdir(), `dep-ctrl-${name}-`));
}

/** Removes it, with keys and data. */
export function removeWorkDir(dir: string): void {
  rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
}

/** Writes a file that only we may read, and says where it is. */
export function writePrivate(dir: string, name: string, text: string): string {
  const file = join(dir, name);
  writeFileSync(file, text, { mode: 0o600 });
  return file;
}

/** Writes a certificate and its key as `NAME.crt` and `NAME.key`. */
export function writePair(dir: string, name: string, pair: KeyPair): { readonly cert: string; readonly key: string } {
  return { cert: writePrivate(dir, `${name}.crt`, pair.cert), key: writePrivate(dir, `${name}.key`, pair.key) };
}
