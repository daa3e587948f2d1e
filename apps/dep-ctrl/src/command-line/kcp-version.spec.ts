import { describe, expect, it } from '@jest/globals';
import { systemClock } from '@dep-ctrl/kcp-client';
import { ensureWorkspace } from '@dep-ctrl/kcp-objects';
import { DEV_PATHS } from '../dev/dev-paths.js';
import { onEmbeddedKcp } from '../testing/embedded-world.js';
import { olderThan, versionOf } from './kcp-version.js';

describe(olderThan, () => {
  it.each([
    { version: 'v1.35.0+kcp-v0.31.0', expected: 'v0.31.0' },
    { version: 'v1.36.0+kcp-v0.32.0-rc.1', expected: undefined },
    { version: 'v1.36.0+kcp-v0.32.3', expected: undefined },
    { version: 'v1.40.0+kcp-v1.0.0', expected: undefined },
    { version: 'v1.34.2', expected: undefined },
    { version: '', expected: undefined },
  ])('given $version, then it is $expected that is older than 0.32', ({ version, expected }) => {
    expect(olderThan([0, 32], version)).toBe(expected);
  });

  it('given a version before a major one, then it is older', () => {
    expect(olderThan([1, 0], 'v1.40.0+kcp-v0.99.0')).toBe('v0.99.0');
  });
});

describe(versionOf, () => {
  it('given a kcp, then it is its version; given none that answers, then nothing', () =>
    onEmbeddedKcp(async ({ admin, kcp }) => {
      const { signal } = new AbortController();
      await ensureWorkspace(admin, DEV_PATHS.depCtrl, { clock: systemClock, signal });
      const before = await versionOf(admin, DEV_PATHS.depCtrl, { signal });

      kcp.faults.onRequest({}, { kind: 'answer', status: 503 });

      expect([before, await versionOf(admin, DEV_PATHS.depCtrl, { signal })]).toEqual([expect.stringContaining('+kcp-v0.32'), '']);
    }));
});
