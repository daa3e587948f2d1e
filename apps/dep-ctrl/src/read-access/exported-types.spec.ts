import { describe, expect, it } from '@jest/globals';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { RULES } from '@dep-ctrl/rule-registry';
import { exportedTypes } from './exported-types.js';

const exporting = (...resources: readonly unknown[]): KubeObject => ({
  metadata: { name: 'export' },
  spec: { resources },
});

describe(exportedTypes, () => {
  it.each([
    { given: 'no export', exports: [], expected: [] },
    { given: 'an export without a spec', exports: [{ metadata: { name: 'export' } }], expected: [] },
    { given: 'an export without resources', exports: [{ metadata: { name: 'export' }, spec: {} }], expected: [] },
    {
      given: 'two exports with a type in common',
      exports: [
        exporting({ group: 'b.io', name: 'vms' }, { group: 'b.io', name: 'disks' }),
        exporting({ group: 'a.io', name: 'nets' }, { group: 'b.io', name: 'vms' }),
      ],
      expected: ['nets.a.io', 'disks.b.io', 'vms.b.io'],
    },
    { given: 'types of dep-ctrl', exports: [exporting({ group: RULES.group, name: RULES.resource })], expected: [] },
    {
      given: 'types that kcp serves itself',
      exports: [
        exporting(
          { name: 'secrets' },
          { group: '', name: 'configmaps' },
          { group: 'rbac.authorization.k8s.io', name: 'clusterroles' },
          { group: 'core.kcp.io', name: 'logicalclusters' },
        ),
      ],
      expected: [],
    },
    {
      given: 'a group of Kubernetes that kcp does not serve',
      exports: [exporting({ group: 'gateway.networking.k8s.io', name: 'httproutes' })],
      expected: ['httproutes.gateway.networking.k8s.io'],
    },
    {
      given: 'the shortest names and the longest',
      exports: [exporting({ group: 'a.b', name: 'v' }, { group: 'g'.repeat(253), name: 'vms' }, { group: 'z.io', name: 'r'.repeat(63) })],
      expected: ['v.a.b', `vms.${'g'.repeat(253)}`, `${'r'.repeat(63)}.z.io`],
    },
    {
      given: 'entries that lack a name or are no types',
      exports: [exporting({ group: 'a.io' }, { group: 'a.io', name: 7 }, 7, { group: 'b.io', name: 'vms' })],
      expected: ['vms.b.io'],
    },
    {
      given: 'wildcards, subresources and other names that are none',
      exports: [
        exporting(
          { group: '*', name: '*' },
          { group: 'a.io', name: '*' },
          { group: '*', name: 'secrets' },
          { group: 'a.io', name: 'vms/status' },
          { group: 'a.io', name: 'VMs' },
          { group: 'a..io', name: 'vms' },
          { group: 'a'.repeat(254), name: 'vms' },
          { group: 'a.io', name: 'a'.repeat(64) },
        ),
      ],
      expected: [],
    },
  ])('given $given, then $expected', ({ exports, expected }) => {
    expect(exportedTypes(exports).map(({ group, resource }) => `${resource}.${group}`)).toEqual(expected);
  });
});
