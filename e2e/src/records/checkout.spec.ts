import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Checkout, stampOf } from './checkout.js';

/** A repository with one commit for each file of the list, oldest first; the file is new or longer. */
function inRepository(files: readonly string[], look: (root: string, commits: readonly string[]) => void): void {
  const root = mkdtempSync(join(tmpdir(), 'checkout-'));
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'commit.gpgsign=false', ...args], {
      cwd: root,
      encoding: 'utf8',
    });
  try {
    git('init', '--quiet');
    const commits = files.map((file, at) => {
      write(root, file, `${at}`);
      git('add', '.');
      git('commit', '--quiet', '--message', `${at}`);
      return git('rev-parse', 'HEAD').trim();
    });
    look(root, commits);
  } finally {
    rmSync(root, { recursive: true });
  }
}

function write(root: string, file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}

const FILES = ['apps/a.ts', 'libs/b.ts', 'docs/c.md', 'e2e/s1.ts', 'e2e/s2.ts', 'apps/a.ts', 'libs-of-others/d.ts'];

describe(Checkout, () => {
  it.each([
    { given: 'a scenario', files: ['e2e/s1.ts'], expected: 3 },
    { given: 'the folder of a suite', files: ['e2e'], expected: 4 },
    { given: 'no file of its own', files: [], expected: 2 },
  ])('given $given, then the commits to it and to the code are counted, and no others', ({ files, expected }) => {
    inRepository(FILES, (root, [first = '', second = '']) => {
      expect(new Checkout(root).since(first, files)).toEqual({ commits: expected });
      expect(new Checkout(root).since(second, files)).toEqual({ commits: expected - 1 });
    });
  });

  it('given the newest commit, then there is none after it', () => {
    inRepository(FILES, (root, commits) => {
      expect(new Checkout(root).since(commits.at(-1) ?? '', ['e2e'])).toEqual({ commits: 0 });
    });
  });

  it('given a commit that is not there, then that is told', () => {
    inRepository(FILES, (root) => {
      expect(new Checkout(root).since('0123456789abcdef0123456789abcdef01234567', [])).toEqual({ unknown: 'commit' });
    });
  });

  it('given a shallow clone, then it counts as far as its history goes, and says where it cannot tell', () => {
    inRepository(FILES, (root, commits) => {
      const clone = join(root, 'clone');
      execFileSync('git', ['clone', '--quiet', '--depth', '3', `file://${root}`, clone]);
      const checkout = new Checkout(clone);

      expect(checkout.since(commits.at(-3) ?? '', [])).toEqual({ commits: 1 });
      expect(checkout.since(commits[0] ?? '', [])).toEqual({ unknown: 'history' });
    });
  });

  it('given a folder outside of git, then it cannot tell, and nothing is stamped', () => {
    const dir = mkdtempSync(join(tmpdir(), 'no-checkout-'));

    expect(new Checkout(dir).since('abc', [])).toEqual({ unknown: 'history' });
    expect(stampOf(dir, new Date())).toBeUndefined();
    rmSync(dir, { recursive: true });
  });
});

describe(stampOf, () => {
  it('given files as they were committed, then the stamp says when and which commit', () => {
    inRepository(FILES, (root, commits) => {
      expect(stampOf(root, new Date('2026-01-02T03:04:05.678Z'))).toEqual({ on: '2026-01-02T03:04:05Z', commit: commits.at(-1) });
    });
  });

  it.each([
    { changed: 'apps/a.ts', dirty: true },
    { changed: 'e2e/new.ts', dirty: true },
    { changed: 'docs/runs.jsonl', dirty: undefined },
  ])('given a change to $changed, then the stamp says of the code that it is dirty: $dirty', ({ changed, dirty }) => {
    inRepository(FILES, (root) => {
      write(root, changed, 'changed');

      expect(stampOf(root, new Date())?.dirty).toBe(dirty);
    });
  });
});
