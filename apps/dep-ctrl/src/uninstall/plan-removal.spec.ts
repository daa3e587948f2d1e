import { describe, expect, it } from '@jest/globals';
import type { KubeObject, LogicalClusterName } from '@dep-ctrl/kcp-names';
import { GUARD_FINALIZER, GUARD_NAME } from '@dep-ctrl/rule-registry';
import { OWNER_LABEL } from '../own-objects/configuration-labels.js';
import { abandonedStatus, idleStatus } from '../controller/guard/guard-status.js';
import { abandonedRuleStatus } from '../controller/rule-status/rule-status.js';
import { planRemoval } from './plan-removal.js';

const OWNER = 'ours' as LogicalClusterName;

const object = (metadata: KubeObject['metadata'], more: object = {}): KubeObject => ({
  apiVersion: 'dependencies.opendefense.cloud/v1alpha1',
  kind: 'DependencyGuard',
  ...more,
  metadata: { name: GUARD_NAME, uid: 'u', generation: 1, annotations: { 'kcp.io/cluster': 'net' }, ...metadata },
});

const actions = (listed: Partial<Parameters<typeof planRemoval>[0]>) =>
  planRemoval({ configurations: [], guards: [], rules: [], ...listed }, OWNER).map(({ cluster, action }) => `${cluster} ${action}`);

describe(planRemoval, () => {
  it.each([
    { given: 'one of ours', configuration: object({ labels: { [OWNER_LABEL]: 'ours' } }), expected: ['net delete-configuration'] },
    { given: "another installation's", configuration: object({ labels: { [OWNER_LABEL]: 'theirs' } }), expected: [] },
    { given: 'one without a label', configuration: object({}), expected: [] },
    {
      given: 'one of ours that names no workspace',
      configuration: object({ labels: { [OWNER_LABEL]: 'ours' }, annotations: {} }),
      expected: [],
    },
    { given: 'one of another name', configuration: object({ name: 'other', labels: { [OWNER_LABEL]: 'ours' } }), expected: [] },
  ])('given a configuration, $given, then $expected', ({ configuration, expected }) => {
    expect(actions({ configurations: [configuration] })).toEqual(expected);
  });

  it.each([
    { given: 'made by us', guard: object({ finalizers: [GUARD_FINALIZER] }), expected: ['net delete-guard'] },
    {
      given: "with a provider's spec",
      guard: object({ finalizers: [GUARD_FINALIZER] }, { spec: { allowRulesFrom: [] } }),
      expected: ['net release-guard'],
    },
    { given: "with a provider's spec, never held", guard: object({}, { spec: { allowRulesFrom: ['root:a'] } }), expected: [] },
    {
      given: "with a provider's spec, released, whose status says that somebody looks after it",
      guard: object({}, { spec: { allowRulesFrom: [] }, status: idleStatus(object({}), '2026-01-01T00:00:00Z') }),
      expected: ['net release-guard'],
    },
    {
      given: "with a provider's spec, released, whose status says that nobody does",
      guard: object({}, { spec: { allowRulesFrom: [] }, status: abandonedStatus(object({}), '2026-01-01T00:00:00Z') }),
      expected: [],
    },
    {
      given: 'with a spec that cannot be read',
      guard: object({ finalizers: [GUARD_FINALIZER] }, { spec: { allowRulesFrom: 1 } }),
      expected: ['net release-guard'],
    },
  ])('given a guard $given, then $expected', ({ guard, expected }) => {
    expect(actions({ guards: [guard] })).toEqual(expected);
  });

  it.each([
    { given: 'that says it is in force', status: idleStatus(object({}), '2026-01-01T00:00:00Z'), expected: ['net mark-rule'] },
    { given: 'that says it is not', status: abandonedRuleStatus(object({}), '2026-01-01T00:00:00Z'), expected: [] },
    { given: 'that nobody has looked at', status: undefined, expected: [] },
  ])('given a rule $given, then $expected', ({ status, expected }) => {
    expect(actions({ rules: [object({}, { status })] })).toEqual(expected);
  });

  it('given all in one workspace, then the configuration goes first and the rule last', () => {
    const configuration = object({ labels: { [OWNER_LABEL]: 'ours' } });
    const rule = object({}, { status: idleStatus(object({}), '2026-01-01T00:00:00Z') });

    expect(actions({ configurations: [configuration], guards: [object({})], rules: [rule] })).toEqual([
      'net delete-configuration',
      'net delete-guard',
      'net mark-rule',
    ]);
  });
});
