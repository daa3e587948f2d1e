import { describe, expect, it } from '@jest/globals';
import type { WorkspacePath } from '@dep-ctrl/kcp-names';
import type { Rule } from '@dep-ctrl/rule-registry';
import { cluster } from '../webhook/testing/builders.js';
import { ruleOf, vpcDependency } from '../webhook/testing/written-rules.js';
import { arrowsOf, labelLines, typeGraph, type TypeGraph } from './type-graph.js';

const NETWORK = cluster('network');
const places = {
  paths: {
    clusterOf: (path: WorkspacePath) => (path === 'root:network' ? NETWORK : ('unknown' as const)),
    pathOf: () => undefined,
  },
  workspaceOf: (of: string) => (of === NETWORK ? 'root:network' : of),
};
const VPCS = { apiExportName: 'network.example.com', group: 'network.example.com', version: 'v1alpha1', kind: 'VPC', resource: 'vpcs' };

function graphOf(rules: readonly Rule[], isInForce?: boolean): TypeGraph {
  return typeGraph(
    rules.map((rule) => ({ rule, isInForce: () => isInForce })),
    places,
  );
}

const inNetwork = (rule: Rule): Rule => ({ ...rule, cluster: NETWORK, name: 'back' });

describe(typeGraph, () => {
  it('given rules, then their types are nodes with their workspaces, and each field of each rule refers from one to the other', () => {
    const elsewhere = vpcDependency({ apiExportRef: { path: 'root:else', name: 'e.io' }, group: 'e.io', resource: 'things' });

    const graph = graphOf([ruleOf([vpcDependency(), elsewhere])], true);

    expect(graph.types.map(({ id, workspace, resource, inCycle }) => [id, workspace, resource, inCycle])).toEqual([
      ['t0', 'compute', 'virtualmachines', false],
      ['t1', 'root:else', 'things', false],
      ['t2', 'root:network', 'vpcs', false],
    ]);
    expect(graph.references).toEqual([
      expect.objectContaining({ from: 't0', to: 't1', inForce: true }),
      {
        from: 't0',
        to: 't2',
        rule: { workspace: 'compute', name: 'vms' },
        fieldPath: '.spec.vpcRef.name',
        enforcement: 'Deny',
        inCycle: false,
        inForce: true,
      },
    ]);
    expect(graph.cycles).toEqual([]);
  });

  it('given types that refer to each other and one that refers to itself, then both circles are marked, and what leads into them is not', () => {
    const self = vpcDependency({ fieldRef: { path: '.spec.parent' } });

    const graph = graphOf([ruleOf([vpcDependency()]), inNetwork(ruleOf([self], VPCS))]);

    expect(graph.cycles).toEqual([['t1']]);
    expect(graph.types.map(({ inCycle }) => inCycle)).toEqual([false, true]);
    expect(graph.references.map(({ from, to, inCycle, inForce }) => [from, to, inCycle, inForce])).toEqual([
      ['t0', 't1', false, undefined],
      ['t1', 't1', true, undefined],
    ]);
  });

  it('given a field with a namespace, then both paths are told, and nothing of what is not known', () => {
    const graph = graphOf([ruleOf([vpcDependency({ fieldRef: { path: '.spec.vpc.name', namespacePath: '.spec.vpc.namespace' } })])]);

    expect(graph.references).toStrictEqual([
      {
        from: 't0',
        to: 't1',
        rule: { workspace: 'compute', name: 'vms' },
        fieldPath: '.spec.vpc.name',
        namespacePath: '.spec.vpc.namespace',
        enforcement: 'Deny',
        inCycle: false,
      },
    ]);
  });

  it('given more than ten types that refer to themselves, then references and circles stand in the order of the types', () => {
    const rules = Array.from({ length: 11 }, (_, at) => `thing-${String(10 - at)}`).map((resource) =>
      inNetwork(ruleOf([vpcDependency({ resource })], { ...VPCS, resource })),
    );

    const graph = graphOf(rules);

    const ids = Array.from({ length: 11 }, (_, at) => `t${String(at)}`);
    expect(graph.references.map(({ from, to }) => `${from} ${to}`)).toEqual(ids.map((id) => `${id} ${id}`));
    expect(graph.cycles).toEqual(ids.map((id) => [id]));
  });

  it('given workspaces that people know by names in another order, then circles stand in the order of those names', () => {
    const clusters = { 'root:z': cluster('a'), 'root:y': cluster('b') };
    const rules = Object.entries(clusters).map(([path, home]) => ({
      ...ruleOf([vpcDependency({ apiExportRef: { path, name: 'network.example.com' } })], VPCS),
      cluster: home,
    }));

    const { types, cycles } = typeGraph(
      rules.map((rule) => ({ rule, isInForce: () => true })),
      {
        paths: { clusterOf: (path) => (path === 'root:z' ? clusters['root:z'] : clusters['root:y']), pathOf: () => undefined },
        workspaceOf: (of) => (of === clusters['root:z'] ? 'root:z' : 'root:y'),
      },
    );

    expect(types.map(({ id, workspace }) => `${id} ${workspace}`)).toEqual(['t0 root:y', 't1 root:z']);
    expect(cycles).toEqual([['t0'], ['t1']]);
  });

  it('given the rules in any order and one of them twice, then the graph is the same', () => {
    const [a, b] = [ruleOf([vpcDependency()]), inNetwork(ruleOf([vpcDependency({ fieldRef: { path: '.spec.parent' } })], VPCS))];

    expect(graphOf([b, a, b])).toEqual(graphOf([a, b]));
  });
});

describe(arrowsOf, () => {
  it('given several fields between two types, then one arrow tells of the first, and is idle only if all are', () => {
    const fields = ['a', 'b', 'c', 'd'].map((name) => `.spec.${name}`).map((path) => vpcDependency({ fieldRef: { path } }));

    const arrows = [undefined, true, false].flatMap((isInForce) => arrowsOf(graphOf([ruleOf(fields)], isInForce)));

    expect(arrows.map(labelLines)).toEqual(Array.from({ length: 3 }, () => ['.spec.a', '.spec.b', 'and 2 more']));
    expect(arrows.map(({ isIdle }) => isIdle)).toEqual([false, false, true]);
  });

  it('given fields of which some are in force, then their arrow is not idle, and each pair of types has its own', () => {
    const fields = ['a', 'b', 'c'].map((name) => vpcDependency({ fieldRef: { path: `.spec.${name}` } }));
    const elsewhere = vpcDependency({ apiExportRef: { path: 'root:else', name: 'e.io' }, group: 'e.io', resource: 'things' });
    const rules = [ruleOf([...fields, elsewhere])].map((rule) => ({
      rule,
      isInForce: ({ fieldPath }: { readonly fieldPath: { readonly text: string } }) => fieldPath.text === '.spec.b',
    }));

    const arrows = arrowsOf(typeGraph(rules, places));

    expect(arrows.map((arrow) => [arrow.from, arrow.to, arrow.isIdle, labelLines(arrow)])).toEqual([
      ['t0', 't1', true, ['.spec.vpcRef.name']],
      ['t0', 't2', false, ['.spec.a', '.spec.b', '.spec.c']],
    ]);
  });

  it('given a rule that refuses nothing, then its label says so', () => {
    const [arrow] = arrowsOf(graphOf([{ ...ruleOf(), enforcement: 'Audit' }]));

    expect(labelLines(arrow!)).toEqual(['.spec.vpcRef.name (Audit)']);
  });
});
