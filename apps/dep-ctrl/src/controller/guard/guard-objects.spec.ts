import { describe, expect, it } from '@jest/globals';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { GUARD_FINALIZER, parseRule, type PathAnswers, type Rule } from '@dep-ctrl/rule-registry';
import { path, rule } from '../../rules/spec-support/objects.js';
import {
  entriesOf,
  guardSight,
  heldGuard,
  includesEntries,
  isHeld,
  newGuard,
  releasedGuard,
  saysSomething,
  sortedEntries,
} from './guard-objects.js';
import { entry, guard } from './spec-support/some-guard.js';

describe(newGuard, () => {
  it('given no spec, then the guard has its only name, the label of dep-ctrl and our finalizer, and no field spec: kcp would ask the webhook about one', () => {
    const expected = {
      apiVersion: 'dependencies.opendefense.cloud/v1alpha1',
      kind: 'DependencyGuard',
      metadata: {
        name: 'dependency-controller',
        labels: { 'app.kubernetes.io/managed-by': 'dep-ctrl' },
        finalizers: [GUARD_FINALIZER],
      },
    };

    expect(newGuard()).toStrictEqual(expected);
    expect(newGuard(null)).toStrictEqual(expected);
  });

  it('given the spec of the guard before, then the guard has it, and is held', () => {
    const again = newGuard({ allowRulesFrom: ['root:a'] });

    expect(again.spec).toEqual({ allowRulesFrom: ['root:a'] });
    expect(isHeld(again)).toBe(true);
  });
});

describe('the finalizer of a guard', () => {
  it('given a guard of the provider, when it is held and released, then it is as before', () => {
    const held = heldGuard(guard);

    expect(held.metadata.finalizers).toEqual(['other', GUARD_FINALIZER]);
    expect(isHeld(held)).toBe(true);
    expect(heldGuard(held)).toEqual(held);
    expect(releasedGuard(held)).toEqual(guard);
  });

  it('given a guard without finalizers, then it is not held; when it is held, then by nobody else', () => {
    const free: KubeObject = { metadata: { name: 'dependency-controller' } };

    expect(isHeld(free)).toBe(false);
    expect(heldGuard(free).metadata.finalizers).toEqual([GUARD_FINALIZER]);
  });
});

describe(saysSomething, () => {
  it.each<{ given: string; spec: unknown; expected: boolean }>([
    { given: 'no spec', spec: undefined, expected: false },
    { given: 'null', spec: null, expected: false },
    { given: 'text', spec: 'everyone', expected: false },
    { given: 'an empty spec', spec: {}, expected: false },
    { given: 'a consent that admits nobody', spec: { allowRulesFrom: [] }, expected: true },
    { given: 'a field that is not known', spec: { later: true }, expected: true },
  ])('given $given, then the provider has said something: $expected', ({ spec, expected }) => {
    expect(saysSomething({ ...guard, spec })).toBe(expected);
  });
});

describe(guardSight, () => {
  it('given a guard that cannot be parsed, then it counts as the provider’s: it is never deleted', () => {
    expect(guardSight(guard, undefined)).toEqual({
      state: 'present',
      deleting: false,
      held: false,
      madeByProvider: true,
      namesEveryRule: false,
    });
  });

  it('given a guard that is on its way out, then the plan sees it so', () => {
    const leaving = { ...guard, metadata: { ...guard.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };

    expect(guardSight(leaving, undefined)).toMatchObject({ state: 'present', deleting: true });
  });

  it('given no guard, then it is absent', () => {
    expect(guardSight(undefined, undefined)).toEqual({ state: 'absent' });
  });
});

describe(entriesOf, () => {
  it('given a rule, then its entry says whose it is, in which version, and what it is about', () => {
    expect(entriesOf([{ rule: vms, dependency: vms.dependencies[0] }], pathsAre('root:compute'))).toStrictEqual([
      {
        cluster: 'compute1',
        path: 'root:compute',
        rule: 'vms',
        uid: 'compute1-vms',
        generation: 1,
        dependent: 'VM.compute.example.com',
        resource: 'vpcs.network.example.com',
        enforcement: 'Deny',
      },
    ]);
  });

  it('given a rule of a workspace whose path nobody asked for, about a type of the core group, then neither path nor group is said', () => {
    const pods: Rule = { ...vms, dependent: { ...vms.dependent, group: '', kind: 'Pod' } };

    const [said] = entriesOf([{ rule: pods, dependency: pods.dependencies[0] }], pathsAre(undefined));

    expect(said).not.toHaveProperty('path');
    expect(said?.dependent).toBe('Pod');
  });
});

describe('entries', () => {
  it('given one rule with two fields on a resource, then it is named once, in stable order', () => {
    const other = { ...entry, cluster: 'a0' };

    expect(sortedEntries([entry, other, { ...entry }])).toEqual([other, entry]);
    expect(includesEntries([entry, other], [other])).toBe(true);
    expect(includesEntries([entry], [other])).toBe(false);
  });

  it('given a rule that was edited from Warn to Deny, then a guard that names it under Warn does not name what will be installed', () => {
    const warned = { ...entry, enforcement: 'Warn' as const };

    expect(includesEntries([warned], [entry])).toBe(false);
    expect(includesEntries([entry], [warned])).toBe(true);
    expect(includesEntries([warned], [{ ...entry, enforcement: 'Audit' }, entry])).toBe(false);
  });

  it('given what is named under Deny and wanted under Warn, then it stays Deny', () => {
    const warned = { ...entry, path: 'root:new', enforcement: 'Warn' as const };

    expect(sortedEntries([warned, { ...entry, enforcement: 'Deny' }])).toEqual([{ ...warned, enforcement: 'Deny' }]);
    expect(sortedEntries([{ ...warned, enforcement: 'Audit' }, warned])).toEqual([warned]);
  });
});

const vms = parsedRule();

function parsedRule(): Rule {
  const parsed = parseRule(rule().object);
  if (!parsed.ok) throw new Error(parsed.problem[0].message);
  return parsed.value;
}

function pathsAre(text: string | undefined): PathAnswers {
  return { clusterOf: () => 'unknown', pathOf: () => (text === undefined ? undefined : path(text)) };
}
