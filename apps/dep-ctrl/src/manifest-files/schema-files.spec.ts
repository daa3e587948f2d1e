import { describe, expect, it } from '@jest/globals';
import { stringify } from 'yaml';
import { computeProvider } from '../dev/provider-manifests.js';
import { recordAt } from '@dep-ctrl/kcp-names';
import { verifySchema } from '@dep-ctrl/exported-types';
import { readManifest } from './manifest-object.js';
import { SchemaFiles, describesTypes } from './schema-files.js';

const { schema, apiExport } = computeProvider();
const TYPE = { group: 'compute.example.com', version: 'v1alpha1', resource: 'virtualmachines' };
const VMS = { ...TYPE, exportName: 'compute.example.com', workspace: 'the files', isOwn: true };

function filesOf(...objects: readonly object[]): SchemaFiles {
  const text = objects.map((object) => stringify(object, { aliasDuplicateObjects: false })).join('---\n');
  return new SchemaFiles(readManifest({ file: 'a.yaml', text }).objects);
}

function crd({ spec }: typeof schema): object {
  const { versions, ...rest } = spec as { readonly versions: readonly { readonly schema: object }[] };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'virtualmachines.compute.example.com' },
    spec: { ...rest, versions: versions.map((version) => ({ ...version, schema: { openAPIV3Schema: version.schema } })) },
  };
}

const older = {
  ...schema,
  metadata: { name: 'v0.virtualmachines.compute.example.com' },
  spec: { ...(schema['spec'] as object), scope: 'Cluster' },
};

describe(SchemaFiles, () => {
  it('given files that export the type under other names, then that is said, with the names', () => {
    const named = (name: string) => ({ ...apiExport, metadata: { name } });

    expect(filesOf(named('vms'), named('compute'), named('vms'), schema).find(VMS)).toMatchObject({
      state: 'not-exported',
      reason: 'ExportNotFound',
      message: 'there is no APIExport compute.example.com in the files: they export it in compute, vms',
    });
  });

  it('given an export of that name without the type, and another one with it, then the type is not exported there', () => {
    const files = filesOf({ ...apiExport, spec: {} }, { ...apiExport, metadata: { name: 'compute' } }, schema);

    expect(files.find(VMS)).toMatchObject({ state: 'not-exported', reason: 'ResourceNotExported' });
  });

  it.each([
    { given: 'an APIResourceSchema', files: [schema] },
    { given: 'a CustomResourceDefinition', files: [crd(schema)], name: 'virtualmachines.compute.example.com' },
    { given: 'an export of another name', files: [{ ...apiExport, metadata: { name: 'other' }, spec: {} }, schema] },
    { given: 'a schema with the name of the export', files: [{ ...schema, metadata: { name: VMS.exportName } }], name: VMS.exportName },
    { given: 'what another group calls an export', files: [{ ...apiExport, apiVersion: 'a.io/v1', spec: {} }, schema] },
    { given: 'an export whose schema is not there, and another of the type', files: [apiExport, older], name: older.metadata.name },
    { given: 'an export and its schema among older ones', files: [apiExport, schema, older] },
    {
      given: 'an export of v1alpha1',
      files: [{ ...apiExport, apiVersion: 'apis.kcp.io/v1alpha1', spec: { latestResourceSchemas: [schema.metadata.name] } }, schema, older],
    },
    {
      given: 'an export of the same name that has another type beside',
      files: [{ ...apiExport, spec: { resources: [] } }, apiExport, schema],
    },
  ])('given $given, then the schema of the type is found, with its fields', ({ files, name = schema.metadata.name }) => {
    const found = filesOf(...files).find(VMS);

    expect(found).toMatchObject({
      state: 'found',
      schema: { metadata: { name, uid: 'file' }, spec: { versions: recordAt(schema, 'spec')['versions'] } },
    });
    expect(found?.state === 'found' && verifySchema(found.schema, VMS, [])).toMatchObject({ state: 'verified' });
  });

  it('given an export that does not serve the type, then that is said, and what it serves', () => {
    const found = filesOf(apiExport, schema).find({ ...VMS, resource: 'virtualmachine' });

    expect(found).toMatchObject({
      state: 'not-exported',
      message:
        'APIExport compute.example.com in the files does not export virtualmachine.compute.example.com: it exports virtualmachines.compute.example.com',
    });
  });

  it('given nothing about the type, then nothing is known', () => {
    const files = filesOf(schema, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } });

    expect(files.find({ ...VMS, group: 'other.example.com' })).toBeUndefined();
    expect(files.find({ ...VMS, resource: 'disks' })).toBeUndefined();
    expect(files.types).toEqual(['virtualmachines.compute.example.com']);
  });

  it('given schemas and exports, then the types are those of the schemas, each once, sorted', () => {
    const pods = { ...schema, spec: { names: { plural: 'pods' } } };

    expect(filesOf(schema, pods, apiExport, older).types).toEqual(['pods', 'virtualmachines.compute.example.com']);
  });

  it('given an export of v1alpha1 that names what is no schema, then that exports nothing', () => {
    const spec = { latestResourceSchemas: [1, 'x', '.v1.as.a.io', 'v1.bs.a.io\nx', 'v1.cs.a.io'] };

    expect(filesOf({ ...apiExport, apiVersion: 'apis.kcp.io/v1alpha1', spec }).find(VMS)).toMatchObject({
      message: expect.stringMatching(/: it exports cs\.a\.io$/),
    });
  });

  it('given versions without a schema and what is no version, then the versions are there without one', () => {
    const definition = { ...crd(schema), spec: { group: TYPE.group, names: { plural: TYPE.resource }, versions: [1, { name: 'v1' }] } };

    expect(filesOf(definition).find(VMS)).toMatchObject({ schema: { spec: { versions: [{ name: 'v1', schema: undefined }] } } });
  });
});

describe(describesTypes, () => {
  it.each([
    { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', expected: true },
    { apiVersion: 'apiextensions.k8s.io/v1', kind: 'APIExport', expected: false },
    { apiVersion: 'apis.kcp.io/v1alpha1', kind: 'APIResourceSchema', expected: true },
    { apiVersion: 'apis.kcp.io/v1alpha2', kind: 'APIExport', expected: true },
    { apiVersion: 'apis.kcp.io/v1alpha2', kind: 'APIBinding', expected: false },
    { apiVersion: 'apis.kcp.io/v1alpha2', kind: 'CustomResourceDefinition', expected: false },
    { apiVersion: 'a.io/v1', kind: 'APIExport', expected: false },
    { apiVersion: 'a.io/v1', kind: 'APIResourceSchema', expected: false },
  ])('given $kind of $apiVersion, then $expected', ({ expected, ...manifest }) => {
    expect(describesTypes(manifest)).toBe(expected);
  });
});
