import { describe, expect, it } from '@jest/globals';
import { exportedTypes, parseObjects } from './exported-types.js';
import type { TypeSetup } from './kcp-setup.js';

const VERSION = { name: 'v1', served: true, storage: true };
const CRD = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Cluster',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [{ ...VERSION, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
};
const SCHEMA = {
  apiVersion: 'apis.kcp.io/v1alpha1',
  kind: 'APIResourceSchema',
  metadata: { name: 'v7.widgets.example.com' },
  spec: { group: 'example.com', names: { plural: 'widgets' } },
};
const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

describe(exportedTypes, () => {
  it('given a kind alone, then its group is the name of the export and its fields are open', () => {
    const { schemas, resources } = exportedTypes('widgets.example.com', [{ kind: 'Widget' }]);

    expect(schemas).toEqual([
      {
        apiVersion: 'apis.kcp.io/v1alpha1',
        kind: 'APIResourceSchema',
        metadata: { name: 'v1.widgets.widgets.example.com' },
        spec: {
          group: 'widgets.example.com',
          names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
          scope: 'Namespaced',
          versions: [{ ...VERSION, schema: { type: 'object', properties: { spec: open, status: open } }, subresources: { status: {} } }],
        },
      },
    ]);
    expect(resources).toEqual([
      { group: 'widgets.example.com', name: 'widgets', schema: 'v1.widgets.widgets.example.com', storage: { crd: {} } },
    ]);
  });

  it('given fields, then each is a type or a schema', () => {
    const items = { type: 'array', items: { type: 'string' } };
    const [schema] = exportedTypes('example.com', [{ kind: 'Widget', spec: { size: 'integer', tags: items } }]).schemas;

    expect(schema?.['spec']).toMatchObject({
      versions: [{ schema: { properties: { spec: { type: 'object', properties: { size: { type: 'integer' }, tags: items } } } } }],
    });
  });

  it.each<{ readonly given: string; readonly type: TypeSetup }>([
    { given: 'a definition', type: CRD },
    { given: 'the YAML of one', type: JSON.stringify(CRD) },
  ])('given $given, then it becomes a schema as kubectl kcp crd snapshot makes it', ({ type }) => {
    expect(exportedTypes('any', [type])).toEqual({
      schemas: [
        {
          apiVersion: 'apis.kcp.io/v1alpha1',
          kind: 'APIResourceSchema',
          metadata: { name: 'v1.widgets.example.com' },
          spec: {
            group: 'example.com',
            scope: 'Cluster',
            names: { plural: 'widgets', kind: 'Widget', singular: 'widget', listKind: 'WidgetList' },
            versions: [{ ...VERSION, schema: { type: 'object' } }],
          },
        },
      ],
      resources: [{ group: 'example.com', name: 'widgets', schema: 'v1.widgets.example.com', storage: { crd: {} } }],
    });
  });

  it('given a schema, then it stays as it is', () => {
    const { schemas, resources } = exportedTypes('any', [SCHEMA]);

    expect([schemas, resources]).toEqual([
      [SCHEMA],
      [{ group: 'example.com', name: 'widgets', schema: 'v7.widgets.example.com', storage: { crd: {} } }],
    ]);
  });

  it('given another kind, then it says which it takes', () => {
    expect(() => exportedTypes('any', [{ ...CRD, kind: 'Deployment' }])).toThrow(
      'a type is a CustomResourceDefinition or an APIResourceSchema, not a Deployment',
    );
  });
});

describe(parseObjects, () => {
  it('given several documents, then empty ones do not count', () => {
    const one = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name} }\n`;

    expect(parseObjects(`${one('a')}---\n---\n${one('b')}`).map(({ metadata }) => metadata.name)).toEqual(['a', 'b']);
  });

  it.each([
    { given: 'no YAML', yaml: 'a: [', expected: 'Flow sequence' },
    { given: 'no object', yaml: 'a: 1', expected: 'this is no object with apiVersion, kind and metadata: {"a":1}' },
  ])('given $given, then it says what is wrong', ({ yaml, expected }) => {
    expect(() => parseObjects(yaml)).toThrow(expected);
  });
});
