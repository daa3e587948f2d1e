// The single file is for machines that have neither Node nor this repository.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const run = promisify(execFile);
/** An empty folder, which is all that its PATH leads to. */
const elsewhere = mkdtempSync(join(tmpdir(), 'dep-ctrl-alone-'));
let built: string;

/** Runs the executable where nothing else is. */
function alone(...args: readonly string[]) {
  return run(built, args, { cwd: elsewhere, env: { PATH: elsewhere, HOME: elsewhere }, timeout: 60_000 });
}

describe('npm run executable', () => {
  beforeAll(async () => {
    const { stdout } = await run(process.execPath, [join(ROOT, 'tools/executable.mjs')], { cwd: ROOT, timeout: 300_000 });
    built = stdout.trim();
  }, 300_000);

  afterAll(() => rmSync(elsewhere, { recursive: true }));

  it('given it has run, then the file is where CONTRIBUTING.md and operations.md say', () => {
    const name = /^npm run executable +# .*: (\S+)$/m.exec(readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8'))?.[1];

    expect(join(ROOT, name ?? '')).toBe(built);
    expect(readFileSync(join(ROOT, 'docs/operations.md'), 'utf8')).toContain(`npm run executable\` writes the same as \`${String(name)}\``);
  });

  it('given no Node on PATH, then it says its version', async () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'apps/dep-ctrl/package.json'), 'utf8')) as { readonly version: string };

    expect(await alone('--version')).toEqual({ stdout: `${version}\n`, stderr: '' });
  });

  it('given no Node on PATH, then "dev --once" plays the story to its end', async () => {
    const { stdout } = await alone('dev', '--once', '--port', '0');

    expect(stdout).toContain('still referenced by VirtualMachine/my-vm');
  }, 90_000);
});
