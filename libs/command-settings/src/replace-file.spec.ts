import { chmod, mkdir, mkdtemp, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { replaceFile } from './replace-file.js';

describe(replaceFile, () => {
  let dir: string;

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'replace-file-'));
  });

  afterEach(() => rm(dir, { recursive: true }));

  it('given no file, then it is made for its owner only', async () => {
    await replaceFile(join(dir, 'new'), 'text');

    expect([await textOf('new'), await modeOf('new'), await readdir(dir)]).toEqual(['text', 0o600, ['new']]);
  });

  it('given a file behind a link, then the file has the new text and its mode, and the link stays', async () => {
    await writeFile(join(dir, 'file'), 'old');
    await chmod(join(dir, 'file'), 0o640);
    await symlink('file', join(dir, 'link'));

    await replaceFile(join(dir, 'link'), 'new');

    expect([await textOf('file'), await modeOf('file'), (await readdir(dir)).toSorted()]).toEqual(['new', 0o640, ['file', 'link']]);
    expect((await readdir(dir, { withFileTypes: true })).find(({ name }) => name === 'link')?.isSymbolicLink()).toBe(true);
  });

  it('given a place where nothing can be written, then the file is named, what was there stays, and nothing is left', async () => {
    await mkdir(join(dir, 'folder'));
    await writeFile(join(dir, 'folder', 'inside'), 'old');

    await expect(replaceFile(join(dir, 'folder'), 'new')).rejects.toThrow(`${join(dir, 'folder')} cannot be written`);
    await expect(replaceFile(join(dir, 'none', 'file'), 'new')).rejects.toThrow(`${join(dir, 'none', 'file')} cannot be written`);

    expect([await textOf('folder/inside'), await readdir(dir)]).toEqual(['old', ['folder']]);
  });

  function textOf(name: string): Promise<string> {
    return readFile(join(dir, name), 'utf8');
  }

  async function modeOf(name: string): Promise<number> {
    return (await stat(join(dir, name))).mode & 0o777;
  }
});
