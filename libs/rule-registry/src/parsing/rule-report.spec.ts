import { describe, expect, it } from '@jest/globals';
import { CLUSTER_ANNOTATION, type KubeObject } from '@dep-ctrl/kcp-names';
import { cluster, dependencySpec, ruleObject, ruleSpec } from '../testing/builders.js';
import { MOST_DEPENDENCIES } from '../rules/bounds.js';
import { parseRule, parseRuleManifest } from './parse-rule.js';
import { isRejected, reportRule, ruleInForce } from './rule-report.js';

const home = cluster('compute');

/** A rule with this spec, as kcp hands it out. */
function objectOf(spec: unknown, metadata: object = {}): KubeObject {
  return {
    apiVersion: 'dependencies.opendefense.cloud/v1alpha1',
    kind: 'DependencyRule',
    metadata: { name: 'vms', annotations: { [CLUSTER_ANNOTATION]: home }, ...metadata },
    spec,
  };
}

/** The report of a rule whose only dependency is this. */
function reportOf(dependency: unknown) {
  const report = reportRule(home, objectOf({ ...ruleSpec(), dependencies: [dependency] }));
  if (!isRejected(report)) throw new Error('the rule of this spec can be read');
  return report;
}

const without = (object: object, field: string): object => Object.fromEntries(Object.entries(object).filter(([key]) => key !== field));

describe(reportRule, () => {
  it('given a rule that can be read, then the report is the rule, and it is in force', () => {
    const object = ruleObject(ruleSpec());

    const report = reportRule(home, object);

    expect(isRejected(report)).toBe(false);
    expect(ruleInForce(report)).toBe(report);
    expect(parseRule(object)).toEqual({ ok: true, value: report });
  });

  it('given a rule of which nothing can be read, then the report says which object it is', () => {
    const metadata = { uid: 'u', generation: 3, creationTimestamp: '2026-01-01T00:00:00Z' };

    const report = reportRule(home, objectOf({}, metadata));

    expect(report).toEqual({
      key: 'compute/vms',
      cluster: 'compute',
      name: 'vms',
      uid: 'u',
      generation: 3,
      createdAt: '2026-01-01T00:00:00Z',
      problems: [
        { path: '.spec.dependent', message: 'is required: an object', reason: 'Invalid' },
        { path: '.spec.dependencies', message: 'is required: an array', reason: 'Invalid' },
      ],
      inForce: undefined,
      unreadable: [],
    });
    expect(ruleInForce(report)).toBeUndefined();
  });

  it('given an object without metadata, then what it lacks is empty', () => {
    expect(reportRule(home, { metadata: {} })).toMatchObject({ key: 'compute/', name: '', uid: '', generation: 0, createdAt: '' });
  });

  it('given a rule without a spec, then no target is named', () => {
    expect(reportRule(home, objectOf(undefined))).toMatchObject({
      problems: [{ path: '.spec', message: 'is required: an object' }],
      inForce: undefined,
      unreadable: [],
    });
  });

  it.each(['apiExportName', 'group', 'version', 'kind', 'resource'])('given a dependent without %s, then nothing is in force', (field) => {
    const spec = ruleSpec();

    expect(reportRule(home, objectOf({ ...spec, dependent: without(spec.dependent, field) }))).toMatchObject({
      problems: [{ path: `.spec.dependent.${field}`, message: expect.stringMatching(/^is required: (an|the|a) .+/) }],
      inForce: undefined,
    });
  });

  it.each([
    ['apiExportRef', (one: object) => without(one, 'apiExportRef')],
    ['apiExportRef.path', (one: object) => ({ ...one, apiExportRef: { name: 'a' } })],
    ['apiExportRef.name', (one: object) => ({ ...one, apiExportRef: { path: 'root:a' } })],
    ['group', (one: object) => without(one, 'group')],
    ['version', (one: object) => without(one, 'version')],
    ['resource', (one: object) => without(one, 'resource')],
    ['fieldRef', (one: object) => without(one, 'fieldRef')],
    ['fieldRef.path', (one: object) => ({ ...one, fieldRef: {} })],
    ['fieldRef.path', (one: object) => ({ ...one, fieldRef: { namespacePath: '.spec.a' } })],
    ['fieldRef.namespacePath', (one: object) => ({ ...one, fieldRef: { path: '.spec.a', namespacePath: 7 } })],
  ])('given a target without %s, then the other one alone is in force', (field, broken) => {
    const [good, bad] = [dependencySpec(), broken(dependencySpec({ resource: 'zones' }))];

    const report = reportRule(home, objectOf({ ...ruleSpec(), dependencies: [bad, good] }));

    expect(report).toMatchObject({ problems: [{ path: `.spec.dependencies[0].${field}` }], unreadable: [{ index: 0 }] });
    expect(ruleInForce(report)?.dependencies.map(({ index, resource }) => ({ index, resource }))).toEqual([{ index: 1, resource: 'vpcs' }]);
  });

  it.each<{ given: string; dependency: unknown; left: object }>([
    { given: 'no object', dependency: 7, left: { pathText: '' } },
    { given: 'nothing', dependency: {}, left: { pathText: '' } },
    { given: 'a group alone', dependency: { group: 'a.io' }, left: { pathText: '' } },
    { given: 'a resource alone', dependency: { resource: 'vpcs' }, left: { pathText: '' } },
    {
      given: 'a type',
      dependency: { group: 'a.io', resource: 'vpcs' },
      left: { pathText: '', type: { group: 'a.io', resource: 'vpcs' } },
    },
    {
      given: 'a type that is none, and as long as a status has room for',
      dependency: { group: '-'.repeat(253), resource: '-'.repeat(63) },
      left: { pathText: '', type: { group: '-'.repeat(253), resource: '-'.repeat(63) } },
    },
    { given: 'a group that is too long', dependency: { group: 'a'.repeat(254), resource: 'vpcs' }, left: { pathText: '' } },
    { given: 'a resource that is too long', dependency: { group: 'a.io', resource: 'a'.repeat(64) }, left: { pathText: '' } },
    { given: 'a type that is no text', dependency: { group: 7, resource: 'vpcs' }, left: { pathText: '' } },
    { given: 'a path', dependency: { apiExportRef: { path: 'root:a' } }, left: { pathText: 'root:a', path: 'root:a' } },
    { given: 'a path that is none', dependency: { apiExportRef: { path: 'root:a-' } }, left: { pathText: 'root:a-' } },
    { given: 'a path that is no text', dependency: { apiExportRef: { path: 7 } }, left: { pathText: '' } },
    {
      given: 'a path that is too long',
      dependency: { apiExportRef: { path: '-'.repeat(1_025) } },
      left: { pathText: '-'.repeat(1_024) },
    },
  ])('given a target of which only $given can be read, then the report keeps that', ({ dependency, left }) => {
    const { unreadable, inForce } = reportOf(dependency);

    expect(unreadable).toEqual([{ index: 0, place: '.spec.dependencies[0]', ...left }]);
    expect(inForce).toBeUndefined();
  });

  it.each<{ given: string; dependencies: unknown; says: readonly string[] }>([
    { given: 'no array', dependencies: {}, says: ['.spec.dependencies expected an array, found an object'] },
    { given: 'none', dependencies: [], says: ['.spec.dependencies is empty: expected at least one entry'] },
    { given: 'null', dependencies: [null], says: ['.spec.dependencies[0] expected an object, found null'] },
    { given: 'an array', dependencies: [[]], says: ['.spec.dependencies[0] expected an object, found an array'] },
    { given: 'a number', dependencies: [7], says: ['.spec.dependencies[0] expected an object, found a number'] },
    {
      given: 'a built-in type',
      dependencies: [dependencySpec({ group: 'core.kcp.io', resource: 'logicalclusters' })],
      says: [
        '.spec.dependencies[0] logicalclusters.core.kcp.io is built into kcp: only types that an APIExport serves can be guarded or refer',
      ],
    },
    {
      given: 'a field path that is no text',
      dependencies: [{ ...dependencySpec(), fieldRef: { path: {} } }],
      says: ['.spec.dependencies[0].fieldRef.path expected a field path, such as ".spec.vpcRef.name", found an object'],
    },
    {
      given: 'paths that do not pair',
      dependencies: [dependencySpec({ fieldRef: { path: '.spec.a[*].n', namespacePath: '.spec.b[*].n' } })],
      says: [
        '.spec.dependencies[0].fieldRef.namespacePath gives one name several namespaces: its [*] must be those of .spec.a[*].n, with the same fields before them',
      ],
    },
    {
      given: 'names that are none',
      dependencies: [{ ...dependencySpec({ version: 'V1', resource: 'a'.repeat(64) }), apiExportRef: { path: 'A', name: 'B' } }],
      says: [
        '.spec.dependencies[0].apiExportRef.path expected a workspace path, such as "root:providers:network", found "A"',
        '.spec.dependencies[0].apiExportRef.name expected the name of an APIExport, such as "network.example.com", found "B"',
        '.spec.dependencies[0].version expected an API version, such as "v1alpha1", found "V1"',
        '.spec.dependencies[0].resource is 64 characters long, at most 63 are allowed',
      ],
    },
  ])('given as dependencies $given, then it says so', ({ dependencies, says }) => {
    const { problems, inForce } = reportRule(home, objectOf({ ...ruleSpec(), dependencies })) as ReturnType<typeof reportOf>;

    expect(problems.map(({ path, message }) => `${path} ${message}`)).toEqual(says);
    expect(inForce).toBeUndefined();
  });

  it('given as many targets as a rule may have, then all of them count', () => {
    const dependencies = Array.from({ length: MOST_DEPENDENCIES }, (_, at) => dependencySpec({ resource: `r${String(at)}` }));

    expect(reportRule(home, objectOf({ ...ruleSpec(), dependencies }))).toMatchObject({ dependencies: { length: MOST_DEPENDENCIES } });
  });

  it('given names as long as they may be, then the rule can be read', () => {
    const long = dependencySpec({ resource: 'a'.repeat(63), group: 'a'.repeat(253), version: 'v'.repeat(63) });

    expect(isRejected(reportRule(home, objectOf({ ...ruleSpec(), dependencies: [long] })))).toBe(false);
  });

  it('given targets that differ in one part alone, then each counts; where they differ in none, once', () => {
    const namespaced = (namespacePath: string) => ({ fieldRef: { path: '.spec.vpcRef.name', namespacePath } });
    const targets = [
      dependencySpec(),
      dependencySpec(namespaced('.spec.a')),
      dependencySpec(namespaced('.spec.b')),
      dependencySpec({ fieldRef: { path: '.spec.other' } }),
      dependencySpec({ version: 'v2' }),
      dependencySpec({ apiExportRef: { path: 'root:network', name: 'other' } }),
      dependencySpec({ apiExportRef: { path: 'root:other', name: 'network.example.com' } }),
      dependencySpec(namespaced('.spec.b')),
    ];

    const rule = ruleInForce(reportRule(home, objectOf({ ...ruleSpec(), dependencies: targets })));

    expect(rule?.dependencies.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(rule?.remarks).toEqual([{ path: '.spec.dependencies[7]', message: 'says the same as .spec.dependencies[2] and counts once' }]);
  });
});

describe('the identity of an object', () => {
  it.each<{ given: string; metadata: object; expected: object }>([
    { given: 'nothing of it', metadata: {}, expected: { uid: '', generation: 0, createdAt: '' } },
    {
      given: 'all of it',
      metadata: { uid: 'u', generation: 2, creationTimestamp: 'now' },
      expected: { uid: 'u', generation: 2, createdAt: 'now' },
    },
    {
      given: 'what is of other types',
      metadata: { uid: 1, generation: '2', creationTimestamp: 3 },
      expected: { uid: '', generation: 0, createdAt: '' },
    },
  ])('given $given, then that is read', ({ metadata, expected }) => {
    expect(parseRule(objectOf(ruleSpec(), metadata))).toMatchObject({ ok: true, value: expected });
  });

  it.each<{ given: string; metadata: object; says: string }>([
    {
      given: 'no cluster',
      metadata: { annotations: {} },
      says: ".metadata.annotations['kcp.io/cluster'] is required: kcp sets it on every object",
    },
    { given: 'no name', metadata: { name: undefined }, says: '.metadata.name is required: a name, such as "vm-dependencies"' },
  ])('given an object with $given, then nothing of it is in force', ({ metadata, says }) => {
    const report = reportRule(home, objectOf(ruleSpec(), metadata)) as ReturnType<typeof reportOf>;

    expect(report.problems.map(({ path, message }) => `${path} ${message}`)).toEqual([says]);
    expect(report.inForce).toBeUndefined();
  });
});

describe(parseRuleManifest, () => {
  it.each<{ given: string; object: object; says: string }>([
    { given: 'no name', object: objectOf(ruleSpec(), { name: undefined }), says: '.metadata.name' },
    { given: 'no spec', object: objectOf(undefined), says: '.spec' },
  ])('given a manifest with $given, then that is the only problem', ({ object, says }) => {
    const answer = parseRuleManifest(object);

    expect(answer.ok ? [] : answer.problem.map(({ path }) => path)).toEqual([says]);
  });
});
