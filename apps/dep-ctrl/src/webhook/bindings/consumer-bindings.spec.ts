import { describe, expect, it } from '@jest/globals';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { readApiBinding } from '@dep-ctrl/exported-types';
import { pathOf } from '../../testing/path-of.js';
import { authorsFor, boundType, exporterOf, type ExportedType } from './consumer-bindings.js';
import { cluster } from '../testing/builders.js';
import { computeBinding } from '../testing/objects.js';

const type: ExportedType = {
  group: 'compute.example.com',
  resource: 'virtualmachines',
  exporter: cluster('compute'),
  exporterPath: pathOf('root:providers:compute'),
  exportNames: ['compute.example.com'],
};
const recreated = { state: 'cannot-tell', failure: { code: 'export-recreated', lasting: false, binding: 'compute' } };

describe(boundType, () => {
  it.each<{ given: string; bindings: KubeObject[]; of?: ExportedType; expected: object }>([
    { given: 'no binding at all', bindings: [], expected: { state: 'not-bound' } },
    {
      given: 'a binding to the exporter',
      bindings: [computeBinding()],
      expected: {
        state: 'bound',
        binding: 'compute',
        schema: { name: 'v1.virtualmachines.compute.example.com', uid: 'schema-1' },
      },
    },
    {
      given: 'a binding to the exporter through another of its exports',
      bindings: [change(computeBinding(), { spec: { reference: { export: { path: 'root:providers:compute', name: 'all-in-one' } } } })],
      expected: { state: 'bound', binding: 'compute' },
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
      given: 'a binding to a provider made anew, of the second of two exports',
      bindings: [computeBinding({ exporter: 'former' })],
      of: { ...type, exportNames: ['other.example.com', 'compute.example.com'] },
      expected: recreated,
    },
    {
      given: 'a binding without a path, and a type whose path is not known',
      bindings: [change(computeBinding({ exporter: 'rival' }), { spec: { reference: { export: { name: 'compute.example.com' } } } })],
      of: { ...type, exporterPath: undefined },
      expected: { state: 'not-bound' },
    },
    {
      given: 'a binding to the exporter that serves another group',
      bindings: [computeBinding()],
      of: { ...type, group: 'other.example.com' },
      expected: { state: 'not-bound' },
    },
    { given: 'a binding to the same address and another cluster', bindings: [computeBinding({ exporter: 'old' })], expected: recreated },
    {
      given: 'the same where kcp has not answered which address the exporter has',
      bindings: [computeBinding({ exporter: 'old' })],
      of: { ...type, exporterPath: undefined },
      expected: { state: 'not-bound' },
    },
    {
      given: 'a binding to another export at the same address and of another cluster',
      bindings: [computeBinding({ exporter: 'old' })],
      of: { ...type, exportNames: ['another'] },
      expected: { state: 'not-bound' },
    },
    {
      given: 'a binding by the name of the cluster that it is bound to',
      bindings: [
        change(computeBinding({ exporter: 'old' }), { spec: { reference: { export: { path: 'old', name: 'compute.example.com' } } } }),
      ],
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
    expect(boundType(bindings.map(readApiBinding), of)).toMatchObject(expected);
  });
});

describe(exporterOf, () => {
  it.each<{ given: string; bindings: KubeObject[]; expected: string | undefined }>([
    { given: 'no binding at all', bindings: [], expected: undefined },
    { given: 'a binding that brings it', bindings: [computeBinding()], expected: 'compute' },
    { given: 'a binding of another address that brings it', bindings: [computeBinding({ exporter: 'rival' })], expected: 'rival' },
    {
      given: 'a binding to the same export that does not bring it',
      bindings: [change(computeBinding(), { status: { apiExportClusterName: 'compute', boundResources: [] } })],
      expected: undefined,
    },
  ])('given $given, then the type comes from $expected', ({ bindings, expected }) => {
    expect(exporterOf(bindings.map(readApiBinding), type)).toBe(expected);
  });
});

describe(authorsFor, () => {
  const paths = { clusterOf: (path: string) => (path === 'root:providers:compute' ? cluster('made-again') : ('unknown' as const)) };

  it.each<{ given: string; bindings: KubeObject[]; answers?: Parameters<typeof authorsFor>[1]; expected: string[] }>([
    { given: 'no binding', bindings: [], expected: [] },
    {
      given: 'a binding whose address nobody has asked for',
      bindings: [computeBinding()],
      answers: { clusterOf: () => 'unknown' },
      expected: ['compute'],
    },
    {
      given: 'a binding whose address names nothing any more',
      bindings: [computeBinding()],
      answers: { clusterOf: () => 'missing' },
      expected: ['compute'],
    },
    {
      given: 'a binding whose address is that of another workspace now',
      bindings: [computeBinding()],
      expected: ['compute', 'made-again'],
    },
    {
      given: 'a binding that kcp has not bound, whoever it names',
      bindings: [change(computeBinding(), { status: { phase: 'Binding' } })],
      expected: [],
    },
    {
      given: 'two bindings to one workspace',
      bindings: [computeBinding(), change(computeBinding(), { spec: {} })],
      expected: ['compute', 'made-again'],
    },
  ])('given $given, then the authors whose rules concern the consumer are $expected', ({ bindings, answers = paths, expected }) => {
    expect([...authorsFor(bindings.map(readApiBinding), answers)]).toEqual(expected);
  });
});

function change(object: KubeObject, fields: Readonly<Record<string, unknown>>): KubeObject {
  return { ...object, ...fields };
}
