// The story's own small world: a network provider with VPCs, a compute provider with virtual machines, and the rule that joins them.
import { apiVersionOf, type GroupVersionResource, type KubeObject, type WorkspacePath } from '@dep-ctrl/kcp-names';
import { RULES } from '@dep-ctrl/rule-registry';

/** The network provider's VPCs. */
export const VPCS: GroupVersionResource = { group: 'network.example.com', version: 'v1alpha1', resource: 'vpcs' };

/** The compute provider's virtual machines. */
export const VIRTUAL_MACHINES: GroupVersionResource = { group: 'compute.example.com', version: 'v1alpha1', resource: 'virtualmachines' };

/** An export with one type: its schema and itself. */
export interface ProviderManifests {
  readonly exportName: string;
  readonly schema: KubeObject;
  readonly apiExport: KubeObject;
}

/** What the network provider exports. */
export function networkProvider(): ProviderManifests {
  return provider(VPCS, 'VPC', {
    type: 'object',
    properties: { cidr: { type: 'string' } },
  });
}

/** What the compute provider exports. The printer column on the reference lets dep-ctrl read a column instead of whole objects. */
export function computeProvider(): ProviderManifests {
  return provider(
    VIRTUAL_MACHINES,
    'VirtualMachine',
    {
      type: 'object',
      properties: { vpcRef: { type: 'object', properties: { name: { type: 'string' } } } },
    },
    [{ name: 'VPC', type: 'string', jsonPath: '.spec.vpcRef.name' }],
  );
}

/** Virtual machines hold references to VPCs. */
export function vmDependencies(network: WorkspacePath): KubeObject {
  return {
    apiVersion: apiVersionOf(RULES),
    kind: 'DependencyRule',
    metadata: { name: 'vm-dependencies' },
    spec: {
      dependent: {
        apiExportName: VIRTUAL_MACHINES.group,
        group: VIRTUAL_MACHINES.group,
        version: VIRTUAL_MACHINES.version,
        kind: 'VirtualMachine',
        resource: VIRTUAL_MACHINES.resource,
      },
      dependencies: [
        {
          apiExportRef: { path: network, name: VPCS.group },
          group: VPCS.group,
          version: VPCS.version,
          resource: VPCS.resource,
          fieldRef: { path: '.spec.vpcRef.name' },
        },
      ],
    },
  };
}

/** A VPC. */
export function vpc(name: string): KubeObject {
  return { apiVersion: `${VPCS.group}/v1alpha1`, kind: 'VPC', metadata: { name, namespace: 'default' }, spec: { cidr: '10.0.0.0/16' } };
}

/** A virtual machine that refers to a VPC. */
export function virtualMachine(name: string, vpcName: string): KubeObject {
  return {
    apiVersion: `${VIRTUAL_MACHINES.group}/v1alpha1`,
    kind: 'VirtualMachine',
    metadata: { name, namespace: 'default' },
    spec: { vpcRef: { name: vpcName } },
  };
}

function provider(
  type: GroupVersionResource,
  kind: string,
  spec: object,
  additionalPrinterColumns: readonly object[] = [],
): ProviderManifests {
  const schemaName = `v1.${type.resource}.${type.group}`;
  return {
    exportName: type.group,
    schema: {
      apiVersion: 'apis.kcp.io/v1alpha1',
      kind: 'APIResourceSchema',
      metadata: { name: schemaName },
      spec: {
        group: type.group,
        scope: 'Namespaced',
        names: { plural: type.resource, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
        versions: [
          {
            name: type.version,
            served: true,
            storage: true,
            schema: { type: 'object', properties: { spec } },
            ...(additionalPrinterColumns.length === 0 ? {} : { additionalPrinterColumns }),
          },
        ],
      },
    },
    apiExport: {
      apiVersion: 'apis.kcp.io/v1alpha2',
      kind: 'APIExport',
      metadata: { name: type.group },
      spec: { resources: [{ group: type.group, name: type.resource, schema: schemaName, storage: { crd: {} } }] },
    },
  };
}
