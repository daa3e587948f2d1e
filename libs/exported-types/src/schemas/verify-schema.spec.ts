import { describe, expect, it } from '@jest/globals';
import { parseFieldPath, type FieldPath } from '@dep-ctrl/fieldpath';
import { exportedTypes, printExported, resourcesOnly, schemaNameIn, verifyFieldPath, verifySchema } from './verify-schema.js';

const vms = { group: 'compute.example.com', version: 'v1', resource: 'vms', isOwn: true };
const schema = {
  type: 'object',
  properties: {
    metadata: { type: 'object' },
    spec: {
      type: 'object',
      properties: {
        vpcRef: { type: 'object', properties: { name: { type: 'string' } } },
        cores: { type: 'integer' },
        nics: { type: 'array', items: { type: 'object', properties: { vpc: { type: 'string' } } } },
        names: { type: 'array', items: { type: 'string' } },
        labels: { type: 'object', additionalProperties: { type: 'string' } },
        raw: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        port: { 'x-kubernetes-int-or-string': true },
        empty: { type: 'object' },
      },
    },
  },
};

describe('the kind that a rule names', () => {
  const object = (kind?: string) => ({ metadata: {}, spec: { names: { kind }, versions: [{ name: 'v1', served: true, schema }] } });

  it('given another kind than the schema has, then the right one is named; a schema that names none says nothing', () => {
    expect(verifySchema(object('VM'), { ...vms, kind: 'Vmx' }, [])).toEqual({
      state: 'wrong',
      reason: 'KindNotServed',
      message: 'the kind of vms.compute.example.com is VM, not Vmx',
    });
    expect(verifySchema(object('VM'), { ...vms, kind: 'VM' }, [])).toEqual({ state: 'verified' });
    expect(verifySchema(object('VM'), vms, [])).toEqual({ state: 'verified' });
    expect(verifySchema(object(), { ...vms, kind: 'VM' }, [])).toEqual({ state: 'verified' });
  });
});

describe(resourcesOnly, () => {
  const resources = [
    { group: 'compute.example.com', name: 'vms', schema: 'v1.vms', storage: { crd: {} } },
    { name: 'maps', schema: 'v1.maps' },
  ];
  const metadata = { name: 'compute', annotations: { note: 'long' } };

  it('given an export with more than is looked at, then its name, its types and their schemas are left', () => {
    const left = resourcesOnly({ metadata, spec: { resources, permissionClaims: ['any'] }, status: { any: 'thing' } });

    expect(JSON.parse(JSON.stringify(left))).toEqual({
      metadata: { name: 'compute' },
      spec: {
        resources: [
          { group: 'compute.example.com', name: 'vms', schema: 'v1.vms' },
          { name: 'maps', schema: 'v1.maps' },
        ],
      },
    });
    expect(exportedTypes(left)).toEqual([
      { group: 'compute.example.com', resource: 'vms' },
      { group: '', resource: 'maps' },
    ]);
    expect(schemaNameIn(left, vms)).toBe('v1.vms');
  });

  it('given an export without name and spec, then nothing is made up', () => {
    expect(resourcesOnly({ metadata: {} })).toStrictEqual({ metadata: {}, spec: { resources: [] } });
  });
});

describe(verifyFieldPath, () => {
  it.each([
    '.spec.vpcRef.name',
    '.spec.nics[*].vpc',
    '.spec.names[*]',
    ".spec.labels['a.b/c']",
    '.spec.raw.anything.goes',
    '.spec.port',
    '.metadata.name',
    ".metadata.annotations['x']",
    '.metadata.ownerReferences[*].name',
    '.metadata.finalizers[*]',
  ])('given %s, then it leads to a string, or may', (text) => {
    expect(verifyFieldPath(schema, path(text), vms)).toEqual({ state: 'verified' });
  });

  it.each(['.spec.name', ".metadata.labels['x']"])('given very many fields beside that of %s, then they are not gone through', (text) => {
    const goneThrough = (): never => {
      throw new Error('the fields were gone through');
    };
    const properties = new Proxy({ spec: { type: 'object', additionalProperties: { type: 'string' } } }, { ownKeys: goneThrough });

    expect(verifyFieldPath({ type: 'object', properties }, path(text), vms)).toEqual({ state: 'verified' });
  });

  it.each([
    { given: 'fields of any kind', spec: { type: 'object', additionalProperties: true }, reference: '.spec.a.b' },
    {
      given: 'a number or a text',
      spec: { type: 'object', properties: { port: { type: 'integer', 'x-kubernetes-int-or-string': true } } },
      reference: '.spec.port',
    },
  ])('given a schema that leaves room for $given, then there may be a string', ({ spec, reference }) => {
    expect(verifyFieldPath({ type: 'object', properties: { spec } }, path(reference), vms)).toEqual({ state: 'verified' });
  });

  it('given fields of none but the named kinds, then there is no other', () => {
    const spec = { type: 'object', additionalProperties: false };

    expect(verifyFieldPath({ type: 'object', properties: { spec } }, path('.spec.a'), vms)).toMatchObject({ reason: 'FieldNotFound' });
  });

  it.each([
    ['.spec.vpcref.name', 'FieldNotFound'],
    ['.status.vpc', 'FieldNotFound'],
    ['.spec.nics.vpc', 'FieldNotFound'],
    ['.spec.vpcRef[*]', 'FieldNotFound'],
    ['.spec.empty.x', 'FieldNotFound'],
    ['.spec.toString', 'FieldNotFound'],
    ['.spec.vpcRef', 'FieldNotAString'],
    ['.spec.cores', 'FieldNotAString'],
    ['.spec.names', 'FieldNotAString'],
    ['.metadata.nam', 'FieldNotFound'],
    ['.metadata.labels', 'FieldNotAString'],
    ['.metadata.generation', 'FieldNotAString'],
  ])('given %s, then it is wrong: %s', (text, reason) => {
    expect(verifyFieldPath(schema, path(text), vms)).toMatchObject({ state: 'wrong', reason, message: expect.stringContaining(text) });
  });
});

describe('a field with a namespace beside the reference', () => {
  const text = { type: 'string' };
  const namesAndMore = (more: object) => ({ type: 'object', properties: { name: text, ...more } });
  const properties = {
    bucketRef: namesAndMore({ namespace: text }),
    rows: { type: 'array', items: namesAndMore({ namespace: text }) },
    plain: namesAndMore({}),
    cased: namesAndMore({ nameSpace: text }),
    numbered: namesAndMore({ namespace: { type: 'integer' } }),
    free: { type: 'object', additionalProperties: text },
    namespace: text,
    names: { type: 'array', items: text },
  };
  const object = (scope: string) => ({
    metadata: {},
    spec: {
      scope,
      versions: [{ name: 'v1', served: true, schema: { type: 'object', properties: { spec: { type: 'object', properties } } } }],
    },
  });

  it.each([
    ['.spec.bucketRef.name', '.spec.bucketRef.namespace'],
    ['.spec.rows[*].name', '.spec.rows[*].namespace'],
  ])('given %s, then %s is found', (reference, beside) => {
    expect(verifySchema(object('Namespaced'), vms, [path(reference)])).toEqual({
      state: 'verified',
      namespaceBeside: new Map([[reference, beside]]),
    });
  });

  it.each([
    '.spec.plain.name',
    '.spec.cased.name',
    '.spec.numbered.name',
    '.spec.free.name',
    '.spec.namespace',
    '.spec.bucketRef.namespace',
    '.spec.names[*]',
    '.metadata.name',
  ])('given %s, then there is none', (reference) => {
    expect(verifySchema(object('Namespaced'), vms, [path(reference)])).toEqual({ state: 'verified' });
  });

  it('given a cluster-scoped type, then that is said', () => {
    expect(verifySchema(object('Cluster'), vms, [])).toEqual({ state: 'verified', isClusterScoped: true });
  });
});

describe('a field that is not there', () => {
  it.each([
    ['.spec.vpcReff.name', '.spec.vpcReff.name: .spec has vpcRef, cores, port, labels, names and 3 more'],
    ['.spec.vpcRef.nam', '.spec.vpcRef.nam: .spec.vpcRef has name'],
    ['.spec.nics[*].vpx', '.spec.nics[*].vpx: .spec.nics[*] has vpc'],
    ['.spek.vpcRef', '.spek.vpcRef: it has spec, metadata'],
    ['.spec.empty.x', '.spec.empty.x'],
    ['.metadata.nam', '.metadata.nam: .metadata has name, uid, labels, namespace, finalizers and 10 more'],
  ])('given %s, then the message tells what there is, the nearest first', (text, expected) => {
    expect(verifyFieldPath(schema, path(text), vms)).toMatchObject({ message: `vms.compute.example.com v1 has no field ${expected}` });
  });
});

describe('a path that walks past an array', () => {
  const deep = {
    type: 'object',
    properties: { spec: { type: 'object', properties: { rows: { type: 'array', items: schema.properties.spec.properties.names } } } },
  };

  it.each([
    ['.spec.nics.vpc', 'vms.compute.example.com v1 has no field .spec.nics.vpc: .spec.nics is an array, write .spec.nics[*].vpc', schema],
    [
      '.spec.names',
      'field .spec.names of vms.compute.example.com v1 is of type array: it should lead to a string, write .spec.names[*]',
      schema,
    ],
    [
      '.spec.rows',
      'field .spec.rows of vms.compute.example.com v1 is of type array: it should lead to a string, write .spec.rows[*][*]',
      deep,
    ],
    [
      '.spec.rows[*]',
      'field .spec.rows[*] of vms.compute.example.com v1 is of type array: it should lead to a string, write .spec.rows[*][*]',
      deep,
    ],
    ['.spec.cores', 'field .spec.cores of vms.compute.example.com v1 is of type integer: it should lead to a string', schema],
    ['.spec.nics.vpx', 'vms.compute.example.com v1 has no field .spec.nics.vpx', schema],
    [
      "['spec'].nics.vpc",
      'vms.compute.example.com v1 has no field .spec.nics.vpc: .spec.nics is an array, write .spec.nics[*].vpc',
      schema,
    ],
  ])('given %s, then the message tells where to write [*], and only if that helps', (text, message, walked) => {
    expect(verifyFieldPath(walked, path(text), vms)).toMatchObject({ state: 'wrong', message });
  });
});

describe(printExported, () => {
  const exporting = (count: number) => ({
    metadata: {},
    spec: {
      resources: Array.from({ length: count }, (_, at) => ({ name: `r${String(count - at)}`, group: at === 0 ? undefined : 'x.io' })),
    },
  });

  it.each([
    [0, 'nothing'],
    [3, 'r1.x.io, r2.x.io, r3'],
    [11, 'r1.x.io, r10.x.io, r11, r2.x.io, r3.x.io, r4.x.io, r5.x.io, r6.x.io, r7.x.io, r8.x.io and 1 more'],
  ])('given an export of %i resources, then it is told as %s', (count, expected) => {
    expect(printExported(exporting(count))).toBe(expected);
  });

  it('given what is no resource, then it is left out', () => {
    expect(printExported({ metadata: {}, spec: { resources: [7, null, { name: 'vms' }, { group: 'x.io', name: 'vpcs' }] } })).toBe(
      'vms, vpcs.x.io',
    );
  });

  it('given names as long as kcp takes, then ten such texts fit into a condition', () => {
    const resources = Array.from({ length: 10 }, (_, at) => ({ name: `r${String(at)}${'x'.repeat(60)}`, group: 'g'.repeat(253) }));

    const text = printExported({ metadata: {}, spec: { resources } });

    expect(text).toMatch(/^r0x+\.g+, r1x+\.g+, r2x+\.g+ and 7 more$/);
    expect(text.length).toBeLessThan(1_100);
  });
});

describe(verifySchema, () => {
  const object = { metadata: {}, spec: { versions: [version('v1', true), version('v2', true), version('v0', false)] } };

  it('given a version that is served and a good path, then it is verified', () => {
    expect(verifySchema(object, vms, [path('.spec.vpcRef.name')])).toEqual({ state: 'verified' });
  });

  it.each(['v0', 'v9'])('given version %s, which is not served, then it says which are', (name) => {
    expect(verifySchema(object, { ...vms, version: name }, [])).toEqual({
      state: 'wrong',
      reason: 'VersionNotServed',
      message: `vms.compute.example.com is not served as ${name}: use v1 or v2`,
    });
  });

  it('given a version that is not served in somebody else’s workspace, then it does not say which are', () => {
    expect(verifySchema(object, { ...vms, version: 'v9', isOwn: false }, [])).toEqual({
      state: 'wrong',
      reason: 'VersionNotServed',
      message: 'vms.compute.example.com is not served as v9: use a version that is served',
    });
  });

  it('given a good and a wrong path, then the wrong one counts', () => {
    expect(verifySchema(object, vms, [path('.spec.vpcRef.name'), path('.spec.x')])).toMatchObject({ reason: 'FieldNotFound' });
  });

  it('given garbage, then no version is served', () => {
    expect(verifySchema({ metadata: {}, spec: 7 }, vms, [])).toMatchObject({ reason: 'VersionNotServed' });
  });
});

describe(schemaNameIn, () => {
  const apiExport = { metadata: {}, spec: { resources: [{ name: 'vms', group: 'compute.example.com', schema: 's1' }] } };

  it('given an export, then the schema of a resource is found by name and group', () => {
    expect(schemaNameIn(apiExport, vms)).toBe('s1');
    expect(schemaNameIn(apiExport, { ...vms, resource: 'vm' })).toBeUndefined();
    expect(schemaNameIn(apiExport, { ...vms, group: 'x' })).toBeUndefined();
    expect(schemaNameIn({ metadata: {} }, vms)).toBeUndefined();
  });

  it('given a resource without a group, then it is found in the group without a name', () => {
    const resources = [{ name: 'configmaps', schema: 's1' }];

    expect(schemaNameIn({ metadata: {}, spec: { resources } }, { group: '', version: 'v1', resource: 'configmaps' })).toBe('s1');
  });
});

function version(name: string, served: boolean): object {
  return { name, served, schema };
}

function path(text: string): FieldPath {
  const answer = parseFieldPath(text);
  if (!answer.ok) throw new Error(answer.problem.message);
  return answer.value;
}
