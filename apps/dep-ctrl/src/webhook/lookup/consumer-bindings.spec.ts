import { describe, expect, it } from '@jest/globals';
import { parseWorkspacePath, type KubeObject, type WorkspacePath } from '@dep-ctrl/kcp-names';
import { boundType, readConsumerBinding, type ExportedType } from './consumer-bindings.js';
import { cluster } from '../testing/builders.js';
import { computeBinding } from '../testing/objects.js';

const type: ExportedType = {
  group: 'compute.example.com',
  resource: 'virtualmachines',
  exporter: cluster('compute'),
  exporterPath: pathOf('root:providers:compute'),
  exportNames: ['compute.example.com'],
};
const recreated = { state: 'cannot-tell', failure: { code: 'export-recreated', lasting: true, binding: 'compute' } };

describe(boundType, () => {
  it.each<{ given: string; bindings: KubeObject[]; of?: ExportedType; expected: object }>([
    { given: 'no binding at all', bindings: [], expected: { state: 'not-bound' } },
    {
      given: 'a binding to the exporter',
      bindings: [computeBinding()],
      expected: {
        state: 'bound',
        schema: { name: 'v1.virtualmachines.compute.example.com', uid: 'schema-1' },
        exportName: 'compute.example.com',
      },
    },
    {
      given: 'a binding to the exporter through another of its exports',
      bindings: [change(computeBinding(), { spec: { reference: { export: { path: 'root:providers:compute', name: 'all-in-one' } } } })],
      expected: { state: 'bound', exportName: 'all-in-one' },
    },
    {
      given: 'a binding that is being deleted, whose objects are still there',
      bindings: [change(computeBinding(), { metadata: { name: 'compute', deletionTimestamp: '2026-01-01T00:00:00Z' } })],
      expected: { state: 'bound' },
    },
    {
      given: 'a binding that does not say which schema it serves',
      bindings: [
        change(computeBinding(), {
          status: { apiExportClusterName: 'compute', boundResources: [{ group: 'compute.example.com', resource: 'virtualmachines' }] },
        }),
      ],
      expected: { state: 'bound', schema: undefined },
    },
    {
      given: 'the same names from another provider',
      bindings: [
        change(computeBinding({ exporter: 'rival' }), {
          spec: { reference: { export: { path: 'root:rival', name: 'compute.example.com' } } },
        }),
      ],
      expected: { state: 'not-bound' },
    },
    {
      given: 'the same names from another provider, and our own beside it',
      bindings: [
        change(computeBinding({ exporter: 'rival' }), {
          spec: { reference: { export: { path: 'root:rival', name: 'compute.example.com' } } },
        }),
        computeBinding(),
      ],
      expected: { state: 'bound' },
    },
    {
      given: 'a binding to the exporter that serves another group',
      bindings: [computeBinding()],
      of: { ...type, group: 'other.example.com' },
      expected: { state: 'not-bound' },
    },
    { given: 'a binding to the same address and another cluster', bindings: [computeBinding({ exporter: 'old' })], expected: recreated },
    {
      given: 'the same where nobody knows the address of the exporter',
      bindings: [computeBinding({ exporter: 'old' })],
      of: { ...type, exporterPath: undefined },
      expected: recreated,
    },
    {
      given: 'another export name where nobody knows the address of the exporter',
      bindings: [computeBinding({ exporter: 'old' })],
      of: { ...type, exporterPath: undefined, exportNames: ['another'] },
      expected: { state: 'not-bound' },
    },
    {
      given: 'a binding that kcp has not bound yet',
      bindings: [change(computeBinding(), { status: { phase: 'Binding' } })],
      expected: { state: 'not-bound' },
    },
    { given: 'a binding without anything', bindings: [{ metadata: {} }], expected: { state: 'not-bound' } },
    {
      given: 'a binding full of nonsense',
      bindings: [
        { metadata: { name: 'x' }, spec: 7, status: { apiExportClusterName: 'compute', boundResources: [null, 'x', { group: 5 }, {}] } },
      ],
      expected: { state: 'not-bound' },
    },
  ])('given $given, then $expected.state', ({ bindings, of = type, expected }) => {
    expect(boundType(bindings.map(readConsumerBinding), of)).toMatchObject(expected);
  });
});

function change(object: KubeObject, fields: Readonly<Record<string, unknown>>): KubeObject {
  return { ...object, ...fields };
}

function pathOf(text: string): WorkspacePath {
  const path = parseWorkspacePath(text);
  if (!path.ok) throw new Error(path.problem);
  return path.value;
}
