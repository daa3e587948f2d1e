import { describe, expect, it } from '@jest/globals';
import { createRegistry, reportRule, type DependencySpec } from '@dep-ctrl/rule-registry';
import { CLUSTER_ANNOTATION, parseWorkspacePath } from '@dep-ctrl/kcp-names';
import { cluster } from '../testing/builders.js';
import { vpcDependency, ruleOf } from '../testing/written-rules.js';
import { closingTargets } from './closed-cycles.js';

const path = (text: string) => {
  const parsed = parseWorkspacePath(text);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.value;
};

/** A rule: objects of `a` in its workspace refer to `b` of another. */
type Edge = readonly [from: string, resource: string, to: string, toResource: string];

const target = (to: string, resource: string): DependencySpec =>
  vpcDependency({ apiExportRef: { path: `root:${to}`, name: 'x' }, group: 'g.example.com', resource });

function registryOf(edges: readonly Edge[], resolved: readonly string[] = ['compute', 'a', 'b', 'c']) {
  const { reader, writer } = createRegistry();
  writer.endpointsRead(['e']);
  writer.workspacesListed(
    'e',
    resolved.map((name) => cluster(name)),
  );
  for (const name of resolved) writer.pathResolved(path(`root:${name}`), cluster(name));
  const reports = edges.map(([from, resource, to, toResource], at) =>
    reportRule(cluster(from), {
      apiVersion: 'dependencies.opendefense.cloud/v1alpha1',
      kind: 'DependencyRule',
      metadata: { name: at === 0 && from === 'compute' ? 'vms' : `r${String(at)}`, annotations: { [CLUSTER_ANNOTATION]: from } },
      spec: { dependent: dependent(resource), dependencies: [target(to, toResource)] },
    }),
  );
  writer.rulesListed('e', reports);
  return reader;
}

const dependent = (resource: string) => ({ apiExportName: 'x', group: 'g.example.com', version: 'v1', kind: 'K', resource });

/** The rule `vms` in the workspace `compute`: its `things` refer to these. */
const rule = (...targets: readonly DependencySpec[]) => ruleOf(targets, dependent('things'));

const EIGHT = Array.from({ length: 8 }, (_, at) => `t${String(at)}`);

describe(closingTargets, () => {
  it.each<{ given: string; edges: readonly Edge[]; targets: readonly DependencySpec[]; expected: readonly number[] }>([
    { given: 'no other rule', edges: [], targets: [target('a', 'as')], expected: [] },
    { given: 'its own type', edges: [], targets: [target('a', 'as'), target('compute', 'things')], expected: [1] },
    {
      given: 'a type that refers back',
      edges: [['a', 'as', 'compute', 'things']],
      targets: [target('b', 'bs'), target('a', 'as')],
      expected: [1],
    },
    {
      given: 'a type that refers back through others',
      edges: [
        ['a', 'as', 'b', 'bs'],
        ['b', 'bs', 'c', 'cs'],
        ['c', 'cs', 'compute', 'things'],
      ],
      targets: [target('a', 'as')],
      expected: [0],
    },
    {
      given: 'another type of the same name elsewhere',
      edges: [['a', 'as', 'compute', 'things']],
      targets: [target('b', 'as')],
      expected: [],
    },
    {
      given: 'a type that refers to another of its own workspace',
      edges: [['a', 'as', 'compute', 'others']],
      targets: [target('a', 'as')],
      expected: [],
    },
    {
      given: 'a target beside a type that refers back',
      edges: [['a', 'as', 'compute', 'things']],
      targets: [target('a', 'bs')],
      expected: [],
    },
    {
      given: 'what the rule said of another type before this edit',
      edges: [['compute', 'others', 'compute', 'things']],
      targets: [target('compute', 'others')],
      expected: [],
    },
    {
      given: 'a type behind many that refer to each other',
      edges: [
        ['a', 't0', 'compute', 'things'],
        ...EIGHT.flatMap((from) => EIGHT.filter((to) => to !== from).map((to): Edge => ['a', from, 'a', to])),
        ['b', 'x0', 'a', 't7'],
        ['b', 'x1', 'b', 'x0'],
        ['b', 'x2', 'b', 'x1'],
        ['b', 'x3', 'b', 'x2'],
      ],
      targets: [target('b', 'x3'), target('b', 'x4')],
      expected: [0],
    },
    {
      given: 'a circle that the rule closed before this edit, and closes no more',
      edges: [['compute', 'things', 'compute', 'things']],
      targets: [target('a', 'as')],
      expected: [],
    },
    {
      given: 'somebody who names a path that nobody can resolve, which counts for every workspace',
      edges: [['a', 'as', 'unresolved', 'things']],
      targets: [target('a', 'as')],
      expected: [],
    },
    {
      given: 'a target that nobody can resolve',
      edges: [['a', 'as', 'compute', 'things']],
      targets: [target('unresolved', 'as')],
      expected: [],
    },
  ])('given $given, then these targets close a circle', ({ edges, targets, expected }) => {
    expect([...closingTargets(rule(...targets), registryOf(edges))]).toEqual(expected);
  });

  it('given thousands who refer to a type, then so many are looked at as is bounded, and it answers', () => {
    // Of one author a hundred rules are in force.
    const authors = Array.from({ length: 30 }, (_, at) => `a${String(at)}`);
    const edges = authors.flatMap((author) =>
      Array.from({ length: 100 }, (_, at): Edge => [author, `as${String(at)}`, 'compute', 'things']),
    );
    const registry = registryOf(edges, ['compute', ...authors]);
    let asked = 0;
    const counting = {
      paths: registry.paths,
      *naming(...asking: Parameters<typeof registry.naming>) {
        for (const match of registry.naming(...asking)) {
          asked += 1;
          yield match;
        }
      },
    };

    closingTargets(rule(target('a0', 'as0')), counting);

    expect(asked).toBe(501);
  });
});
