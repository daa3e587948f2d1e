import { describe, expect, it } from '@jest/globals';
import type { WorkspacePath } from '@dep-ctrl/kcp-names';
import { vpcDependency, reportOf, writtenGuard } from '../testing/written-rules.js';
import { admittedPaths, decideGuard, decideRule, type RuleAdmissionInput } from './decide-admission.js';
import { NOTHING_READ, type RuleReadings, type TargetReading } from './rule-readings.js';

const UNPAIRED = vpcDependency({ fieldRef: { path: '.spec.a[*].name', namespacePath: '.spec.b[*].namespace' } });
const WITH_NAMESPACE = vpcDependency({ fieldRef: { path: '.spec.ref.name', namespacePath: '.spec.ref.namespace' } });

const TOO_MANY_RULES = { of: 'rules', count: 100 } as const;

function decide(change: Partial<RuleAdmissionInput>) {
  return decideRule({ report: reportOf(), excess: undefined, readings: NOTHING_READ, ...change });
}

function reading(index: number, target: TargetReading): RuleReadings {
  return { targets: new Map([[index, target]]) };
}

describe(decideRule, () => {
  it.each<{ given: string; input: Partial<RuleAdmissionInput>; expected: readonly unknown[] }>([
    { given: 'a rule that is well formed', input: {}, expected: [] },
    {
      given: 'a built-in type',
      input: { report: reportOf([vpcDependency({ group: 'rbac.authorization.k8s.io', resource: 'roles' })]) },
      expected: [
        '.spec.dependencies[0] roles.rbac.authorization.k8s.io is built into kcp: only types that an APIExport serves can be guarded or refer',
      ],
    },
    {
      given: 'paths that do not pair',
      input: { report: reportOf([UNPAIRED]) },
      expected: [expect.stringMatching(/^\.spec\.dependencies\[0\]\.fieldRef\.namespacePath gives one name several namespaces/)],
    },
    {
      given: 'a path that no workspace has',
      input: { report: reportOf([vpcDependency({ apiExportRef: { path: 'root:a-', name: 'a' } })]) },
      expected: [expect.stringMatching(/^\.spec\.dependencies\[0\]\.apiExportRef\.path /)],
    },
    {
      given: 'what the schema refuses too, as a schema may be older than this process',
      input: { report: reportOf([]) },
      expected: ['.spec.dependencies is empty: expected at least one entry'],
    },
    {
      given: 'more dependencies than a rule may have',
      input: {
        report: reportOf(Array.from({ length: 65 }, (_, at) => vpcDependency({ fieldRef: { path: `.spec.f${String(at)}.name` } }))),
      },
      expected: ['.spec.dependencies has 65 entries: the first 64 count, put the others into further rules'],
    },
    {
      given: 'a dependency twice',
      input: { report: reportOf([vpcDependency(), vpcDependency()]) },
      expected: ['.spec.dependencies[1] says the same as .spec.dependencies[0] and counts once: remove it or correct it'],
    },
    {
      given: 'a namespace for what is in none',
      input: { report: reportOf([WITH_NAMESPACE]), readings: reading(0, { isClusterScoped: true }) },
      expected: ['.spec.dependencies[0].fieldRef.namespacePath remove this field, as vpcs.network.example.com are cluster-scoped'],
    },
    {
      given: 'a namespace for what is in one',
      input: { report: reportOf([WITH_NAMESPACE]), readings: reading(0, { isClusterScoped: false }) },
      expected: [],
    },
    { given: 'a namespace, while nobody could read the scope', input: { report: reportOf([WITH_NAMESPACE]) }, expected: [] },
    { given: 'a cluster-scoped target without a namespace', input: { readings: reading(0, { isClusterScoped: true }) }, expected: [] },
    {
      given: 'the hundred and first',
      input: { excess: TOO_MANY_RULES },
      expected: [
        ' this workspace has 100 rules, and at most 100 of them are in force: delete one, or add dependencies to one that is there',
      ],
    },
    {
      given: 'one that names more workspaces, with the others, than may be named',
      input: { excess: { of: 'workspaces', count: 260 } },
      expected: [' with this one the rules of this workspace name 260 workspaces together, and at most 256 may be named: name fewer'],
    },
  ])('given $given, then these are the problems', ({ input, expected }) => {
    const decision = decide(input);

    expect(decision.verdict).toBe(expected.length === 0 ? 'admit' : 'refuse');
    expect(decision.verdict === 'admit' ? [] : decision.problems.map(({ path, message }) => `${path} ${message}`)).toEqual(expected);
  });

  it('given many things wrong, then all are named, first those about no dependency, then in the order of the dependencies', () => {
    const report = reportOf([WITH_NAMESPACE, vpcDependency(), vpcDependency(), UNPAIRED]);

    const decision = decide({ report, excess: TOO_MANY_RULES, readings: reading(0, { isClusterScoped: true }) });

    expect(decision.verdict === 'refuse' && decision.problems.map(({ path }) => path)).toEqual([
      '',
      '.spec.dependencies[0].fieldRef.namespacePath',
      '.spec.dependencies[2]',
      '.spec.dependencies[3].fieldRef.namespacePath',
    ]);
  });

  it('given problems of several kinds, then programs can tell them apart', () => {
    const report = reportOf([WITH_NAMESPACE, vpcDependency(), vpcDependency()]);

    const decision = decide({ report, excess: TOO_MANY_RULES, readings: reading(0, { isClusterScoped: true }) });

    expect(decision.verdict === 'refuse' && decision.problems.map(({ reason }) => reason)).toEqual([
      'OverQuota',
      'MeaninglessNamespace',
      'DuplicateDependency',
    ]);
  });

  it('given more than ten dependencies with a problem, then they are named in their order', () => {
    const twice = Array.from({ length: 12 }, (_, at) =>
      vpcDependency({ fieldRef: { path: `.spec.f${String(at % 6)}.name`, namespacePath: '.spec.n' } }),
    );
    const scopes = { targets: new Map(twice.map((_, at) => [at, { isClusterScoped: true }])) };

    const decision = decide({ report: reportOf(twice), readings: scopes });
    const places = decision.verdict === 'refuse' ? decision.problems.map(({ path }) => Number(/\d+/.exec(path)?.[0])) : [];

    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places.at(-1)).toBe(11);
  });

  it('given doubts about a rule that is well formed, then it is admitted with warnings', () => {
    const decision = decide({ readings: reading(0, { isBound: false }) });

    expect(decision).toEqual({ verdict: 'admit', warnings: [expect.stringContaining('root:network')] });
  });
});

describe(decideGuard, () => {
  it.each<{ given: string; spec: unknown; expected: readonly string[] }>([
    { given: 'nobody', spec: { allowRulesFrom: [] }, expected: [] },
    { given: 'everyone', spec: {}, expected: [] },
    { given: 'a path', spec: { allowRulesFrom: ['root:a'] }, expected: [] },
    { given: 'a path that is none', spec: { allowRulesFrom: ['root:a', 'a::b'] }, expected: ['.spec.allowRulesFrom[1]'] },
    {
      given: 'more paths than it may name',
      spec: { allowRulesFrom: Array.from({ length: 129 }, (_, at) => `root:a${String(at)}`) },
      expected: ['.spec.allowRulesFrom'],
    },
  ])('given a guard that admits $given, then these are the problems', ({ spec, expected }) => {
    const decision = decideGuard({ object: writtenGuard(spec) }, []);

    expect(decision.verdict).toBe(expected.length === 0 ? 'admit' : 'refuse');
    expect(decision.verdict === 'refuse' ? decision.problems.map(({ path }) => path) : decision.warnings).toEqual(expected);
  });

  it('given paths at which nobody binds dep-ctrl, then each is warned of', () => {
    const unbound = ['root:typo', 'root:other'] as WorkspacePath[];

    expect(decideGuard({ object: writtenGuard({ allowRulesFrom: unbound }) }, unbound)).toEqual({
      verdict: 'admit',
      warnings: unbound.map(
        (path) =>
          `.spec.allowRulesFrom: no workspace at ${path} binds dep-ctrl, so nobody is admitted by it: correct the path, or have its owner bind dep-ctrl`,
      ),
    });
  });

  it('given a guard with one path too many, then the problem says how many there may be', () => {
    const spec = { allowRulesFrom: Array.from({ length: 129 }, (_, at) => `root:a${String(at)}`) };

    expect(decideGuard({ object: writtenGuard(spec) }, [])).toEqual({
      verdict: 'refuse',
      problems: [{ path: '.spec.allowRulesFrom', message: 'has 129 entries, at most 128 are allowed', reason: 'OverBound' }],
    });
  });
});

describe(admittedPaths, () => {
  it.each<{ given: string; spec: unknown; expected: readonly string[] }>([
    { given: 'everyone', spec: {}, expected: [] },
    { given: 'nobody', spec: { allowRulesFrom: [] }, expected: [] },
    { given: 'some', spec: { allowRulesFrom: ['root:b', 'root:a'] }, expected: ['root:b', 'root:a'] },
    { given: 'whom nobody can read', spec: { allowRulesFrom: 'root:a' }, expected: [] },
  ])('given a guard that admits $given, then these are the paths', ({ spec, expected }) => {
    expect(admittedPaths(writtenGuard(spec))).toEqual(expected);
  });
});
