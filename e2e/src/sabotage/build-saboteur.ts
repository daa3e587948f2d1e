import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Saboteur } from './saboteur.js';

/** Builds the program with the changes of a saboteur; answers where it is. */
export async function buildSaboteur({ name, changes }: Saboteur, folder: string): Promise<string> {
  const script = process.env['DEP_CTRL_CHANGED_PROGRAM'];
  if (script === undefined) throw new Error('DEP_CTRL_CHANGED_PROGRAM is not set: run e2e/run.mjs');
  mkdirSync(folder, { recursive: true });
  const program = join(folder, `${name}.cjs`);
  const build = spawn(process.execPath, [script, program], { stdio: ['pipe', 'ignore', 'pipe'] });
  build.stdin.end(JSON.stringify(changes));
  const [said, [code]] = await Promise.all([text(build.stderr), once(build, 'close') as Promise<[number]>]);
  if (code !== 0) throw new Error(`saboteur ${name} cannot be built: ${said}`);
  return program;
}
