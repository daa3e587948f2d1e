import { expect, it } from '@jest/globals';
import { parseLogicalClusterName, parseWorkspacePath, type KubeObject } from '@dep-ctrl/kcp-names';
import { createRegistry, reportRule } from '@dep-ctrl/rule-registry';

const ruleObject: KubeObject = {
  apiVersion: 'dependencies.opendefense.cloud/v1alpha1',
  kind: 'DependencyRule',
  metadata: { name: 'vm-dependencies', annotations: { 'kcp.io/cluster': 'compute-cluster' } },
  spec: {
    dependent: {
      apiExportName: 'compute',
      group: 'compute.example.com',
      version: 'v1',
      kind: 'VirtualMachine',
      resource: 'virtualmachines',
    },
    dependencies: [
      {
        apiExportRef: { path: 'root:network', name: 'network' },
        group: 'network.example.com',
        version: 'v1',
        resource: 'vpcs',
        fieldRef: { path: '.spec.vpcRef.name' },
      },
    ],
  },
};

it('answers who guards VPCs in the network workspace', () => {
  const [compute, network, path] = [
    parseLogicalClusterName('compute-cluster'),
    parseLogicalClusterName('network-cluster'),
    parseWorkspacePath('root:network'),
  ];
  if (!compute.ok || !network.ok || !path.ok) throw new Error('no names');

  const { reader, writer } = createRegistry();
  const vpcs = { group: 'network.example.com', resource: 'vpcs' };
  expect(reader.guarding(network.value, vpcs).state).toBe('syncing');

  // What the watches of one endpoint of the export deliver:
  const endpoint = 'https://kcp.example.com/services/apiexport/abc/dependencies.opendefense.cloud';
  writer.endpointsRead([endpoint]);
  writer.workspacesListed(endpoint, [{ cluster: network.value, path: path.value }]);
  writer.guardsListed(endpoint, []);
  writer.rulesListed(endpoint, [reportRule(compute.value, ruleObject)]);

  const { state, matches } = reader.guarding(network.value, vpcs);
  expect(state).toBe('known');
  expect(matches.map(({ rule, dependency }) => `${rule.name}: ${rule.dependent.kind} at ${dependency.fieldPath.text}`)).toEqual([
    'vm-dependencies: VirtualMachine at .spec.vpcRef.name',
  ]);
});
