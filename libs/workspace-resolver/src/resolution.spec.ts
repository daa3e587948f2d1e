import { describe, expect, it } from '@jest/globals';
import { workspacePath, type LogicalClusterName } from '@dep-ctrl/kcp-names';
import { forbiddenIn, printResolution, type Resolution } from './resolution.js';

describe(printResolution, () => {
  const cluster = 'c1' as LogicalClusterName; // any name will do here

  it.each<{ readonly resolution: Resolution; readonly expected: string }>([
    {
      resolution: { state: 'found', cluster, from: 'workspaces', terminating: false },
      expected: 'workspace "root:a:b" is logical cluster c1',
    },
    { resolution: { state: 'missing', path: workspacePath('root:a:b') }, expected: 'workspace "root:a:b" does not exist' },
    {
      resolution: { state: 'missing', path: workspacePath('root:a') },
      expected: 'workspace "root:a:b" does not exist: there is no "root:a"',
    },
    {
      resolution: forbiddenIn(workspacePath('root:a'), { isUnknown: false }),
      expected:
        'cannot look up workspace "root:a:b": may not list workspaces.tenancy.kcp.io, and access on / in "root:a": bind ClusterRoles system:kcp:tenancy:reader and system:kcp:workspace:access there',
    },
    {
      resolution: forbiddenIn(workspacePath('root:a'), { isUnknown: true }),
      expected:
        'kcp knows no workspace "root:a:b" now, and cannot be asked for sure: may not list workspaces.tenancy.kcp.io, and access on / in "root:a": bind ClusterRoles system:kcp:tenancy:reader and system:kcp:workspace:access there',
    },
    {
      resolution: { state: 'unreachable', problem: 'connection refused', retryable: true },
      expected: 'cannot look up workspace "root:a:b": connection refused',
    },
  ])('given $resolution.state, then it says: $expected', ({ resolution, expected }) => {
    expect(printResolution(workspacePath('root:a:b'), resolution)).toBe(expected);
  });
});
