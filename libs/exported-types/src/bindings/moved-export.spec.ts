import { describe, expect, it } from '@jest/globals';
import { logicalCluster, type KubeObject } from '@dep-ctrl/kcp-names';
import { formerCluster, isLabelledForAnother, withoutLabel } from './moved-export.js';

const EXPORT_NAME = 'dependencies.opendefense.cloud';
const LABEL = 'internal.apis.kcp.io/export';
// Both as kcp v0.32.3 gave them.
const [FORMER, NOW] = ['10z9p7kagcbg5cnn', '2sr7vido6wesw5w3'];
const [OF_FORMER, OF_NOW] = ['4y75YpHKACuwMzJYzSCvRjM3AMUTgqu5mXkDe3', '9y6oG5WyK1kc18NHSKh4PIFohMTkxvB1xXQMeu'];

const binding = (cluster: string | undefined, labels: Readonly<Record<string, string>>): KubeObject => ({
  metadata: { name: EXPORT_NAME, labels },
  spec: { reference: { export: { path: 'root:dep-ctrl', name: EXPORT_NAME } } },
  status: cluster === undefined ? {} : { apiExportClusterName: cluster },
});

describe(isLabelledForAnother, () => {
  it.each([
    { given: 'the label of the export that it is bound to', found: binding(NOW, { [LABEL]: OF_NOW }), expected: false },
    { given: 'the label of the export that was there before', found: binding(NOW, { [LABEL]: OF_FORMER }), expected: true },
    { given: 'a binding that kcp has not moved', found: binding(FORMER, { [LABEL]: OF_FORMER }), expected: false },
    { given: 'a binding that is not bound yet', found: binding(undefined, { [LABEL]: OF_NOW }), expected: false },
    { given: 'no label', found: binding(NOW, {}), expected: false },
  ])('given $given, then $expected', ({ found, expected }) => {
    expect(isLabelledForAnother(found)).toBe(expected);
  });
});

describe(withoutLabel, () => {
  it('given other labels, then they stay', () => {
    expect(withoutLabel(binding(NOW, { [LABEL]: OF_FORMER, team: 'a' })).metadata.labels).toEqual({ team: 'a' });
  });
});

describe(formerCluster, () => {
  it.each([
    { given: 'a binding that kcp has moved', found: binding(NOW, {}), expected: undefined },
    { given: 'one that it has not', found: binding(FORMER, {}), expected: FORMER },
    { given: 'one that was never bound', found: binding(undefined, {}), expected: undefined },
  ])('given $given, then $expected', ({ found, expected }) => {
    expect(formerCluster(found, logicalCluster(NOW))).toBe(expected);
  });
});
