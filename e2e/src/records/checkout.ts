// What git knows about the code that ran: which commit it is, and how much has changed since.
import { execFileSync } from 'node:child_process';
import type { Stamp } from './run-record.js';

/** The code whose tests are recorded, and what every test stands on, beside the files of the test itself. */
export const COVERED = [
  'apps',
  'libs',
  'package-lock.json',
  'e2e/src/backends',
  'e2e/src/faults',
  'e2e/src/https',
  'e2e/src/running',
  'e2e/src/stage',
] as const;

// Whatever of these differs from the commit, something else ran than the commit says.
const RUNS = ['apps', 'libs', 'e2e', 'deploy', 'package-lock.json'];

/** How many commits to some code there were since. */
export type Since = { readonly commits: number } | { readonly unknown: 'commit' | 'history' };

/** The files that each later commit changed, or why nobody can say. */
type Later = { readonly changes: readonly (readonly string[])[] } | { readonly unknown: 'commit' | 'history' };

/** Which code is checked out now; undefined outside of a git repository. */
export function stampOf(root: string, now: Date): Stamp | undefined {
  try {
    const commit = git(root, 'rev-parse', 'HEAD').trim();
    const isDirty = git(root, 'status', '--porcelain', '--', ...RUNS) !== '';
    return { on: `${now.toISOString().slice(0, 19)}Z`, commit, ...(isDirty ? { dirty: true } : {}) };
  } catch {
    return undefined;
  }
}

/** Counts commits; asks git once for each commit that is counted from. */
export class Checkout {
  readonly #root: string;
  /** By the commit that is counted from. */
  readonly #later = new Map<string, Later>();

  constructor(root: string) {
    this.#root = root;
  }

  /** The commits after this one that changed the code, or one of these files or folders. */
  since(commit: string, files: readonly string[]): Since {
    const known = this.#later.get(commit) ?? this.#commitsAfter(commit);
    this.#later.set(commit, known);
    if ('unknown' in known) return known;
    const paths = [...COVERED, ...files];
    const isCovered = (file: string): boolean => paths.some((path) => file === path || file.startsWith(`${path}/`));
    return { commits: known.changes.filter((files) => files.some(isCovered)).length };
  }

  #commitsAfter(commit: string): Later {
    if (!this.#answers('rev-parse', '--git-dir')) return { unknown: 'history' };
    if (!this.#answers('cat-file', '-e', `${commit}^{commit}`)) {
      // A shallow clone lacks old commits; a whole one lacks those that were never part of it.
      const isShallow = git(this.#root, 'rev-parse', '--is-shallow-repository').trim() === 'true';
      return { unknown: isShallow ? 'history' : 'commit' };
    }
    const log = git(this.#root, 'log', '--format=%x00', '--name-only', '--no-renames', `${commit}..HEAD`);
    const changes = log.split('\0').slice(1);
    return { changes: changes.map((each) => each.split('\n').filter((line) => line !== '')) };
  }

  #answers(...args: readonly string[]): boolean {
    try {
      git(this.#root, ...args);
      return true;
    } catch {
      return false;
    }
  }
}

function git(root: string, ...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 2 ** 28 });
}
