import { describe, expect, it } from '@jest/globals';
import { parseGuard } from '../index.js';
import { guardObject } from '../testing/builders.js';

const entry = { cluster: 'compute', path: 'root:compute', rule: 'r', dependent: 'VM.x', resource: 'vpcs.y', enforcement: 'Deny' };

describe(parseGuard, () => {
  it('given a guard without anything, then everyone may, and it names no rules', () => {
    expect(parseGuard(guardObject())).toEqual({
      ok: true,
      value: {
        cluster: 'network',
        uid: 'g',
        generation: 1,
        allowRulesFrom: 'everyone',
        ignoredConsents: 0,
        madeByProvider: false,
        deleting: false,
        ruleRefs: [],
        namesEveryRule: false,
      },
    });
  });

  it.each([
    ['an empty spec', { spec: {} }, 'everyone', false],
    ['nobody', { spec: { allowRulesFrom: [] } }, [], true],
    ['two paths', { spec: { allowRulesFrom: ['root:a', 'root'] } }, ['root:a', 'root'], true],
  ])('given %s, then that is the consent', (_given, change, allowRulesFrom, madeByProvider) => {
    expect(parseGuard(guardObject(change))).toMatchObject({ value: { allowRulesFrom, madeByProvider } });
  });

  it('given more paths than a guard may name, as stored before there was a bound, then the first 128 are the consent', () => {
    const allowRulesFrom = Array.from({ length: 130 }, (_, index) => `root:a${index}`);

    expect(parseGuard(guardObject({ spec: { allowRulesFrom } }))).toMatchObject({
      value: { allowRulesFrom: allowRulesFrom.slice(0, 128), ignoredConsents: 2 },
    });
  });

  it.each([
    ['an empty list and its count', { ruleCount: 0, rules: [] }, [], true],
    ['a count alone', { ruleCount: 0 }, [], true],
    ['all rules', { ruleCount: 1, rules: [entry] }, ['compute/r'], true],
    ['a rule about two resources', { ruleCount: 1, rules: [entry, { ...entry, resource: 'others' }] }, ['compute/r', 'compute/r'], true],
    [
      'two entries and a count of entries, as earlier versions wrote',
      { ruleCount: 2, rules: [entry, entry] },
      ['compute/r', 'compute/r'],
      false,
    ],
    ['a list that was cut', { ruleCount: 2, rules: [entry] }, ['compute/r'], false],
    ['a list without a count', { rules: [entry] }, ['compute/r'], false],
    ['an entry without a cluster', { ruleCount: 2, rules: [entry, { rule: 'x' }] }, ['compute/r'], false],
    ['an entry whose cluster is none', { ruleCount: 1, rules: [{ ...entry, cluster: 'a/b' }] }, [], false],
    ['nonsense', { ruleCount: 'x', rules: 7 }, [], false],
    ['null', null, [], false],
  ])('given a status with %s, then it names these rules', (_given, status, keys, namesEveryRule) => {
    const answer = parseGuard(guardObject({ status }));

    expect(answer).toMatchObject({ ok: true, value: { namesEveryRule } });
    expect(answer.ok && answer.value.ruleRefs.map(({ key }) => key)).toEqual(keys);
  });

  it.each([
    ['uid and generation', { uid: 'u', generation: 3 }, { uid: 'u', generation: 3 }],
    ['neither, as older controllers wrote it', {}, undefined],
    ['a uid alone', { uid: 'u' }, undefined],
    ['a generation that is text', { uid: 'u', generation: '3' }, undefined],
  ])('given an entry with %s, then that is the version of the rule', (_given, change, version) => {
    const answer = parseGuard(guardObject({ status: { ruleCount: 1, rules: [{ ...entry, ...change }] } }));

    expect(answer.ok && answer.value.ruleRefs.map((ref) => ref.version)).toEqual([version]);
  });

  it('given a guard that is being deleted, then it says so', () => {
    expect(parseGuard(guardObject({}, { deletionTimestamp: '2026-01-01T00:00:00Z' }))).toMatchObject({ value: { deleting: true } });
  });

  it.each([
    ['another name', guardObject({}, { name: 'other' }), ['.metadata.name']],
    ['no cluster', guardObject({}, { annotations: {} }), [".metadata.annotations['kcp.io/cluster']"]],
    ['another kind', { ...guardObject(), kind: 'DependencyRule' }, ['.kind']],
    ['a spec that is text', guardObject({ spec: 'x' }), ['.spec']],
    ['consent that is text', guardObject({ spec: { allowRulesFrom: 'root:a' } }), ['.spec.allowRulesFrom']],
    [
      'paths that are none',
      guardObject({ spec: { allowRulesFrom: ['root:a', 'a::b', 7] } }),
      ['.spec.allowRulesFrom[1]', '.spec.allowRulesFrom[2]'],
    ],
  ])('given %s, then the problems say where', (_given, object, paths) => {
    const answer = parseGuard(object);

    expect(answer.ok || answer.problem.map(({ path }) => path)).toEqual(paths);
  });
});
