import { describe, expect, it } from '@jest/globals';
import { guardEntries, parseGuard } from '../index.js';
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
    ['a generation alone', { generation: 3 }, undefined],
    ['a generation that is text', { uid: 'u', generation: '3' }, undefined],
  ])('given an entry with %s, then that is the version of the rule', (_given, change, version) => {
    const answer = parseGuard(guardObject({ status: { ruleCount: 1, rules: [{ ...entry, ...change }] } }));

    expect(answer.ok && answer.value.ruleRefs.map((ref) => ('version' in ref ? ref.version : 'none'))).toEqual([version ?? 'none']);
  });

  it.each<{ given: string; rules: unknown; expected: readonly object[] }>([
    { given: 'an entry', rules: [entry], expected: [entry] },
    {
      given: 'an entry with everything',
      rules: [{ ...entry, path: 'root:compute', uid: 'u', generation: 3, enforcement: 'Warn' }],
      expected: [{ ...entry, path: 'root:compute', uid: 'u', generation: 3, enforcement: 'Warn' }],
    },
    { given: 'an entry for audits', rules: [{ ...entry, enforcement: 'Audit' }], expected: [{ ...entry, enforcement: 'Audit' }] },
    {
      given: 'an enforcement that nobody knows, which is the strictest',
      rules: [{ ...entry, enforcement: 'deny' }],
      expected: [{ ...entry, enforcement: 'Deny' }],
    },
    {
      given: 'a path, a uid and a generation that are none',
      rules: [{ ...entry, path: 7, uid: 7, generation: 'x' }],
      expected: [{ cluster: 'compute', rule: 'r', dependent: 'VM.x', resource: 'vpcs.y', enforcement: 'Deny' }],
    },
    ...['cluster', 'rule', 'resource', 'dependent'].flatMap((field) => [
      { given: `an entry without ${field}, and another`, rules: [{ ...entry, [field]: undefined }, entry], expected: [entry] },
      { given: `an entry whose ${field} is no text`, rules: [{ ...entry, [field]: 7 }], expected: [] },
    ]),
    { given: 'no list', rules: 7, expected: [] },
  ])('given a status with $given, then these are its entries', ({ rules, expected }) => {
    expect(guardEntries(guardObject({ status: { rules } }))).toStrictEqual(expected);
  });

  it.each<{ given: string; status: object; expected: boolean }>([
    {
      given: 'two entries of one rule, and it counts rules',
      status: { ruleCount: 1, rules: [entry, { ...entry, resource: 'zones.y.io' }] },
      expected: true,
    },
    {
      given: 'two entries of one rule, and it counts more rules',
      status: { ruleCount: 2, rules: [entry, { ...entry, resource: 'zones.y.io' }] },
      expected: false,
    },
    { given: 'entries of two rules', status: { ruleCount: 2, rules: [entry, { ...entry, rule: 's' }] }, expected: true },
    {
      given: 'an entry that cannot be read beside all that it counts',
      status: { ruleCount: 1, rules: [entry, { ...entry, resource: 7 }] },
      expected: false,
    },
  ])('given $given, then it names every rule: $expected', ({ status, expected }) => {
    expect(parseGuard(guardObject({ status }))).toMatchObject({ value: { namesEveryRule: expected } });
  });

  it('given problems, then each is said in words', () => {
    const answer = parseGuard(guardObject({ spec: { allowRulesFrom: 'root:a' } }, { name: 'other' }));

    expect(answer.ok ? [] : answer.problem.map(({ path, message }) => `${path} ${message}`)).toEqual([
      '.metadata.name expected "dependency-controller", the only name a guard may have',
      '.spec.allowRulesFrom expected an array of workspace paths',
    ]);
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
