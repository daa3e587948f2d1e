import { describe, expect, it } from '@jest/globals';
import { computeProvider } from '../../dev/provider-manifests.js';
import { vpcDependency, ruleOf } from '../testing/written-rules.js';
import type { RuleReadings, TargetReading } from './rule-readings.js';
import { doubtsOf, warningsOf } from './rule-warnings.js';

const STORY = computeProvider().schema;
const GROUP = 'compute.example.com';
const ABOUT = 'virtualmachines.compute.example.com';

/** A schema of virtual machines with these fields and columns. */
function schemaWith(fields: object, columns: readonly object[] = []): RuleReadings {
  const version = {
    name: 'v1alpha1',
    served: true,
    schema: { type: 'object', properties: { spec: { type: 'object', properties: fields } } },
    additionalPrinterColumns: columns,
  };
  const names = { kind: 'VirtualMachine', plural: 'virtualmachines' };
  const schema = { metadata: { name: 'v1', uid: 'u' }, spec: { group: GROUP, names, scope: 'Namespaced', versions: [version] } };
  return { dependent: { state: 'found', schema }, targets: new Map() };
}

const ref = (field: string) => ({ [field]: { type: 'object', properties: { name: { type: 'string' } } } });
const column = (jsonPath: string, more: object = {}) => ({ name: 'X', type: 'string', jsonPath, ...more });

function targets(...readings: readonly (readonly [number, TargetReading])[]): RuleReadings {
  return { targets: new Map(readings) };
}

describe(warningsOf, () => {
  it.each<{ given: string; rule?: Parameters<typeof ruleOf>; readings: RuleReadings; expected: readonly unknown[] }>([
    { given: 'nothing that was read', readings: targets(), expected: [] },
    {
      given: 'readings that were cut short',
      readings: { ...targets(), cutShort: 'kcp was slow' },
      expected: ['not everything in this rule was checked: kcp was slow'],
    },
    {
      given: 'a type that its provider does not export, twice, and one that it does',
      rule: [[vpcDependency(), vpcDependency({ fieldRef: { path: '.spec.other' } }), vpcDependency({ resource: 'zones' })]],
      readings: targets(
        [0, { isBound: true, wrong: { reason: 'ResourceNotExported', message: 'APIExport a does not export vpcs' } }],
        [1, { isBound: true, wrong: { reason: 'ResourceNotExported', message: 'APIExport a does not export vpcs' } }],
        [2, { isBound: true }],
      ),
      expected: ['.spec.dependencies[0]: APIExport a does not export vpcs'],
    },
    {
      given: 'types that their providers do not export, each for its own reason',
      rule: [[vpcDependency(), vpcDependency({ resource: 'zones' })]],
      readings: targets(
        [0, { wrong: { reason: 'ResourceNotExported', message: 'APIExport a does not export vpcs' } }],
        [1, { wrong: { reason: 'ResourceNotExported', message: 'APIExport a does not export zones' } }],
      ),
      expected: ['.spec.dependencies[0]: APIExport a does not export vpcs', '.spec.dependencies[1]: APIExport a does not export zones'],
    },
    {
      given: 'circles with two types, and two paths that are bound nowhere',
      rule: [
        [
          vpcDependency(),
          vpcDependency({ resource: 'zones' }),
          vpcDependency({ apiExportRef: { path: 'root:none', name: 'a' } }),
          vpcDependency({ apiExportRef: { path: 'root:nowhere', name: 'a' } }),
        ],
      ],
      readings: targets([0, { closesCycle: true }], [1, { closesCycle: true }], [2, { isBound: false }], [3, { isBound: false }]),
      expected: [
        expect.stringMatching(/^\.spec\.dependencies\[0\]: .* and vpcs\..* refer to each other/),
        expect.stringMatching(/^\.spec\.dependencies\[1\]: .* and zones\..* refer to each other/),
        expect.stringMatching(/^\.spec\.dependencies\[2\]\..* no workspace at root:none binds/),
        expect.stringMatching(/^\.spec\.dependencies\[3\]\..* no workspace at root:nowhere binds/),
      ],
    },
    { given: 'a field with its column', readings: schemaWith(ref('vpcRef'), [column('.spec.vpcRef.name')]), expected: [] },
    {
      given: 'a field without a column',
      readings: schemaWith(ref('vpcRef')),
      expected: [
        '.spec.dependencies[0].fieldRef.path: without a printer column every delete reads whole virtualmachines: add to additionalPrinterColumns of v1alpha1 in their next schema, without a description: {name: "vpcRef-name", type: string, jsonPath: ".spec.vpcRef.name"}',
      ],
    },
    {
      given: 'a column with a description of its own, which kcp does not tell apart from that of another schema',
      readings: schemaWith(ref('vpcRef'), [column('.spec.vpcRef.name', { description: 'the network' })]),
      expected: [expect.stringContaining('without a description')],
    },
    {
      given: 'a column that is no string',
      readings: schemaWith(ref('vpcRef'), [column('.spec.vpcRef.name', { type: 'date' })]),
      expected: [expect.stringContaining('additionalPrinterColumns')],
    },
    {
      given: 'a path that fans out, which no column can show',
      rule: [[vpcDependency({ fieldRef: { path: '.spec.vpcs[*].name' } })]],
      readings: schemaWith({ vpcs: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } } }),
      expected: [],
    },
    {
      given: 'a field that the schema does not have',
      readings: schemaWith(ref('vpcReference')),
      expected: [`.spec.dependencies[0].fieldRef.path: ${ABOUT} v1alpha1 has no field .spec.vpcRef.name: .spec has vpcReference`],
    },
    {
      given: 'a field that is no string, and a namespace without a column',
      rule: [[vpcDependency({ fieldRef: { path: '.spec.vpcRef', namespacePath: '.spec.other.name' } })]],
      readings: schemaWith({ ...ref('vpcRef'), ...ref('other') }),
      expected: [
        expect.stringMatching(/^\.spec\.dependencies\[0\]\.fieldRef\.path: field \.spec\.vpcRef of .* is of type object/),
        expect.stringMatching(/^\.spec\.dependencies\[0\]\.fieldRef\.namespacePath: without a printer column/),
      ],
    },
    {
      given: 'one field in several dependencies',
      rule: [[vpcDependency(), vpcDependency({ resource: 'subnets' })]],
      readings: schemaWith(ref('vpcRef')),
      expected: [expect.stringMatching(/^\.spec\.dependencies\[0\]/)],
    },
    {
      given: 'a kind with a typo',
      rule: [undefined, { apiExportName: GROUP, group: GROUP, version: 'v1alpha1', kind: 'Virtualmachine', resource: 'virtualmachines' }],
      readings: schemaWith(ref('vpcRef'), [column('.spec.vpcRef.name')]),
      expected: [`.spec.dependent: the kind of ${ABOUT} is VirtualMachine, not Virtualmachine`],
    },
    {
      given: 'a version that is not served',
      rule: [undefined, { apiExportName: GROUP, group: GROUP, version: 'v2', kind: 'VirtualMachine', resource: 'virtualmachines' }],
      readings: { dependent: { state: 'found', schema: STORY }, targets: new Map() },
      expected: [expect.stringMatching(/^\.spec\.dependent: virtualmachines\..* is not served as v2: use v1alpha1/)],
    },
    {
      given: 'an export that is not there',
      readings: {
        dependent: {
          state: 'not-exported',
          reason: 'ExportNotFound',
          message: 'there is no APIExport x in this workspace',
          namesExports: true,
        },
        targets: new Map(),
      },
      expected: ['.spec.dependent: there is no APIExport x in this workspace'],
    },
    {
      given: 'targets of which the first is in a circle with the dependent, twice, and others are in none or bound nowhere',
      rule: [
        [
          vpcDependency(),
          vpcDependency({ fieldRef: { path: '.spec.other.name' } }),
          vpcDependency({ apiExportRef: { path: 'root:none', name: 'a' } }),
          vpcDependency({ apiExportRef: { path: 'root:none', name: 'b' } }),
          vpcDependency({ resource: 'subnets' }),
        ],
      ],
      readings: targets(
        [0, { closesCycle: true, isBound: true }],
        [1, { closesCycle: true, isBound: true }],
        [2, { isBound: false }],
        [3, { isBound: false }],
        [4, { isBound: true }],
      ),
      expected: [
        expect.stringMatching(/^\.spec\.dependencies\[0\]: virtualmachines\..* and vpcs\..* refer to each other in a circle/),
        '.spec.dependencies[2].apiExportRef.path: no workspace at root:none binds dep-ctrl, so nothing is guarded there: correct the path, or have its owner bind dep-ctrl',
      ],
    },
  ])('given $given, then these are the warnings', ({ rule = [], readings, expected }) => {
    expect(warningsOf(ruleOf(...rule), readings)).toEqual(expected);
  });

  const saying = (message: string): string | undefined =>
    warningsOf(ruleOf([vpcDependency()]), targets([0, { wrong: { reason: 'ResourceNotExported', message } }]))[0];
  const PLACE = '.spec.dependencies[0]: ';
  const room = 380 - PLACE.length;

  it.each([
    { given: 'control characters', message: 'a\nb\u0085c', told: 'a b c' },
    { given: 'a text that has just room', message: 'x'.repeat(room), told: 'x'.repeat(room) },
    { given: 'a longer text', message: 'x'.repeat(room + 1), told: `${'x'.repeat(room - 1)}…` },
    {
      given: 'a longer text with a character of two units where it is cut',
      message: `x${'🌍'.repeat(room)}`,
      told: `x${'🌍'.repeat(177)}…`,
    },
    { given: 'a longer text with such a character elsewhere', message: `🌍${'x'.repeat(room)}`, told: `🌍${'x'.repeat(room - 3)}…` },
  ])('given $given, then the warning is one line that kcp hands on whole', ({ message, told }) => {
    expect(saying(message)).toBe(`${PLACE}${told}`);
  });

  it.each([
    { count: 10, told: 10, last: /root:p9 binds/ },
    { count: 11, told: 10, last: /^and 2 more of this kind$/ },
  ])('given $count doubts, then $told warnings are told', ({ count, told, last }) => {
    const dependencies = Array.from({ length: count }, (_, at) =>
      vpcDependency({ apiExportRef: { path: `root:p${String(at)}`, name: 'a' } }),
    );
    const warnings = warningsOf(ruleOf(dependencies), targets(...dependencies.map((_, at) => [at, { isBound: false }] as const)));

    expect([warnings.length, warnings.at(-1)]).toEqual([told, expect.stringMatching(last)]);
  });

  it('given doubts of every kind, then programs can tell them apart', () => {
    const rule = ruleOf([vpcDependency(), vpcDependency({ apiExportRef: { path: 'root:none', name: 'a' } })]);
    const readings = { ...schemaWith(ref('vpcRef')), ...targets([0, { closesCycle: true }], [1, { isBound: false }]) };

    expect(doubtsOf(rule, readings, { mostWrongPaths: 5 }).map(({ kind }) => kind)).toEqual([
      'TypeCycle',
      'TargetNotBound',
      'NoPrinterColumn',
    ]);
  });

  it('given doubts about every one of 64 dependencies, then as much is told as kcp hands on whole, one line each', () => {
    const long = 'x'.repeat(400);
    const dependencies = Array.from({ length: 64 }, (_, at) =>
      vpcDependency({
        apiExportRef: { path: `root:p${String(at)}`, name: 'a' },
        fieldRef: { path: `.spec['\u0085${String(at)}${long}']` },
      }),
    );
    const fields = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`field-${String(at)}`, { type: 'string' }]));
    const unbound = dependencies.map((_, at) => [at, { isBound: false }] as const);

    const wrongFields = warningsOf(ruleOf(dependencies), schemaWith(fields));
    const wrongTargets = warningsOf(ruleOf(dependencies), { ...schemaWith(fields), targets: new Map(unbound) });

    expect([wrongFields.length, wrongTargets.length]).toEqual([5, 10]);
    for (const warnings of [wrongFields, wrongTargets]) {
      expect(warnings.join('').length).toBeLessThan(4_096);
      expect(warnings.some((warning) => /\p{Cc}/u.test(warning))).toBe(false);
    }
    expect(wrongTargets.at(-1)).toBe('and 60 more of this kind');
  });
});
