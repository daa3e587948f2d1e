import { describe, expect, it } from '@jest/globals';
import { CLUSTER_ANNOTATION } from '@dep-ctrl/kcp-names';
import { parseRule, parseRuleManifest, reportRule } from '../index.js';
import { cluster, dependencySpec, ruleObject, ruleSpec } from '../testing/builders.js';

describe(parseRule, () => {
  it('given the smallest rule, then it has its defaults, its key and its identity', () => {
    expect(parseRule(ruleObject())).toEqual({
      ok: true,
      value: {
        createdAt: '2026-01-01T00:00:00Z',
        key: 'compute/vm-dependencies',
        cluster: 'compute',
        name: 'vm-dependencies',
        uid: 'u',
        generation: 1,
        enforcement: 'Deny',
        whileTerminating: 'Block',
        remarks: [],
        dependent: {
          exportName: 'compute.example.com',
          group: 'compute.example.com',
          version: 'v1alpha1',
          kind: 'VirtualMachine',
          resource: 'virtualmachines',
        },
        dependencies: [
          {
            index: 0,
            export: { path: 'root:network', name: 'network.example.com' },
            group: 'network.example.com',
            version: 'v1alpha1',
            resource: 'vpcs',
            fieldPath: expect.objectContaining({ text: '.spec.vpcRef.name' }),
          },
        ],
      },
    });
  });

  it('given every option, then it is read', () => {
    const spec = ruleSpec({
      dependencies: [dependencySpec({ fieldRef: { path: 'spec.refs[*].name', namespacePath: 'spec.refs[*].namespace' } })],
      enforcement: 'Audit',
      whileTerminating: 'Ignore',
    });

    expect(parseRule(ruleObject(spec))).toMatchObject({
      value: {
        enforcement: 'Audit',
        whileTerminating: 'Ignore',
        dependencies: [{ fieldPath: { text: '.spec.refs[*].name' }, namespacePath: { text: '.spec.refs[*].namespace' } }],
      },
    });
  });

  it('given fields that nobody knows, then they are ignored, as kcp prunes them', () => {
    const spec = { ...ruleSpec(), extra: 1, dependencies: [{ ...dependencySpec(), extra: [] }] };

    expect(parseRule({ ...ruleObject(spec), extra: {} }).ok).toBe(true);
  });

  const dependency = (change: object) => ruleSpec({ dependencies: [{ ...dependencySpec(), ...change }] });
  const dependent = (change: object) => ({ ...ruleSpec(), dependent: { ...ruleSpec().dependent, ...change } });

  it.each([
    ['null', null, ['.apiVersion', '.kind', '.metadata', ".metadata.annotations['kcp.io/cluster']", '.spec']],
    ['an array', [], ['.apiVersion', '.kind', '.metadata', ".metadata.annotations['kcp.io/cluster']", '.spec']],
    ['another kind', { ...ruleObject(), kind: 'Secret' }, ['.kind']],
    ['another version', { ...ruleObject(), apiVersion: 'v1' }, ['.apiVersion']],
    ['no cluster', { ...ruleObject(), metadata: { name: 'a' } }, [".metadata.annotations['kcp.io/cluster']"]],
    ['a cluster that is a path', ruleObject(ruleSpec(), { cluster: 'root:a' }), [".metadata.annotations['kcp.io/cluster']"]],
    ['a name of 254 characters', ruleObject(ruleSpec(), { name: 'a'.repeat(254) }), ['.metadata.name']],
    ['a spec that is a list', ruleObject([]), ['.spec']],
    ['an empty spec', ruleObject({}), ['.spec.dependent', '.spec.dependencies']],
    ['no dependent', ruleObject({ ...ruleSpec(), dependent: undefined }), ['.spec.dependent']],
    ['no export of the dependent', ruleObject(dependent({ apiExportName: undefined })), ['.spec.dependent.apiExportName']],
    ['no group of the dependent', ruleObject(dependent({ group: undefined })), ['.spec.dependent.group']],
    ['no version of the dependent', ruleObject(dependent({ version: undefined })), ['.spec.dependent.version']],
    ['no kind', ruleObject(dependent({ kind: undefined })), ['.spec.dependent.kind']],
    ['no resource of the dependent', ruleObject(dependent({ resource: undefined })), ['.spec.dependent.resource']],
    ['no dependencies', ruleObject({ dependent: ruleSpec().dependent }), ['.spec.dependencies']],
    ['an empty list of dependencies', ruleObject(ruleSpec({ dependencies: [] })), ['.spec.dependencies']],
    ['a dependency that is text', ruleObject({ ...ruleSpec(), dependencies: ['vpcs'] }), ['.spec.dependencies[0]']],
    ['no export', ruleObject(dependency({ apiExportRef: undefined })), ['.spec.dependencies[0].apiExportRef']],
    [
      'an empty export',
      ruleObject(dependency({ apiExportRef: {} })),
      ['.spec.dependencies[0].apiExportRef.path', '.spec.dependencies[0].apiExportRef.name'],
    ],
    ['no group', ruleObject(dependency({ group: undefined })), ['.spec.dependencies[0].group']],
    ['no version', ruleObject(dependency({ version: undefined })), ['.spec.dependencies[0].version']],
    ['no resource', ruleObject(dependency({ resource: undefined })), ['.spec.dependencies[0].resource']],
    ['no field', ruleObject(dependency({ fieldRef: undefined })), ['.spec.dependencies[0].fieldRef']],
    ['no path of the field', ruleObject(dependency({ fieldRef: {} })), ['.spec.dependencies[0].fieldRef.path']],
    [
      'two colons in a row',
      ruleObject(dependency({ apiExportRef: { path: 'root::a', name: 'a' } })),
      ['.spec.dependencies[0].apiExportRef.path'],
    ],
    ['a group of 254 characters', ruleObject(dependency({ group: 'a'.repeat(254) })), ['.spec.dependencies[0].group']],
    ['the core group', ruleObject(dependency({ group: '' })), ['.spec.dependencies[0].group']],
    ['a number for a name', ruleObject(dependency({ resource: 5 })), ['.spec.dependencies[0].resource']],
    ['a path that no parser likes', ruleObject(dependency({ fieldRef: { path: '[0]' } })), ['.spec.dependencies[0].fieldRef.path']],
    [
      'a namespace path that is a list',
      ruleObject(dependency({ fieldRef: { path: '.a.b', namespacePath: [] } })),
      ['.spec.dependencies[0].fieldRef.namespacePath'],
    ],
    ['an unknown enforcement', ruleObject({ ...ruleSpec(), enforcement: 'deny' }), ['.spec.enforcement']],
    ['null for an enforcement', ruleObject({ ...ruleSpec(), enforcement: null }), ['.spec.enforcement']],
    ['an unknown choice while terminating', ruleObject({ ...ruleSpec(), whileTerminating: true }), ['.spec.whileTerminating']],
  ])('given %s, then the problems say where', (_given, object, paths) => {
    const answer = parseRule(object);

    expect(answer.ok || answer.problem.map((problem) => problem.path)).toEqual(paths);
    expect(answer.ok || answer.problem.every((problem) => problem.reason === 'Invalid')).toBe(true);
  });

  it.each([
    [
      'a built-in dependency',
      dependency({ group: 'rbac.authorization.k8s.io', resource: 'roles' }),
      '.spec.dependencies[0]',
      'BuiltInType',
    ],
    ['a built-in dependent', dependent({ group: 'coordination.k8s.io', resource: 'leases' }), '.spec.dependent', 'BuiltInType'],
    ['logical clusters', dependency({ group: 'core.kcp.io', resource: 'logicalclusters' }), '.spec.dependencies[0]', 'BuiltInType'],
    [
      'namespaces from another list',
      dependency({ fieldRef: { path: '.spec.a[*].name', namespacePath: '.spec.b[*].ns' } }),
      '.spec.dependencies[0].fieldRef.namespacePath',
      'UnpairedPaths',
    ],
    [
      'a segment that ends in a dash',
      dependency({ apiExportRef: { path: 'root:a-', name: 'a' } }),
      '.spec.dependencies[0].apiExportRef.path',
      'ImpossiblePath',
    ],
  ])('given %s, which the schema lets through, then the problem has a reason of its own', (_given, spec, path, reason) => {
    expect(parseRule(ruleObject(spec))).toMatchObject({ ok: false, problem: [{ path, reason }] });
  });

  it.each([
    ['twice', dependencySpec()],
    ['twice, in another spelling', dependencySpec({ fieldRef: { path: "spec['vpcRef'].name" } })],
  ])('given the same target %s, then it counts once and a remark says so', (_given, again) => {
    expect(parseRule(ruleObject(ruleSpec({ dependencies: [dependencySpec(), again] })))).toMatchObject({
      ok: true,
      value: {
        dependencies: [{ index: 0 }],
        remarks: [{ path: '.spec.dependencies[1]', message: 'says the same as .spec.dependencies[0] and counts once' }],
      },
    });
  });

  it('given two versions, fields or resources of one target, then they are different targets', () => {
    const dependencies = [
      dependencySpec(),
      dependencySpec({ version: 'v1' }),
      dependencySpec({ resource: 'subnets' }),
      dependencySpec({ fieldRef: { path: '.spec.other' } }),
      dependencySpec({ fieldRef: { path: '.spec.other', namespacePath: '.spec.ns' } }),
    ];

    expect(parseRule(ruleObject(ruleSpec({ dependencies }))).ok).toBe(true);
  });

  it('given many things wrong, then all are named at once, in the order of the fields', () => {
    const spec = { dependent: { ...ruleSpec().dependent, kind: '1' }, dependencies: [{ group: 'A' }, 7], enforcement: 'x' };

    const answer = parseRule({ ...ruleObject(spec), kind: 'x' });

    expect(answer.ok || answer.problem.map(({ path, message }) => `${path} ${message}`)).toEqual([
      '.kind expected "DependencyRule", found "x"',
      '.spec.dependent.kind expected a kind, such as "VirtualMachine", found "1"',
      '.spec.dependencies[1] expected an object, found a number',
      '.spec.dependencies[0].apiExportRef is required: an object',
      '.spec.dependencies[0].group expected an API group, such as "network.example.com", found "A"',
      '.spec.dependencies[0].version is required: an API version, such as "v1alpha1"',
      '.spec.dependencies[0].resource is required: a resource (plural), such as "vpcs"',
      '.spec.dependencies[0].fieldRef is required: an object',
      '.spec.enforcement expected "Deny" or "Warn" or "Audit", found "x"',
    ]);
  });

  it.each([
    ['two megabytes of text', 'x'.repeat(2_000_000)],
    ['two megabytes in a field', ruleObject(dependency({ group: 'a.'.repeat(1_000_000) }))],
    ['a thousand levels', JSON.parse(`${'{"spec":'.repeat(1000)}1${'}'.repeat(1000)}`)],
    ['a prototype that looks like a rule', Object.create(ruleObject()) as unknown],
    ['getters that throw', Object.defineProperty({}, 'spec', { enumerable: true, get: wasRead })],
    ['a prototype that throws', Object.create(Object.defineProperty({}, 'kind', { get: wasRead })) as unknown],
    ['a key named __proto__', JSON.parse('{"__proto__":{"kind":"DependencyRule"},"metadata":{"__proto__":{"name":"a"}}}')],
    ['a function', () => 1],
    ['a symbol', Symbol('rule')],
  ])('given %s, then there are problems and no exception', (_given, value) => {
    expect(parseRule(value).ok).toBe(false);
  });

  it('given ten thousand targets, as stored before there was a bound, then the first 64 are read, and a problem says so', () => {
    const dependencies = Array.from({ length: 10_000 }, (_, index) =>
      dependencySpec({ fieldRef: { path: `.spec.refs${String(index)}.name` } }),
    );
    const object = ruleObject(ruleSpec({ dependencies }));

    expect(reportRule(cluster('compute'), object)).toMatchObject({
      problems: [
        {
          path: '.spec.dependencies',
          message: 'has 10000 entries: the first 64 count, put the others into further rules',
          reason: 'OverBound',
        },
      ],
      inForce: { dependencies: { length: 64 } },
      unreadable: [],
    });
  });
});

describe(parseRuleManifest, () => {
  it('given a file, then no cluster is asked for', () => {
    const object = { ...ruleObject(), metadata: { name: 'a' } };

    expect(parseRuleManifest(object)).toMatchObject({ ok: true, value: { name: 'a', enforcement: 'Deny' } });
    expect(parseRule(object)).toMatchObject({ problem: [{ path: `.metadata.annotations['${CLUSTER_ANNOTATION}']` }] });
  });
});

function wasRead(): never {
  throw new Error('a getter was read');
}
