import { describe, expect, it } from '@jest/globals';
import type { WorkspacePath } from '@dep-ctrl/kcp-names';
import type { Rule } from '@dep-ctrl/rule-registry';
import { cluster } from '../webhook/testing/builders.js';
import { ruleOf, vpcDependency } from '../webhook/testing/written-rules.js';
import { cyclesAmong, dependencyNode, nodeKey } from './closing-dependencies.js';

const NETWORK = cluster('network');
const COMPUTE = cluster('compute');
const paths = {
  clusterOf: (path: WorkspacePath) =>
    path === 'root:network'
      ? NETWORK
      : path === 'root:compute'
        ? COMPUTE
        : path === 'root:gone'
          ? ('missing' as const)
          : ('unknown' as const),
  pathOf: () => undefined,
};

const toMachines = vpcDependency({
  apiExportRef: { path: 'root:compute', name: 'compute.example.com' },
  group: 'compute.example.com',
  resource: 'virtualmachines',
});
const to = (resource: string) => vpcDependency({ resource });
const ofNetwork = (resource: string, ...dependencies: readonly object[]): Rule => ({
  ...ruleOf(dependencies, { apiExportName: 'network.example.com', group: 'network.example.com', version: 'v1alpha1', kind: 'X', resource }),
  cluster: NETWORK,
});

describe(cyclesAmong, () => {
  it('given two circles and what leads from one to the other, then only the dependencies within one close it', () => {
    const machines = ruleOf([vpcDependency(), to('subnets')]);
    const vpcs = ofNetwork('vpcs', toMachines);
    const subnets = ofNetwork('subnets', to('subnets'), to('zones'));

    const { cycles, closes } = cyclesAmong([machines, vpcs, subnets], paths);

    expect(cycles.map(({ types }) => types.map(({ resource }) => resource).toSorted())).toEqual(
      expect.arrayContaining([['virtualmachines', 'vpcs'], ['subnets']]),
    );
    expect([machines, vpcs, subnets].map((rule) => [0, 1].map((index) => closes(rule, index)))).toEqual([
      [true, false],
      [true, false],
      [true, false],
    ]);
  });

  it('given no circle, then nothing closes one', () => {
    const machines = ruleOf();

    const { cycles, closes } = cyclesAmong([machines], paths);

    expect([cycles, closes(machines, 0)]).toEqual([[], false]);
  });
});

describe(dependencyNode, () => {
  it.each([
    { path: 'root:network', workspace: 'network' },
    { path: 'root:gone', workspace: 'root:gone' },
    { path: 'root:other', workspace: 'root:other' },
  ])('given the path $path, then the type is in $workspace', ({ path, workspace }) => {
    const [dependency] = ruleOf([vpcDependency({ apiExportRef: { path, name: 'network.example.com' } })]).dependencies;

    const node = dependencyNode(dependency, paths);

    expect(node).toEqual({ workspace, group: 'network.example.com', resource: 'vpcs' });
    expect(nodeKey(node)).not.toBe(nodeKey({ ...node, workspace: cluster('else') }));
  });
});
