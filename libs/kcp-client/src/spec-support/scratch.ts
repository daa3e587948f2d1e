import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for a spec's files, removed when disposed. */
export class Scratch {
  readonly folder = mkdtempSync(join(tmpdir(), 'kcp-client-'));

  /** Writes a file and answers its path. */
  write(name: string, content: string, mode = 0o600): string {
    const path = join(this.folder, name);
    writeFileSync(path, content, { mode });
    return path;
  }

  /** What is in a file. */
  read(name: string): string {
    return readFileSync(join(this.folder, name), 'utf8');
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
