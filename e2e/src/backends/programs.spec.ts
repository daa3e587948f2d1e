import { describe, expect, it } from '@jest/globals';
import { findPrograms, isAtLeast } from './programs.js';

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
