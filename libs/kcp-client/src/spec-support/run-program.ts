import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** What a program of examples/ prints, as a program of its own. */
export async function printedBy(program: URL, env: Readonly<Record<string, string>>): Promise<string> {
  const runTs = fileURLToPath(new URL('../../../../tools/run-ts.mjs', import.meta.url));
  const all = { ...process.env, NODE_OPTIONS: '', FORCE_COLOR: '0', ...env };
  return (await promisify(execFile)(process.execPath, [runTs, fileURLToPath(program)], { env: all })).stdout;
}
