// Kubernetes objects for specs.
import { path } from '@dep-ctrl/exported-types/testing';
import type { KubeObject, ObjectMeta } from '@dep-ctrl/kcp-names';
import type { GuardingMatch } from '../lookup/type-question.js';
import { cluster } from './builders.js';

export { computeBinding, computeSchema, path } from '@dep-ctrl/exported-types/testing';

/** A virtual machine in namespace default that refers to a VPC. */
export function virtualMachine(name: string, vpc: string, metadata: Partial<ObjectMeta> = {}): KubeObject {
  return {
    apiVersion: 'compute.example.com/v1alpha1',
    kind: 'VirtualMachine',
    metadata: { name, namespace: 'default', uid: `uid-of-${name}`, ...metadata },
    spec: { vpcRef: { name: vpc } },
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
