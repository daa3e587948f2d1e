import { describe, expect, it } from '@jest/globals';
import { isAdmissionTarget, isCallOfKcp, isLenient, parseReviewTarget, parseServedTarget } from './review-target.js';

describe(parseReviewTarget, () => {
  it.each([
    ['/validate', { guardedCluster: undefined, token: undefined, mode: 'enforcing' }],
    ['/validate/advisory', { guardedCluster: undefined, token: undefined, mode: 'advisory' }],
    ['/validate/2c7ohl4h8q1x0n9k', { guardedCluster: '2c7ohl4h8q1x0n9k', token: undefined, mode: 'enforcing' }],
    ['/validate/abc/t0k3n/handed-over', { guardedCluster: 'abc', token: 't0k3n', mode: 'handed-over' }],
    ['/validate/abc/advisory', { guardedCluster: 'abc', token: undefined, mode: 'advisory' }],
    ['/validate/abc/tok-en_1', { guardedCluster: 'abc', token: 'tok-en_1', mode: 'enforcing' }],
    ['/validate/abc/token/bypass', { guardedCluster: 'abc', token: 'token', mode: 'bypass' }],
    ['/validate/system%3Aadmin', { guardedCluster: 'system:admin', token: undefined, mode: 'enforcing' }],
  ])('given %s, then it is understood', (url, expected) => {
    expect(parseReviewTarget(url)).toEqual({ ...expected, timeoutMs: 10_000 });
  });

  it.each([
    '',
    '/',
    '/validat',
    '/validate/',
    '/validate//token',
    '/validate/abc/',
    '/validate/Abc',
    '/validate/a%2Fb',
    '/validate/%',
    '/validate/*',
    '/validate/a/b/c',
    '/validate/a/b/c/bypass',
    'validate/abc',
    'x/validate/abc',
  ])('given %j, then it is not found', (url) => {
    expect(parseReviewTarget(url)).toBeUndefined();
  });

  it.each([
    ['timeout=2s', 2_000],
    ['timeout=500ms', 500],
    ['timeout=1m', 30_000],
    ['a=b&timeout=1.5s', 1_500],
    ['timeout=1s500ms', 1_500],
    ['timeout=0s', 10_000],
    ['timeout=-1s', 10_000],
    ['timeout=soon', 10_000],
    ['timeout=', 10_000],
  ])('given the query %s, then kcp waits %i ms', (query, timeoutMs) => {
    expect(parseReviewTarget(`/validate/abc?${query}`)).toMatchObject({ timeoutMs });
  });
});

describe(isLenient, () => {
  it.each([
    { mode: 'enforcing', expected: false },
    { mode: 'handed-over', expected: false },
    { mode: 'advisory', expected: true },
    { mode: 'bypass', expected: true },
  ] as const)('given the mode $mode, then a doubt leads to an answer that allows: $expected', ({ mode, expected }) => {
    expect(isLenient(mode)).toBe(expected);
  });
});

describe(isAdmissionTarget, () => {
  it.each([
    { url: '/admit', expected: true },
    { url: '/validate/abc', expected: false },
  ])('given $url, then it is about rules that are written: $expected', ({ url, expected }) => {
    expect(isAdmissionTarget(parseServedTarget(url)!)).toBe(expected);
  });
});

describe(parseServedTarget, () => {
  it.each([
    ['/admit', { asksAbout: 'rules', token: undefined, timeoutMs: 10_000 }],
    ['/admit/tok-en_1?timeout=2s', { asksAbout: 'rules', token: 'tok-en_1', timeoutMs: 2_000 }],
    ['/validate/abc', expect.objectContaining({ guardedCluster: 'abc' })],
  ])('given %s, then it is understood', (url, expected) => {
    expect(parseServedTarget(url)).toEqual(expected);
  });

  it.each(['/admit/', '/x/admit', '/admit//x', '/admit/a/b', '/admitted', 'admit', '/admit/a/advisory'])(
    'given %j, then it is not found',
    (url) => {
      expect(parseServedTarget(url)).toBeUndefined();
    },
  );

  it.each([
    ['/validate', true],
    ['/validate/x', true],
    ['/x/validate', false],
    ['/admit?a', true],
    ['/admit/a/b', true],
    ['/admitted', false],
    ['/', false],
  ])('given %j, then it is for kcp alone: %s', (url, expected) => {
    expect(isCallOfKcp(url)).toBe(expected);
  });
});
