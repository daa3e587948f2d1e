import type { Tree } from '../https/kube-body.js';
import { COMPUTE, NETWORK } from './cloud-types.js';
import type { Cloud } from './world.js';

/** Resource path of rules. */
export const RULES = '/apis/dependencies.opendefense.cloud/v1alpha1/dependencyrules';

/** Resource path of guards. */
export const GUARDS = '/apis/dependencies.opendefense.cloud/v1alpha1/dependencyguards';

/** One dependency of a rule. */
export interface DependencyWish {
  readonly resource: 'vpcs' | 'zones';
  readonly path: string;
  readonly namespacePath?: string;
}

/** A rule of the compute provider: what of its type refers to what of the network provider. */
export function rule(cloud: Cloud, name: string, dependent: 'VM' | 'Host', dependencies: readonly DependencyWish[], more: Tree = {}): Tree {
  return {
    apiVersion: 'dependencies.opendefense.cloud/v1alpha1',
    kind: 'DependencyRule',
    metadata: { name },
    spec: {
      dependent: { apiExportName: COMPUTE, group: COMPUTE, version: 'v1', kind: dependent, resource: dependent === 'VM' ? 'vms' : 'hosts' },
      dependencies: dependencies.map(({ resource, path, namespacePath }) => ({
        apiExportRef: { path: cloud.network.workspace.path, name: NETWORK },
        group: NETWORK,
        version: 'v1',
        resource,
        fieldRef: { path, ...(namespacePath === undefined ? {} : { namespacePath }) },
      })),
      ...more,
    },
  };
}

/** A rule of the network provider, the other way round: a VPC refers to the VM of its field `vm`. */
export function vpcRule(cloud: Cloud): Tree {
  return {
    apiVersion: 'dependencies.opendefense.cloud/v1alpha1',
    kind: 'DependencyRule',
    metadata: { name: 'vpc-dependencies' },
    spec: {
      dependent: { apiExportName: NETWORK, group: NETWORK, version: 'v1', kind: 'VPC', resource: 'vpcs' },
      dependencies: [
        {
          apiExportRef: { path: cloud.compute.workspace.path, name: COMPUTE },
          group: COMPUTE,
          version: 'v1',
          resource: 'vms',
          fieldRef: { path: '.spec.vm' },
        },
      ],
    },
  };
}

/** The rule that most scenarios use: a VM refers to the VPC of its network. */
export function vmRule(cloud: Cloud, more: Tree = {}): Tree {
  return rule(cloud, 'vm-dependencies', 'VM', [{ resource: 'vpcs', path: '.spec.vpcRef.name' }], more);
}
