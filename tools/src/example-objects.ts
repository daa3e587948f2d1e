import type { KubeObject } from '@dep-ctrl/kcp-names';
import {
  API_GROUP,
  API_VERSION,
  EXPORT_NAME,
  GUARD_NAME,
  PERMISSION_CLAIM,
  type DependencyGuardObject,
  type DependencyRuleObject,
} from '@dep-ctrl/rule-registry';

const apiVersion = `${API_GROUP}/${API_VERSION}`;

/** The rule of the story that `dep-ctrl dev` tells: virtual machines refer to VPCs. */
export const VM_RULE: DependencyRuleObject = {
  apiVersion,
  kind: 'DependencyRule',
  metadata: { name: 'vm-dependencies' },
  spec: {
    dependent: {
      apiExportName: 'compute.example.com',
      group: 'compute.example.com',
      version: 'v1alpha1',
      kind: 'VirtualMachine',
      resource: 'virtualmachines',
    },
    dependencies: [
      {
        apiExportRef: { path: 'root:providers:network', name: 'network.example.com' },
        group: 'network.example.com',
        version: 'v1alpha1',
        resource: 'vpcs',
        fieldRef: { path: '.spec.vpcRef.name' },
      },
    ],
  },
};

/** Everything that a rule can say beyond that: lists, other namespaces, quoted keys, warnings. */
export const FULL_RULE: DependencyRuleObject = {
  apiVersion,
  kind: 'DependencyRule',
  metadata: { name: 'route-dependencies' },
  spec: {
    dependent: { apiExportName: 'edge.example.com', group: 'edge.example.com', version: 'v1', kind: 'Route', resource: 'routes' },
    dependencies: [
      {
        apiExportRef: { path: 'root:providers:gateways', name: 'gateways.example.com' },
        group: 'gateways.example.com',
        version: 'v1',
        resource: 'gateways',
        fieldRef: { path: '.spec.parents[*].name', namespacePath: '.spec.parents[*].namespace' },
      },
      {
        apiExportRef: { path: 'root:providers:network', name: 'network.example.com' },
        group: 'network.example.com',
        version: 'v1alpha1',
        resource: 'vpcs',
        fieldRef: { path: ".metadata.labels['network.example.com/vpc']" },
      },
    ],
    enforcement: 'Warn',
    whileTerminating: 'Ignore',
  },
};

/** A provider that lets only the compute provider guard its resources. */
export const GUARD: DependencyGuardObject = {
  apiVersion,
  kind: 'DependencyGuard',
  metadata: { name: GUARD_NAME },
  spec: { allowRulesFrom: ['root:providers:compute'] },
};

/** What every provider needs once, in its own workspace, whether it writes rules or is guarded by them. */
export const BINDING: KubeObject = {
  apiVersion: 'apis.kcp.io/v1alpha2',
  kind: 'APIBinding',
  metadata: { name: EXPORT_NAME },
  spec: {
    reference: { export: { path: 'root:dep-ctrl', name: EXPORT_NAME } },
    permissionClaims: [{ ...PERMISSION_CLAIM, selector: { matchAll: true }, state: 'Accepted' }],
  },
};
