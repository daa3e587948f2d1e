import { describe, expect, it } from '@jest/globals';
import { parseCallTimeout } from './call-timeout.js';

describe(parseCallTimeout, () => {
  it.each([
    ['timeout=2s', 2_000],
    ['timeout=500ms', 500],
    ['timeout=1.5s', 1_500],
    ['timeout=12.25s', 12_250],
    ['timeout=1s500ms', 1_500],
    ['a=b&timeout=3s', 3_000],
    ['timeout=30s', 30_000],
    ['timeout=0.001h', 3_600],
    ['timeout=0.1m', 6_000],
  ])('given %j, then the caller waits for %i ms', (query, ms) => expect(parseCallTimeout(query)).toBe(ms));

  it.each(['timeout=31s', 'timeout=1m', 'timeout=1h'])('given %j, then Kubernetes waits for 30 s at most', (query) =>
    expect(parseCallTimeout(query)).toBe(30_000),
  );

  it.each([
    '',
    'timeout=',
    'timeout=x',
    'timeout=2',
    'timeout=.5s',
    'timeout=1.s',
    'timeout=-1s',
    'timeout=x2s',
    'timeout=2sx',
    'timeout=0s',
  ])('given %j, then Kubernetes waits for 10 s', (query) => expect(parseCallTimeout(query)).toBe(10_000));
});
