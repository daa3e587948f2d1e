import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { until } from '@dep-ctrl/kcp-objects';
import { options } from '../doctor/spec-support/installed-world.js';
import { openInBrowser } from './open-in-browser.js';

const ADDRESS = 'http://127.0.0.1:8090/secret/';

async function onFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'open-spec-'));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe(openInBrowser, () => {
  it('given a desktop, then its browser gets a file that only this user may read, which leads to the address; and the file goes', () =>
    onFolder(async (folder) => {
      const seen = join(folder, 'seen');
      // It takes the place of the desktop's own program, whichever that is here.
      for (const name of ['xdg-open', 'open', 'explorer']) {
        writeFileSync(join(folder, name), `#!/bin/sh\necho "$*" > '${seen}.part' && mv '${seen}.part' '${seen}'\n`, { mode: 0o755 });
      }
      const said: string[] = [];

      const close = openInBrowser(ADDRESS, {
        env: { PATH: `${folder}:/usr/bin:/bin` },
        stderr: { isTerminal: false, write: (text) => void said.push(text) },
      });
      await until('the browser', () => Promise.resolve(existsSync(seen) ? { done: true } : { waitingFor: 'its call' }), options());

      const file = readFileSync(seen, 'utf8').trim();
      expect(file).not.toContain('secret');
      expect(readFileSync(file, 'utf8')).toContain(`content="0; url=${ADDRESS}"`);
      expect(statSync(file).mode & 0o077).toBe(0);
      close();
      expect(existsSync(dirname(file))).toBe(false);
      expect(said).toEqual([]);
    }));

  it.each([
    { given: 'exits with 3', script: 'exit 3', reason: String.raw`\S+ failed, exit code 3` },
    { given: 'is killed', script: 'kill -9 $$', reason: String.raw`\S+ failed, SIGKILL` },
  ])('given a program of the desktop that $given, then the failure is told in one line', ({ script, reason }) =>
    onFolder(async (folder) => {
      for (const name of ['xdg-open', 'open', 'explorer']) writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
      const said: string[] = [];

      const close = openInBrowser(ADDRESS, {
        env: { PATH: `${folder}:/usr/bin:/bin` },
        stderr: { isTerminal: false, write: (text) => void said.push(text) },
      });
      await until('the line', () => Promise.resolve(said.length > 0 ? { done: true } : { waitingFor: 'it' }), options());
      close();

      expect(said).toEqual([
        expect.stringMatching(new RegExp(`^no browser could be opened \\(${reason}\\): open the address yourself\n$`)),
      ]);
    }),
  );

  it('given a machine without a desktop, then the failure is told in one line', () =>
    onFolder(async (folder) => {
      const said: string[] = [];

      const close = openInBrowser(ADDRESS, { env: { PATH: folder }, stderr: { isTerminal: false, write: (text) => void said.push(text) } });
      await until('the line', () => Promise.resolve(said.length > 0 ? { done: true } : { waitingFor: 'it' }), options());
      close();

      expect(said).toEqual([expect.stringMatching(/^no browser could be opened \(spawn \S+ ENOENT\): open the address yourself\n$/)]);
    }));
});
