// What a provider of virtual machines exports, for specs.
import { parseFieldPath, type FieldPath } from '@dep-ctrl/fieldpath';
import type { KubeObject } from '@dep-ctrl/kcp-names';

/** A reference path that a spec writes by hand. */
export function path(text: string): FieldPath {
  const parsed = parseFieldPath(text);
  if (!parsed.ok) throw new Error(parsed.problem.message);
  return parsed.value;
}

/** The APIBinding by which the consumer gets virtual machines. */
export function computeBinding({ exporter = 'compute', schemaUid = 'schema-1' } = {}): KubeObject {
  return {
    apiVersion: 'apis.kcp.io/v1alpha2',
    kind: 'APIBinding',
    metadata: { name: 'compute' },
    spec: { reference: { export: { path: 'root:providers:compute', name: 'compute.example.com' } } },
    status: {
      apiExportClusterName: exporter,
      boundResources: [
        {
          group: 'compute.example.com',
          resource: 'virtualmachines',
          schema: { name: 'v1.virtualmachines.compute.example.com', UID: schemaUid, identityHash: 'abc' },
        },
      ],
    },
  };
}

/** The schema of virtual machines; `columns` are JSON paths of string columns. */
export function computeSchema({ uid = 'schema-1', scope = 'Namespaced', columns = [] as readonly string[] } = {}): KubeObject {
  const version = (name: string, served: boolean): object => ({
    name,
    served,
    storage: name === 'v1alpha1',
    schema: {
      type: 'object',
      properties: { spec: { type: 'object', properties: { vpcRef: { type: 'object', properties: { name: { type: 'string' } } } } } },
    },
    additionalPrinterColumns: columns.map((jsonPath, index) => ({ name: `Column ${String(index)}`, type: 'string', jsonPath })),
  });
  return {
    apiVersion: 'apis.kcp.io/v1alpha1',
    kind: 'APIResourceSchema',
    metadata: { name: 'v1.virtualmachines.compute.example.com', uid },
    spec: { group: 'compute.example.com', scope, versions: [version('v1alpha1', true), version('v1', true), version('v0', false)] },
  };
}
