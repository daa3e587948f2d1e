import { afterAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeFolder } from './make-folder.js';

const scratch = mkdtempSync(join(tmpdir(), 'make-folder-'));
const somewhere = () => mkdtempSync(join(scratch, 'each-'));

afterAll(() => rmSync(scratch, { recursive: true }));

describe(makeFolder, () => {
  it('given folders above that are not there, then they are made too, for their owner only', async () => {
    const folder = join(somewhere(), 'a', 'b');

    await makeFolder(folder);
    await makeFolder(folder);

    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it('given a file in its place, then it fails', async () => {
    const file = join(somewhere(), 'file');
    writeFileSync(file, '');

    await expect(makeFolder(file)).rejects.toThrow('EEXIST');
    await expect(makeFolder(join(file, 'in-it'))).rejects.toThrow('ENOTDIR');
  });
});
