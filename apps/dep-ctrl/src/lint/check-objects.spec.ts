import { describe, expect, it } from '@jest/globals';
import { stringify } from 'yaml';
import { computeProvider } from '../dev/provider-manifests.js';
import { readManifest, type ManifestObject } from '../manifest-files/manifest-object.js';
import { UNPLACED, readFileRule } from '../manifest-files/placed-rules.js';
import { path } from '../rules/spec-support/objects.js';
import { vpcDependency, writtenGuard, writtenRule } from '../webhook/testing/written-rules.js';
import {
  admittedBy,
  guardFindings,
  misnamedFinding,
  ruleFindings,
  sortObjects,
  unknownAuthor,
  unreadableFinding,
  type RuleContext,
} from './check-objects.js';
import type { RuleFacts } from './rule-facts.js';

function manifestOf(object: object): ManifestObject {
  const [manifest, ...others] = readManifest({ file: 'a.yaml', text: stringify(object, { aliasDuplicateObjects: false }) }).objects;
  if (manifest === undefined || others.length > 0) throw new Error('the object of this spec is not one');
  return manifest;
}

const LONE: RuleContext = { excess: undefined, facts: undefined, closesCycle: () => false };

/** What is found, each as one line. */
function found(rule: object, context: Partial<RuleContext> = {}): readonly string[] {
  return ruleFindings(readFileRule(manifestOf(rule), UNPLACED), { ...LONE, ...context }).map(
    ({ level, reason, path: place, message }) => `${level} ${reason} ${place} ${message}`,
  );
}

const schema = { ...computeProvider().schema, metadata: { name: 'v1', uid: 'u' } };
const facts = (change: Partial<RuleFacts>): Partial<RuleContext> => ({ facts: { dependent: undefined, targets: new Map(), ...change } });

describe(sortObjects, () => {
  it('given objects of every kind, then each is where lint wants it, and those of others are counted', () => {
    const rule = writtenRule();
    const others = [
      { apiVersion: 'apps/v1', kind: 'Deployment' },
      { apiVersion: 'v1', kind: 'Pod' },
      { apiVersion: 'apps/v1', kind: 'Deployment' },
      { apiVersion: 'apps/v1', kind: 'DaemonSet' },
    ];
    const given = [
      rule,
      { ...rule, apiVersion: 'dependencies.opendefence.cloud/v1' },
      writtenGuard({}),
      { ...rule, kind: 'Rule' },
      computeProvider().schema,
      ...others,
    ];

    const { rules, guards, misnamed, passedOver } = sortObjects(given.map(manifestOf));

    expect([rules, guards, misnamed].map((each) => each.map(({ apiVersion, kind }) => `${kind} ${apiVersion}`))).toEqual([
      ['DependencyRule dependencies.opendefense.cloud/v1alpha1', 'DependencyRule dependencies.opendefence.cloud/v1'],
      ['DependencyGuard dependencies.opendefense.cloud/v1alpha1'],
      ['Rule dependencies.opendefense.cloud/v1alpha1'],
    ]);
    expect(passedOver).toEqual([
      { apiVersion: 'apps/v1', kind: 'Deployment', count: 2 },
      { apiVersion: 'v1', kind: 'Pod', count: 1 },
      { apiVersion: 'apps/v1', kind: 'DaemonSet', count: 1 },
    ]);
  });
});

describe(unreadableFinding, () => {
  it.each([
    { message: 'is no YAML: x', reason: 'InvalidYaml' },
    { message: 'is no Kubernetes object: x', reason: 'NotAnObject' },
  ])('given "$message", then $reason', ({ message, reason }) => {
    const region = { line: 2, column: 3, endLine: 2, endColumn: 4 };

    expect(unreadableFinding({ file: 'a.yaml', region, message })).toEqual({
      file: 'a.yaml',
      ...region,
      level: 'error',
      reason,
      path: '',
      message,
    });
  });
});

describe(misnamedFinding, () => {
  it('given a kind that there is not, then the kinds that there are', () => {
    expect(misnamedFinding(manifestOf({ apiVersion: 'dependencies.opendefense.cloud/v1alpha1', kind: 'Rule' }))).toEqual({
      file: 'a.yaml',
      line: 2,
      column: 7,
      endLine: 2,
      endColumn: 11,
      level: 'error',
      reason: 'UnknownKind',
      object: 'Rule',
      path: '.kind',
      message: 'expected "DependencyRule" or "DependencyGuard", found "Rule"',
    });
  });
});

describe(guardFindings, () => {
  it('given fields that there are not and a path that no workspace has, then each is found where it stands', () => {
    const guard = { ...writtenGuard({ allowRulesFrom: ['root:a-'], allow: 1 }), extra: 1, status: { x: 1 } };

    expect(guardFindings(manifestOf(guard))).toEqual([
      expect.objectContaining({
        level: 'error',
        reason: 'UnknownField',
        path: '.spec.allow',
        object: 'DependencyGuard dependency-controller',
        line: 10,
        column: 3,
      }),
      expect.objectContaining({ level: 'error', reason: 'UnknownField', path: '.extra', line: 11, column: 1 }),
      expect.objectContaining({ level: 'error', path: '.spec.allowRulesFrom[0]', line: 9, column: 7 }),
    ]);
  });

  it('given another version, then its fields are not checked, as they are not known', () => {
    const guard = { ...writtenGuard({ allow: 1 }), apiVersion: 'dependencies.opendefense.cloud/v9' };

    expect(guardFindings(manifestOf(guard)).map(({ path: place }) => place)).toEqual(['.apiVersion']);
  });

  it('given a guard that admits two, then nothing is wrong', () => {
    expect(guardFindings(manifestOf(writtenGuard({ allowRulesFrom: ['root:a', 'root:b'] })))).toEqual([]);
  });
});

describe(admittedBy, () => {
  it.each([
    {
      given: 'two paths',
      spec: { allowRulesFrom: ['root:a', 'root:b'] },
      expected: [
        ['root:a', '.spec.allowRulesFrom[0]'],
        ['root:b', '.spec.allowRulesFrom[1]'],
      ],
    },
    { given: 'no list', spec: {}, expected: [] },
    { given: 'what cannot be read', spec: { allowRulesFrom: 1 }, expected: [] },
  ])('given a guard with $given, then those are admitted by name', ({ spec, expected }) => {
    expect(admittedBy(manifestOf(writtenGuard(spec)))).toEqual(expected);
  });
});

describe(unknownAuthor, () => {
  it('given a path that nobody binds, then a warning where it stands', () => {
    const guard = manifestOf(writtenGuard({ allowRulesFrom: ['root:a'] }));

    expect(unknownAuthor(guard, path('root:a'), '.spec.allowRulesFrom[0]')).toMatchObject({
      level: 'warning',
      reason: 'AuthorNotBound',
      path: '.spec.allowRulesFrom[0]',
      line: 9,
      message: expect.stringMatching(/^no workspace at root:a binds dep-ctrl, so nobody is admitted by it/),
    });
  });
});

describe(ruleFindings, () => {
  it.each([
    { given: 'nothing beside it', context: {} },
    { given: 'no fact', context: facts({}) },
    { given: 'its schema', context: { ...facts({ dependent: { state: 'found', schema } }), withoutSchema: () => 'x' } },
    { given: 'a target that is as it should be', context: facts({ targets: new Map([[0, { reading: { isBound: true } }]]) }) },
  ] as const)('given a good rule and $given, then nothing', ({ context }) => {
    expect(found(writtenRule(), context)).toEqual([]);
  });

  it.each([
    {
      given: 'that its schema is not there',
      context: { withoutSchema: () => 'no schema' },
      expected: ['warning SchemaNotFound .spec.dependent no schema'],
    },
    {
      given: 'that its schema is not there, among facts',
      context: { ...facts({}), withoutSchema: () => 'no schema' },
      expected: ['warning SchemaNotFound .spec.dependent no schema'],
    },
    {
      given: 'that its schema could not be read',
      context: { ...facts({ dependent: { state: 'not-verified', problem: 'kcp failed' } }), withoutSchema: () => 'no schema' },
      expected: ['warning NotVerified .spec.dependent the fields of virtualmachines.compute.example.com were not checked: kcp failed'],
    },
    {
      given: 'that its type is not exported',
      context: facts({ dependent: { state: 'not-exported', reason: 'ResourceNotExported', message: 'no such type', namesExports: false } }),
      expected: ['error ResourceNotExported .spec.dependent no such type'],
    },
    {
      given: 'that its target is wrong',
      context: facts({ targets: new Map([[0, { reading: {}, wrong: { reason: 'VersionNotServed', message: 'use v2' } }]]) }),
      expected: ['error VersionNotServed .spec.dependencies[0] use v2'],
    },
    {
      given: 'that its target is not bound',
      context: facts({ targets: new Map([[0, { reading: { isBound: false } }]]) }),
      expected: [
        expect.stringMatching(/^warning TargetNotBound \.spec\.dependencies\[0\]\.apiExportRef\.path no workspace at root:network/),
      ],
    },
    {
      given: 'that it closes a circle',
      context: { closesCycle: (index: number) => index === 0 },
      expected: [expect.stringMatching(/^warning TypeCycle \.spec\.dependencies\[0\] /)],
    },
    {
      given: 'that there are as many as can be',
      context: { excess: { of: 'rules', count: 100 } },
      expected: [expect.stringMatching(/^error OverQuota {2}this workspace has 100 rules/)],
    },
  ] as const)('given a good rule and $given, then that is found', ({ context, expected }) => {
    expect(found(writtenRule(), context)).toEqual(expected);
  });

  it('given a schema without the field or the column of a path, then a wrong field is a problem and a missing column a warning', () => {
    const rule = writtenRule([
      vpcDependency({ fieldRef: { path: '.spec.vpcRef.nam' } }),
      vpcDependency({ fieldRef: { path: '.metadata.name' } }),
    ]);

    expect(found(rule, facts({ dependent: { state: 'found', schema } }))).toEqual([
      expect.stringMatching(/^error FieldNotFound \.spec\.dependencies\[0\]\.fieldRef\.path /),
      expect.stringMatching(/^warning NoPrinterColumn \.spec\.dependencies\[1\]\.fieldRef\.path /),
    ]);
  });

  it('given a namespace for a target that is in none, then that is a problem', () => {
    const rule = writtenRule([vpcDependency({ fieldRef: { path: '.spec.vpcRef.name', namespacePath: '.spec.vpcRef.namespace' } })]);

    expect(found(rule, facts({ targets: new Map([[0, { reading: { isClusterScoped: true } }]]) }))).toEqual([
      expect.stringMatching(/^error MeaninglessNamespace \.spec\.dependencies\[0\]\.fieldRef\.namespacePath /),
    ]);
  });

  it('given a rule that cannot be read, then its problems and unknown fields alone', () => {
    const rule = { ...writtenRule([]), extra: 1 };

    expect(found(rule, { withoutSchema: () => 'no schema', closesCycle: () => true })).toEqual([
      expect.stringMatching(/^error UnknownField \.extra there is no such field: the object has /),
      expect.stringMatching(/^error Invalid \.spec\.dependencies is empty/),
    ]);
  });

  it('given a rule without a name, then the finding names its kind alone', () => {
    const rule = { ...writtenRule([]), metadata: { generateName: 'a-' } };

    expect(ruleFindings(readFileRule(manifestOf(rule), UNPLACED), LONE).map(({ object }) => object)).toEqual(['DependencyRule']);
  });
});
