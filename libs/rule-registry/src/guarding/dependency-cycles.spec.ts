import { describe, expect, it } from '@jest/globals';
import { dependencyCycles, type PathAnswers, type Rule } from '../index.js';
import type { PathResolution } from './workspace-map.js';
import { cluster, dependencySpec, rule } from '../testing/builders.js';

const UNCERTAIN: Readonly<Record<string, PathResolution>> = {
  'root:unresolved': 'unknown',
  'root:other': 'unknown',
  'root:gone': 'missing',
};
const paths: PathAnswers = {
  clusterOf: (path) => UNCERTAIN[path] ?? cluster(path.split(':').at(-1) ?? ''),
  pathOf: () => undefined,
};

/** A rule by which type `from` of workspace x refers to the types `to`, each written as `workspace/resource`. */
function edge(from: string, ...to: string[]): Rule {
  const [home = '', resource = ''] = from.split('/');
  return rule(
    {
      dependent: { apiExportName: 'e', group: 'g.io', version: 'v1', kind: 'K', resource },
      dependencies: to.map((text, index) => {
        const [workspace = '', target = ''] = text.split('/');
        return dependencySpec({
          apiExportRef: { path: `root:${workspace}`, name: 'e' },
          group: 'g.io',
          resource: target,
          fieldRef: { path: `.spec.f${String(index)}` },
        });
      }),
    },
    { cluster: home, name: `${resource}-to-${to.join('-').replaceAll('/', '.')}` },
  );
}

describe(dependencyCycles, () => {
  it.each([
    ['no rules', [], []],
    ['a chain', [edge('x/a', 'x/b'), edge('x/b', 'x/c')], []],
    ['a diamond', [edge('x/a', 'x/b', 'x/c'), edge('x/b', 'x/d'), edge('x/c', 'x/d')], []],
    ['a type that refers to itself', [edge('x/a', 'x/a')], [[['x/a'], 1]]],
    ['a type that refers to itself, behind another', [edge('x/a', 'x/b'), edge('x/b', 'x/b')], [[['x/b'], 1]]],
    ['two types', [edge('x/a', 'x/b'), edge('x/b', 'x/a')], [[['x/a', 'x/b'], 2]]],
    [
      'three types and a tail',
      [edge('x/a', 'x/b'), edge('x/b', 'x/c'), edge('x/c', 'x/a'), edge('x/t', 'x/a')],
      [[['x/a', 'x/b', 'x/c'], 3]],
    ],
    [
      'two cycles apart',
      [edge('x/a', 'x/a'), edge('x/b', 'x/b')],
      [
        [['x/a'], 1],
        [['x/b'], 1],
      ],
    ],
    ['two cycles that meet', [edge('x/a', 'x/b'), edge('x/b', 'x/a', 'x/c'), edge('x/c', 'x/b')], [[['x/a', 'x/b', 'x/c'], 3]]],
    ['the same names in different workspaces', [edge('x/a', 'y/a'), edge('y/a', 'z/a')], []],
    ['a cycle through workspaces', [edge('x/a', 'y/a'), edge('y/a', 'x/a')], [[['x/a', 'y/a'], 2]]],
    ['a path that nobody could resolve', [edge('x/a', 'unresolved/a')], []],
    ['paths that nobody could resolve, each a workspace of its own', [edge('unknown/a', 'unresolved/a'), edge('missing/a', 'gone/a')], []],
    ['two rules for one edge', [edge('x/a', 'x/a'), edge('x/a', 'x/a', 'x/b')], [[['x/a'], 2]]],
  ])('given %s', (_given, rules, expected) => {
    const found = dependencyCycles(rules, paths);

    const summary = found.map((cycle) => [cycle.types.map(({ workspace, resource }) => `${workspace}/${resource}`), cycle.rules.length]);
    expect(summary).toEqual(expected);
    expect(dependencyCycles(rules.toReversed(), paths)).toEqual(found);
  });

  it('given a chain of ten thousand types that closes, then it is one cycle and no stack overflows', () => {
    const rules = Array.from({ length: 10_000 }, (_, index) => edge(`x/a${String(index)}`, `x/a${String((index + 1) % 10_000)}`));

    expect(dependencyCycles(rules, paths)).toMatchObject([{ types: { length: 10_000 }, rules: { length: 10_000 } }]);
  });
});
