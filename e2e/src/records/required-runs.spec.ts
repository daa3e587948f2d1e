import { describe, expect, it } from '@jest/globals';
import type { KnownTest } from './known-tests.js';
import { placesFor } from './required-runs.js';

const OLDER = ['kcp 0.31.6', 'kcp 0.30.3'];

describe(placesFor, () => {
  it.each<{ given: string; test?: string; about?: Pick<KnownTest, 'needs' | 'since'>; expected: readonly string[] }>([
    { given: 'any scenario', expected: ['embedded 0.32.3', 'embedded-2 0.32.3', 'kcp 0.32.3', 'kcp-2 0.32.3', ...OLDER] },
    { given: 'one that needs two shards', about: { needs: ['two-shards'] }, expected: ['embedded-2 0.32.3', 'kcp-2 0.32.3'] },
    { given: 'one that takes the cache away', about: { needs: ['cache'] }, expected: ['embedded-2 0.32.3', 'kcp-2 0.32.3'] },
    {
      given: 'one that makes sense with one shard',
      about: { needs: ['one-shard'] },
      expected: ['embedded 0.32.3', 'kcp 0.32.3', ...OLDER],
    },
    {
      given: 'one that is true since kcp 0.32.0',
      about: { since: '0.32.0' },
      expected: ['embedded 0.32.3', 'embedded-2 0.32.3', 'kcp 0.32.3', 'kcp-2 0.32.3'],
    },
    { given: 'the soak', test: 'soak', expected: ['kcp 0.32.3'] },
  ])('given $given, then it has to have run there', ({ test = 'S1.1', about = {}, expected }) => {
    expect(placesFor(test, about).map(({ backend, kcp }) => `${backend} ${kcp}`)).toEqual(expected);
  });
});
