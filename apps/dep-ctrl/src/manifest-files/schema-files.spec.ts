import { describe, expect, it } from '@jest/globals';
import { stringify } from 'yaml';
import { computeProvider } from '../dev/provider-manifests.js';
import { verifySchema } from '@dep-ctrl/exported-types';
import { readManifest } from './manifest-object.js';
import { SchemaFiles } from './schema-files.js';

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
  it.each([
    { given: 'an APIResourceSchema', files: [schema] },
    { given: 'a CustomResourceDefinition', files: [crd(schema)] },
    { given: 'an export and its schema among older ones', files: [apiExport, schema, older] },
    {
      given: 'an export of v1alpha1',
      files: [{ ...apiExport, apiVersion: 'apis.kcp.io/v1alpha1', spec: { latestResourceSchemas: [schema.metadata.name] } }, schema, older],
    },
    {
      given: 'an export of the same name that has another type beside',
      files: [{ ...apiExport, spec: { resources: [] } }, apiExport, schema],
    },
  ])('given $given, then the schema of the type is found, with its fields', ({ files }) => {
    const found = filesOf(...files).find(VMS);

    expect(found?.state).toBe('found');
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
    expect(files.types).toEqual(['virtualmachines.compute.example.com']);
  });
});
