import { describe, expect, it } from '@jest/globals';
import { CLUSTER_ANNOTATION, logicalCluster, workspacePath } from '@dep-ctrl/kcp-names';
import { stringify } from 'yaml';
import { vpcDependency, writtenRule } from '../webhook/testing/written-rules.js';
import { readManifest } from './manifest-object.js';
import { UNPLACED, asHandedOut, placeRules, readFileRule } from './placed-rules.js';

/** Rules, each of the export and with the targets that are named. */
function place(rules: readonly { readonly of: string; readonly to: readonly string[]; readonly cluster?: string }[], home?: string) {
  const text = rules
    .map(({ of, to, cluster }) => {
      const dependencies = to.map((target) => {
        const [path, name] = target.split('/');
        return vpcDependency({ apiExportRef: { path: path!, name: name! } });
      });
      const rule = writtenRule(dependencies, { apiExportName: of, group: of, version: 'v1', kind: 'Thing', resource: 'things' });
      const annotations = cluster === undefined ? undefined : { 'kcp.io/cluster': cluster };
      return stringify({ ...rule, metadata: { name: 'r', annotations } }, { aliasDuplicateObjects: false });
    })
    .join('---\n');
  const { objects } = readManifest({ file: 'a.yaml', text });
  const placed = placeRules(
    objects.map((manifest) => readFileRule(manifest, UNPLACED)),
    home === undefined ? undefined : workspacePath(home),
  );
  return placed.rules.map(({ rule }) => {
    const label = placed.workspaceOf(rule.cluster);
    return 'path' in label ? label.path : `export ${label.exportName}`;
  });
}

describe(placeRules, () => {
  it('given rules that name the export of another, then that lives where they say; the others are known by their export', () => {
    expect(
      place([
        { of: 'compute.io', to: ['root:network/network.io'] },
        { of: 'network.io', to: ['root:dns/dns.io'] },
      ]),
    ).toEqual(['export compute.io', 'root:network']);
  });

  it('given an export that is named in two workspaces, then nobody knows which is meant', () => {
    const rules = [
      { of: 'a.io', to: ['root:x/b.io', 'root:y/b.io'] },
      { of: 'b.io', to: ['root:z/c.io'] },
    ];

    expect(place(rules)).toEqual(['export a.io', 'export b.io']);
  });

  it('given the workspace of all of them, then they live there', () => {
    expect(place([{ of: 'a.io', to: ['root:x/b.io'] }], 'root:home')).toEqual(['root:home']);
  });

  it('given a rule that cannot be read, then it is in no workspace', () => {
    const { objects } = readManifest({ file: 'a.yaml', text: stringify(writtenRule([])) });

    expect(
      placeRules(
        objects.map((manifest) => readFileRule(manifest, UNPLACED)),
        undefined,
      ).rules,
    ).toEqual([]);
  });

  it('given rules, then the paths that they name lead to workspaces and back, and of others nothing is known', () => {
    const { objects } = readManifest({ file: 'a.yaml', text: stringify({ ...writtenRule(), metadata: { name: 'r' } }) });
    const { rules, paths, workspaceOf } = placeRules(
      objects.map((manifest) => readFileRule(manifest, UNPLACED)),
      undefined,
    );
    const network = paths.clusterOf(workspacePath('root:network'));
    const home = rules[0]!.rule.cluster;

    expect([network === paths.clusterOf(workspacePath('root:network')), network === home]).toEqual([true, false]);
    expect([paths.pathOf(logicalCluster(network)), paths.pathOf(home)]).toEqual(['root:network', undefined]);
    expect([workspaceOf(home), workspaceOf(logicalCluster('other'))]).toEqual([{ exportName: 'compute.example.com' }, { exportName: '' }]);
  });

  it('given rules of one name and export that were read from two clusters, then they are told apart', () => {
    const text = ['one', 'two']
      .map((cluster) => stringify({ ...writtenRule(), metadata: { name: 'r', annotations: { 'kcp.io/cluster': cluster } } }))
      .join('---\n');
    const { objects } = readManifest({ file: 'a.yaml', text });

    const { rules } = placeRules(
      objects.map((manifest) => readFileRule(manifest, UNPLACED)),
      undefined,
    );

    expect(new Set(rules.map(({ rule }) => rule.key)).size).toBe(2);
  });
});

describe(asHandedOut, () => {
  it.each([
    { given: 'a name', metadata: { name: 'a' }, expected: { name: 'a' } },
    { given: 'the beginning of a name', metadata: { generateName: 'a-' }, expected: { generateName: 'a-', name: 'a-x' } },
    { given: 'both', metadata: { name: 'b', generateName: 'a-' }, expected: { generateName: 'a-', name: 'b' } },
    { given: 'neither', metadata: {}, expected: {} },
    { given: 'no metadata', metadata: undefined, expected: {} },
  ])('given $given, then the name is what kcp would make of it, and the cluster is there', ({ metadata, expected }) => {
    const [manifest] = readManifest({ file: 'a.yaml', text: JSON.stringify({ kind: 'A', metadata }) }).objects;

    expect(asHandedOut(manifest!, UNPLACED)).toStrictEqual({
      kind: 'A',
      metadata: { ...expected, annotations: { [CLUSTER_ANNOTATION]: UNPLACED } },
    });
  });
});
