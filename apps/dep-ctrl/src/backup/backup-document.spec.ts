import { describe, expect, it } from '@jest/globals';
import { logicalCluster, type KubeObject } from '@dep-ctrl/kcp-names';
import { readBackup, savedOf, writeBackup, type Saved } from './backup-document.js';

const HOME = logicalCluster('3k2a');
const BACKUP_OF = 'dependencies.opendefense.cloud/backup-of';
const API_VERSION = 'dependencies.opendefense.cloud/v1alpha1';

function rule(metadata: Partial<KubeObject['metadata']> = {}, more: object = { spec: { a: 1 } }): KubeObject {
  return { apiVersion: API_VERSION, kind: 'DependencyRule', metadata: { name: 'r', ...metadata }, ...more };
}

describe(savedOf, () => {
  it('given a rule, then what its author wrote is kept, with the logical cluster that it was in', () => {
    const written = rule(
      {
        uid: 'u',
        resourceVersion: '7',
        labels: { team: 'a', 'apis.kcp.io/export': 'x', 'claimed.internal.apis.kcp.io/y': 'z' },
        annotations: {
          note: 'mine',
          'example.com/kcp.io': 'mine too',
          'mykcp.io/x': 'of another',
          'kcp.io/path': 'root:a',
          'kcp.io/cluster': 'old',
          'kubectl.kubernetes.io/last-applied-configuration': '{}',
          'xkubectl.kubernetes.io/y': 'of another',
          [BACKUP_OF]: 'old',
        },
      },
      { spec: { a: 1 }, status: { b: 2 } },
    );

    expect(savedOf(HOME, 'DependencyRule', written)).toStrictEqual({
      cluster: HOME,
      kind: 'DependencyRule',
      object: {
        apiVersion: API_VERSION,
        kind: 'DependencyRule',
        metadata: {
          name: 'r',
          labels: { team: 'a' },
          annotations: {
            note: 'mine',
            'example.com/kcp.io': 'mine too',
            'mykcp.io/x': 'of another',
            'xkubectl.kubernetes.io/y': 'of another',
            [BACKUP_OF]: HOME,
          },
        },
        spec: { a: 1 },
      },
    });
  });

  it('given one without labels and annotations, then it gets no labels', () => {
    expect(savedOf(HOME, 'DependencyGuard', rule())?.object.metadata).toStrictEqual({ name: 'r', annotations: { [BACKUP_OF]: HOME } });
  });

  it.each([
    { given: 'one that is being deleted', object: rule({ deletionTimestamp: '2026-01-01T00:00:00Z' }) },
    { given: 'a guard in which its owner wrote nothing', object: rule({}, {}) },
  ])('given $given, then nothing is kept', ({ object }) => {
    expect(savedOf(HOME, 'DependencyGuard', object)).toBeUndefined();
  });
});

describe(readBackup, () => {
  it('given what was written, then it is read again', () => {
    const kinds = ['DependencyRule', 'DependencyGuard'] as const;
    const saved = kinds.map((kind) => savedOf(HOME, kind, rule({ annotations: { note: 'mine' } }))).filter((each) => each !== undefined);

    const text = writeBackup(saved, () => 'root:"odd"\nname');
    const read = readBackup(`# of today\n${text}---\n# nothing\n`);

    expect(text.split('\n').filter((line) => line.startsWith('#'))).toEqual(['# "root:\\"odd\\"\\nname"', '# "root:\\"odd\\"\\nname"']);
    const expected: readonly Saved[] = kinds.map((kind) => ({
      cluster: HOME,
      kind,
      object: { ...rule({ annotations: { note: 'mine' } }), kind },
    }));
    expect(read).toStrictEqual({ ok: true, value: expected });
  });

  it('given a text of nothing, then there is nothing to restore', () => {
    expect(readBackup('')).toEqual({ ok: true, value: [] });
  });

  const SOMETHING_ELSE = 'it holds something else than DependencyRules and DependencyGuards with a name and a spec';
  const NO_PLACE = `DependencyRule r has no annotation ${BACKUP_OF} with the logical cluster that it was in`;
  it.each([
    {
      given: 'no YAML',
      text: '? a\n b: [',
      problem: 'Implicit keys need to be on a single line at line 1, column 3:',
    },
    { given: 'what is nested too deep', text: '['.repeat(300), problem: 'it is nested more than 256 deep' },
    { given: 'a text', text: 'a text', problem: SOMETHING_ELSE },
    { given: 'another kind', text: 'kind: ConfigMap\nmetadata: {name: r}\nspec: {}', problem: SOMETHING_ELSE },
    { given: 'a rule without a name', text: 'kind: DependencyRule\nmetadata: {}\nspec: {}', problem: SOMETHING_ELSE },
    { given: 'a rule without a spec', text: 'kind: DependencyRule\nmetadata: {name: r}', problem: SOMETHING_ELSE },
    { given: 'a spec of another type', text: 'kind: DependencyRule\nmetadata: {name: r}\nspec: [1]', problem: SOMETHING_ELSE },
    { given: 'a rule without a place', text: 'kind: DependencyRule\nmetadata: {name: r}\nspec: {}', problem: NO_PLACE },
    {
      given: 'a rule with a path for its place',
      text: `kind: DependencyRule\nmetadata: {name: r, annotations: {${BACKUP_OF}: 'root:a'}}\nspec: {}`,
      problem: NO_PLACE,
    },
  ])('given $given, then it says what is wrong', ({ text, problem }) => {
    expect(readBackup(text)).toEqual({ ok: false, problem });
  });
});
