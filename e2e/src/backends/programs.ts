import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import type { Missing } from './backend.js';

/** The programs of one kcp release. */
export type Program = 'kcp' | 'kcp-front-proxy' | 'cache-server';

/** Finds the programs: beside KCP_BIN where that is set, else on PATH. */
export function findPrograms<P extends Program>(
  wanted: readonly P[],
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<P, string>> | Missing {
  const found: Partial<Record<P, string>> = {};
  for (const program of wanted) {
    const file = candidates(program, env).find(isExecutable);
    if (file === undefined)
      return { missing: `no ${program} on PATH${env['KCP_BIN'] === undefined ? ' and KCP_BIN is not set' : ' or beside KCP_BIN'}` };
    found[program] = file;
  }
  return found as Record<P, string>;
}

/** The first file of that name on PATH that may be run. */
export function findExecutable(name: string, env: Readonly<Record<string, string | undefined>>): string | undefined {
  return onPath(name, env).find(isExecutable);
}

/**
 * Which version of kcp a program is: `kcp version v1.36.0+kcp-v0.32.3` is `0.32.3`. One that was built without version flags says
 * `v0.0.0-master+$Format:%H$`; of such a one the variable KCP_VERSION says which it is, else nobody knows.
 */
export function kcpVersion(kcp: string, env: Readonly<Record<string, string | undefined>>): string {
  const told = toldVersion(kcp);
  const given = env['KCP_VERSION'];
  if (given === undefined) return told ?? 'unknown';
  const version = /^v?(\d+\.\d+\.\d+)$/.exec(given)?.[1];
  if (version === undefined) throw new Error(`KCP_VERSION: "${given}" is no version such as 0.32.3`);
  if (told !== undefined && told !== version) throw new Error(`KCP_VERSION is ${version}, but ${kcp} says that it is ${told}`);
  return version;
}

/** The version that a program says of itself; undefined where it was built without version flags. */
export function toldVersion(kcp: string): string | undefined {
  return /kcp-v(\d+\.\d+\.\d+)/.exec(execFileSync(kcp, ['--version'], { encoding: 'utf8' }))?.[1];
}

/** Tells builds of one version apart: the beginning of the SHA-256 of the program; undefined where there is none. */
export function kcpBuild(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const found = findPrograms(['kcp'], env);
  if ('missing' in found) return undefined;
  return createHash('sha256').update(readFileSync(found.kcp)).digest('hex').slice(0, 12);
}

/** Whether version `a` is at least `b`, number by number; an unknown version counts as the newest. */
export function isAtLeast(a: string, b: string): boolean {
  if (a === 'unknown') return true;
  const [left, right] = [a, b].map((version) => version.split('.').map(Number));
  for (const [index, wanted] of (right ?? []).entries()) {
    const had = left?.[index] ?? 0;
    if (had !== wanted) return had > wanted;
  }
  return true;
}

function candidates(program: Program, env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const kcp = env['KCP_BIN'];
  const path = onPath(program, env);
  if (kcp === undefined) return path;
  return program === 'kcp' ? [kcp] : [join(dirname(kcp), program), ...path];
}

function onPath(name: string, env: Readonly<Record<string, string | undefined>>): readonly string[] {
  return (env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, name));
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
