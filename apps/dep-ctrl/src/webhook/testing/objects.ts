// Kubernetes objects for specs.
import { parseFieldPath, type FieldPath } from '@dep-ctrl/fieldpath';
import type { KubeObject, ObjectMeta } from '@dep-ctrl/kcp-names';
import type { GuardingMatch } from '../lookup/type-question.js';
import { cluster } from './builders.js';

/** A reference path that a spec writes by hand. */
export function path(text: string): FieldPath {
  const parsed = parseFieldPath(text);
  if (!parsed.ok) throw new Error(parsed.problem.message);
  return parsed.value;
}

/** A virtual machine in namespace default that refers to a VPC. */
export function virtualMachine(name: string, vpc: string, metadata: Partial<ObjectMeta> = {}): KubeObject {
  return {
    apiVersion: 'compute.example.com/v1alpha1',
    kind: 'VirtualMachine',
    metadata: { name, namespace: 'default', uid: `uid-of-${name}`, ...metadata },
    spec: { vpcRef: { name: vpc } },
  };
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

/** A change to {@link match}. */
export interface MatchChange {
  readonly rule?: Partial<GuardingMatch['rule']>;
  readonly dependent?: Partial<GuardingMatch['rule']['dependent']>;
  readonly fieldPath?: string;
  readonly namespacePath?: string;
}

/** The rule of the story, as it guards a VPC. */
export function match({ rule, dependent, fieldPath = '.spec.vpcRef.name', namespacePath }: MatchChange = {}): GuardingMatch {
  return {
    rule: {
      cluster: cluster('compute'),
      name: 'vm-dependencies',
      enforcement: 'Deny',
      whileTerminating: 'Block',
      ...rule,
      dependent: {
        group: 'compute.example.com',
        version: 'v1alpha1',
        resource: 'virtualmachines',
        kind: 'VirtualMachine',
        exportName: 'compute.example.com',
        ...dependent,
      },
    },
    dependency: { fieldPath: path(fieldPath), ...(namespacePath === undefined ? {} : { namespacePath: path(namespacePath) }) },
  };
}
