import { describe, expect, it } from '@jest/globals';
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import { claimHash, exportHash, reflexiveHash } from './permission-claims.js';

// Values that a real kcp v0.32.3 writes.
describe(exportHash, () => {
  it.each([
    ['root', 'tenancy.kcp.io', 'bmCdly9xXiUpEHe3ypvDwvXMTfoVZUE92mqAQf'],
    ['root', 'topology.kcp.io', '7QHLqjz8KlhjPddt8MECYq0OLDUNvLAO5v9x4x'],
    ['abcd1234', 'my-export', 'phGj1BkmdNY3LKTrtFc1KGLYTBs8Nt50p8PIU'],
  ])('given %s and %s, then %s', (cluster, name, expected) => {
    expect(exportHash(cluster as LogicalClusterName, name)).toBe(expected);
  });
});

describe(claimHash, () => {
  it.each([
    [{ group: '', resource: 'configmaps', identityHash: '' }, '3QVjs6pfBjMpLEVYYhysJnroYGsQGlWm05E4qe'],
    [{ group: 'apps', resource: 'deployments', identityHash: 'deadbeef' }, '4CpOMiJ5JL9ZC4cG8ne7nGNQbSOEUiwZ89KHal'],
    [
      { group: 'admissionregistration.k8s.io', resource: 'validatingwebhookconfigurations', identityHash: '' },
      'ayfUOAJpK8JCFvjhwkjskXsKcqdJELOxhpOEiJ',
    ],
  ])('given %j, then %s', (claim, expected) => {
    expect(claimHash(claim)).toBe(expected);
  });
});

describe(reflexiveHash, () => {
  it('is what every binding carries for its export', () => {
    expect(reflexiveHash()).toBe('LstvmbbzVDDOn90ZbhzSQO5U3DMCf88h1pZ');
  });
});
