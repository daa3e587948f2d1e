import { describe, expect, it } from '@jest/globals';
import { atOnce } from '@dep-ctrl/fair-shares';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { API_BINDING_PARTS, boundResourcesOf, exporterIn, exportReferenceOf, isBindingOf, readApiBinding } from './api-binding.js';
import { computeBinding } from '../testing/index.js';

const LONGEST = 'x'.repeat(253);
const vms = { group: 'compute.example.com', resource: 'virtualmachines' };

describe(readApiBinding, () => {
  it('given a binding, then it tells what it is bound to, and the schema of each type', () => {
    expect(readApiBinding(computeBinding())).toEqual({
      name: 'compute',
      reference: { path: 'root:providers:compute', exportName: 'compute.example.com' },
      exporter: 'compute',
      bound: new Map([['compute.example.com/virtualmachines', { name: 'v1.virtualmachines.compute.example.com', uid: 'schema-1' }]]),
    });
  });

  it.each([
    { given: 'nothing', binding: {} },
    { given: 'texts for objects', binding: { spec: 'x', status: 'x' } },
    { given: 'texts one level deeper', binding: { spec: { reference: 'x' }, status: { boundResources: 'x' } } },
    { given: 'a text for the export', binding: { spec: { reference: { export: 'x' } } } },
    { given: 'numbers for texts', binding: { spec: { reference: { export: { path: 7, name: 7 } } }, status: { apiExportClusterName: 7 } } },
    {
      given: 'what is no path and no cluster',
      binding: { spec: { reference: { export: { path: '!' } } }, status: { apiExportClusterName: '!' } },
    },
  ])('given $given, then that counts as absent', ({ binding }) => {
    expect(readApiBinding({ metadata: {}, ...binding })).toStrictEqual({ name: '', reference: {}, bound: new Map() });
  });

  it('given names that are longer than any, then they count as absent: what is read of a binding is remembered', () => {
    const huge = `${LONGEST}x`;
    const binding = readApiBinding({
      ...computeBinding(),
      spec: { reference: { export: { path: huge, name: huge } } },
      status: {
        apiExportClusterName: huge,
        boundResources: [
          { group: 'compute.example.com', resource: huge },
          { group: 'compute.example.com', resource: 'virtualmachines', schema: { name: huge, UID: 'u' } },
        ],
      },
    });

    expect(JSON.stringify({ ...binding, bound: [...binding.bound] })).not.toContain('xxx');
    expect([...binding.bound.values()]).toEqual([undefined]);
  });

  it('given a name as long as any may be, then it is read', () => {
    expect(readApiBinding({ metadata: {}, spec: { reference: { export: { name: LONGEST } } } }).reference.exportName).toBe(LONGEST);
  });
});

describe('the parts that are read of a binding', () => {
  it('given a binding with more in it, then nothing else is parsed, and it is read as before', () => {
    const [binding, huge] = [computeBinding(), { 'x-huge': { x: 'x' } }];
    const written = JSON.stringify({
      ...binding,
      metadata: { ...binding.metadata, annotations: huge },
      spec: { ...(binding['spec'] as object), permissionClaims: [huge] },
      status: { ...(binding['status'] as object), conditions: [huge] },
    });

    const parsed = atOnce(API_BINDING_PARTS.parse(Buffer.from(written))) as KubeObject;

    expect(parsed).toEqual({
      metadata: { name: 'compute' },
      spec: { reference: { export: { path: 'root:providers:compute', name: 'compute.example.com' } } },
      status: {
        apiExportClusterName: 'compute',
        boundResources: [{ ...vms, schema: { name: 'v1.virtualmachines.compute.example.com', UID: 'schema-1' } }],
      },
    });
    expect(readApiBinding(parsed)).toEqual(readApiBinding(binding));
  });
});

describe(boundResourcesOf, () => {
  it.each<{ given: string; entry: unknown; expected: readonly unknown[] }>([
    {
      given: 'all that kcp says of a type',
      entry: { ...vms, schema: { name: 's', UID: 'u', identityHash: 'abc' }, storageVersions: ['v1', 'v2'] },
      expected: [{ ...vms, schema: { name: 's', uid: 'u' }, identityHash: 'abc', storageVersions: ['v1', 'v2'] }],
    },
    {
      given: 'a resource alone',
      entry: { resource: 'configmaps' },
      expected: [{ group: '', resource: 'configmaps', schema: undefined, identityHash: undefined, storageVersions: [] }],
    },
    { given: 'no resource', entry: { group: 'compute.example.com' }, expected: [] },
    { given: 'no object', entry: 7, expected: [] },
    {
      given: 'a schema without a name',
      entry: { ...vms, schema: { UID: 'u' } },
      expected: [{ ...vms, schema: undefined, identityHash: undefined, storageVersions: [] }],
    },
    {
      given: 'a schema without a UID',
      entry: { ...vms, schema: { name: 's' } },
      expected: [{ ...vms, schema: undefined, identityHash: undefined, storageVersions: [] }],
    },
    {
      given: 'numbers among the versions',
      entry: { ...vms, storageVersions: [7, 'v1'] },
      expected: [{ ...vms, schema: undefined, identityHash: undefined, storageVersions: ['v1'] }],
    },
  ])('given $given, then that is what is bound', ({ entry, expected }) => {
    expect(boundResourcesOf({ metadata: {}, status: { boundResources: [entry] } })).toEqual(expected);
  });
});

it('given a binding, then it is one to the export of that name alone, wherever kcp found it', () => {
  const binding = computeBinding();

  expect(exportReferenceOf(binding)).toEqual({ path: 'root:providers:compute', name: 'compute.example.com' });
  expect(['compute.example.com', 'compute'].map((name) => isBindingOf(binding, name))).toEqual([true, false]);
  expect([exporterIn(binding), exporterIn({ metadata: {} })]).toEqual(['compute', undefined]);
});
