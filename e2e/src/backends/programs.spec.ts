import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { findPrograms, isAtLeast, kcpBuild, kcpVersion, toldVersion } from './programs.js';

describe(isAtLeast, () => {
  it.each([
    ['0.32.3', '0.32', true],
    ['0.32.3', '0.32.3', true],
    ['0.32.3', '0.32.4', false],
    ['0.31.6', '0.32', false],
    ['1.0.0', '0.32.3', true],
    ['0.9.0', '0.10.0', false],
    ['unknown', '0.32', true],
  ])('given %s, when at least %s is asked for, then %s', (version, wanted, expected) => {
    expect(isAtLeast(version, wanted)).toBe(expected);
  });
});

describe(findPrograms, () => {
  it('given a program that is nowhere, then it is named', () => {
    expect(findPrograms(['kcp'], { PATH: '/nowhere' })).toEqual({ missing: 'no kcp on PATH and KCP_BIN is not set' });
  });

  it('given KCP_BIN, then kcp is that file', () => {
    expect(findPrograms(['kcp'], { KCP_BIN: process.execPath, PATH: '' })).toEqual({ kcp: process.execPath });
  });
});

describe(kcpVersion, () => {
  const flagged = 'kcp version v1.36.0+kcp-v0.32.3';
  const unflagged = 'kcp version v0.0.0-master+$Format:%H$';

  it.each<{ says: string; env: Readonly<Record<string, string>>; expected: string }>([
    { says: flagged, env: {}, expected: '0.32.3' },
    { says: flagged, env: { KCP_VERSION: '0.32.3' }, expected: '0.32.3' },
    { says: unflagged, env: {}, expected: 'unknown' },
    { says: unflagged, env: { KCP_VERSION: '0.31.6' }, expected: '0.31.6' },
    { says: unflagged, env: { KCP_VERSION: 'v0.31.6' }, expected: '0.31.6' },
  ])('given a kcp that says "$says", when the environment is $env, then it is $expected', ({ says, env, expected }) => {
    expect(withProgram(says, (kcp) => kcpVersion(kcp, env))).toBe(expected);
  });

  it.each([
    { says: flagged, version: '0.31.6', expected: /^KCP_VERSION is 0\.31\.6, but .* says that it is 0\.32\.3$/ },
    { says: unflagged, version: 'latest', expected: /^KCP_VERSION: "latest" is no version/ },
  ])('given a kcp that says "$says", when KCP_VERSION is $version, then it is refused', ({ says, version, expected }) => {
    expect(() => withProgram(says, (kcp) => kcpVersion(kcp, { KCP_VERSION: version }))).toThrow(expected);
  });

  it('given a kcp without version flags, then it does not tell its version', () => {
    expect(withProgram(unflagged, toldVersion)).toBeUndefined();
    expect(withProgram(flagged, toldVersion)).toBe('0.32.3');
  });
});

describe(kcpBuild, () => {
  it('given two programs, then they are told apart, and none is none', () => {
    const build = (says: string): string | undefined => withProgram(says, (kcp) => kcpBuild({ KCP_BIN: kcp, PATH: '' }));

    expect(build('a')).toMatch(/^[0-9a-f]{12}$/);
    expect(build('a')).toBe(build('a'));
    expect(build('a')).not.toBe(build('b'));
    expect(kcpBuild({ PATH: '/nowhere' })).toBeUndefined();
  });
});

/** A program that prints one line. */
function withProgram<T>(says: string, use: (program: string) => T): T {
  const dir = mkdtempSync(join(tmpdir(), 'program-'));
  const program = join(dir, 'kcp');
  writeFileSync(program, `#!/bin/sh\necho '${says}'\n`);
  chmodSync(program, 0o755);
  try {
    return use(program);
  } finally {
    rmSync(dir, { recursive: true });
  }
}
