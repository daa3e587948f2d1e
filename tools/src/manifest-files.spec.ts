import { describe, expect, it } from '@jest/globals';
import { CLUSTER_ANNOTATION } from '@dep-ctrl/kcp-names';
import { parseGuard, parseRuleManifest } from '@dep-ctrl/rule-registry';
import { GUARD } from './example-objects.js';
import { manifestFiles } from './manifest-files.js';

describe(manifestFiles, () => {
  it('given every rule among the examples, then it is a rule', () => {
    const rules = manifestFiles().flatMap(({ objects }) => objects.filter((object) => object.kind === 'DependencyRule'));

    expect(rules.length).toBeGreaterThan(1);
    for (const rule of rules) expect(parseRuleManifest(rule)).toMatchObject({ ok: true });
  });

  it('given the guard among the examples, then it is a guard', () => {
    const guard = { ...GUARD, metadata: { ...GUARD.metadata, annotations: { [CLUSTER_ANNOTATION]: 'network' } } };

    expect(parseGuard(guard)).toMatchObject({ ok: true, value: { allowRulesFrom: ['root:providers:compute'] } });
  });

  it('given all files, then each has a name of its own and says what it is for', () => {
    const files = manifestFiles();

    expect(new Set(files.map(({ name }) => name)).size).toBe(files.length);
    for (const { about, objects } of files) expect([about.length, objects.length]).not.toContain(0);
  });
});
