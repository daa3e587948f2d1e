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

/** The rule that most scenarios use: a VM refers to the VPC of its network. */
export function vmRule(cloud: Cloud, more: Tree = {}): Tree {
  return rule(cloud, 'vm-dependencies', 'VM', [{ resource: 'vpcs', path: '.spec.vpcRef.name' }], more);
}
