import { describe, expect, it } from '@jest/globals';
import { readApiBinding } from './api-binding.js';
import { computeBinding } from '../testing/index.js';

describe(readApiBinding, () => {
  it('given names that are longer than any, then they count as absent: what is read of a binding is remembered', () => {
    const huge = 'x'.repeat(254);
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
});
