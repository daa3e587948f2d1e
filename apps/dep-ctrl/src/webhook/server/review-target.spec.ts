import { describe, expect, it } from '@jest/globals';
import { parseReviewTarget } from './review-target.js';

describe(parseReviewTarget, () => {
  it.each([
    ['/validate', { guardedCluster: undefined, token: undefined, mode: 'enforcing' }],
    ['/validate/advisory', { guardedCluster: undefined, token: undefined, mode: 'advisory' }],
    ['/validate/2c7ohl4h8q1x0n9k', { guardedCluster: '2c7ohl4h8q1x0n9k', token: undefined, mode: 'enforcing' }],
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
