/* eslint-disable no-console -- a program that says what it found */
import { logicalCluster, workspacePath } from '@dep-ctrl/kcp-names';
import { createRegistry, reportRule } from '@dep-ctrl/rule-registry';

const compute = logicalCluster('compute-cluster');
const network = logicalCluster('network-cluster');
const path = workspacePath('root:network');

const rule = {
  apiVersion: 'dependencies.opendefense.cloud/v1alpha1',
  kind: 'DependencyRule',
  metadata: { name: 'vm-dependencies', annotations: { 'kcp.io/cluster': compute } },
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
const vpcs = { group: 'network.example.com', resource: 'vpcs' };

const { reader, writer } = createRegistry();
// The workspaces whose exports the consumer has bound: only their rules concern it.
const exporters = new Set([network, compute]);
console.log(reader.guarding(network, vpcs, exporters).state); // syncing

// What the watches of one endpoint of the export deliver:
const endpoint = 'https://kcp.example.com/services/apiexport/abc/dependencies.opendefense.cloud';
writer.endpointsRead([endpoint]);
writer.workspacesListed(endpoint, [network, compute]);
writer.pathResolved(path, network); // as kcp answers for /clusters/root:network
writer.guardsListed(endpoint, []);
writer.rulesListed(endpoint, [reportRule(compute, rule)]);

const { state, matches } = reader.guarding(network, vpcs, exporters);
console.log(state); // known
for (const match of matches) {
  console.log(`${match.rule.name}: ${match.rule.dependent.kind} at ${match.dependency.fieldPath.text}`); // vm-dependencies: VirtualMachine at .spec.vpcRef.name
}
