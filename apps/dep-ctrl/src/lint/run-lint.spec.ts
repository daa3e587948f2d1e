import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { systemClock } from '@dep-ctrl/kcp-client';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { EXPORT_NAME, reportRule, RULES } from '@dep-ctrl/rule-registry';
import { stringify } from 'yaml';
import { bindDepCtrl } from '../bind/bind-dep-ctrl.js';
import { bootstrapCommand } from '../commands/bootstrap-command.js';
import { lintCommand } from '../commands/lint-command.js';
import { DEV_PATHS } from '../dev/dev-paths.js';
import { computeProvider, networkProvider, vmDependencies } from '../dev/provider-manifests.js';
import { onEmbeddedKcp } from '../testing/embedded-world.js';
import { makeReferringMachine } from '../testing/referring-machine.js';
import { runCli, type CliRun } from '../testing/run-cli.js';
import { ruleProblems } from '../webhook/rule-admission/decide-admission.js';
import { NOTHING_READ } from '../webhook/rule-admission/rule-readings.js';
import { cluster } from '../webhook/testing/builders.js';
import { vpcDependency, writtenGuard, writtenRule } from '../webhook/testing/written-rules.js';

let dir = '';

const yaml = (...objects: readonly object[]): string =>
  objects.map((object) => stringify(object, { aliasDuplicateObjects: false })).join('---\n');

/** Runs lint on the text as a file of its own. */
async function lint(text: string, ...args: readonly string[]): Promise<CliRun & { readonly lines: readonly string[] }> {
  const file = join(dir, 'rule.yaml');
  await writeFile(file, text);
  return run(file, ...args);
}

async function run(...args: readonly string[]): Promise<CliRun & { readonly lines: readonly string[] }> {
  const ran = await runCli(lintCommand, args);
  return { ...ran, lines: ran.stdout.replaceAll(`${dir}/`, '').trimEnd().split('\n') };
}

const named = (name: string, rule: ReturnType<typeof writtenRule>) => ({ ...rule, metadata: { name } });
const dependentOf = (change: object) => ({
  apiExportName: 'compute.example.com',
  group: 'compute.example.com',
  version: 'v1alpha1',
  kind: 'VirtualMachine',
  resource: 'virtualmachines',
  ...change,
});

describe('dep-ctrl lint', () => {
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'lint-'));
  });

  afterEach(() => rm(dir, { recursive: true }));

  it('given a rule and a guard that are well formed, then exit 0', async () => {
    const { code, stdout, stderr } = await lint(yaml(writtenRule(), writtenGuard({ allowRulesFrom: ['root:a'] })));

    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '1 file, 1 rule, 1 guard: 0 problems, 0 warnings\n', stderr: '' });
  });

  it('given rules with many problems, then each is named at its place in the words of the door, and exit 1', async () => {
    const rule = writtenRule([
      vpcDependency({ apiExportRef: { path: 'root:a-', name: 'x' } }),
      vpcDependency({ fieldRef: { path: '.spec.a[*].b', namespacePath: '.spec.c[*].d' } }),
      vpcDependency({ group: 'rbac.authorization.k8s.io', resource: 'roles' }),
      vpcDependency(),
      vpcDependency(),
      { ...vpcDependency(), version: undefined },
    ]);

    const { code, stderr, lines } = await lint(yaml(rule));

    const input = {
      report: reportRule(cluster('compute'), JSON.parse(JSON.stringify(rule)) as KubeObject),
      excess: undefined,
    } as const;
    const atTheDoor = ruleProblems({ ...input, readings: NOTHING_READ }).map(
      ({ path, message }) => `DependencyRule vms: ${path}: ${message}`,
    );
    expect(atTheDoor).toHaveLength(5);
    expect(lines.slice(0, -1).map((line) => line.replace(/^rule\.yaml:\d+:\d+: error: /, ''))).toEqual(atTheDoor);
    expect(lines.map((line) => /^rule\.yaml:(\d+:\d+)/.exec(line)?.[1])).toEqual(['16:15', '31:24', '32:7', '48:7', '56:7', undefined]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'error: 5 problems, 0 warnings\n' });
  });

  it('given fields that the API does not have, then each is named where it stands', async () => {
    const text =
      yaml(writtenRule()).replace('version: v1alpha1\n    kind', "verson: v1\n    'od.d': 1\n    version: v1alpha1\n    kind") +
      'status: {x: 1}\n';

    const { code, lines } = await lint(text);

    expect(code).toBe(1);
    expect(lines.slice(0, 2)).toEqual([
      'rule.yaml:11:5: error: DependencyRule vms: .spec.dependent.verson: there is no such field: .spec.dependent has version, group, kind, resource, apiExportName',
      expect.stringMatching(/^rule\.yaml:12:5: error: DependencyRule vms: \.spec\.dependent\['od\.d'\]: there is no such field/),
    ]);
  });

  it('given other kinds, then they are passed over with a note; given a kind with a typo, then it is a problem', async () => {
    const other = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a' } };
    const typo = { ...writtenRule(), kind: 'DependencyRules' };
    const group = { ...writtenRule(), apiVersion: 'dependencies.opendefence.cloud/v1alpha1' };

    const { code, lines } = await lint(yaml(other, other, typo, group));

    expect(code).toBe(1);
    expect(lines).toEqual([
      expect.stringMatching(
        /^rule\.yaml:\d+:7: error: DependencyRules vms: \.kind: expected "DependencyRule" or "DependencyGuard", found "DependencyRules"$/,
      ),
      expect.stringMatching(
        /^rule\.yaml:\d+:13: error: DependencyRule vms: \.apiVersion: expected "dependencies\.opendefense\.cloud\/v1alpha1"/,
      ),
      'note: not checked, as these kinds are not of dep-ctrl: 2 Deployment (apps/v1)',
      '1 file, 1 rule, 0 guards: 2 problems, 0 warnings',
    ]);
  });

  it('given files without a rule, then that is a warning, which --strict makes fail', async () => {
    const text = yaml({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } });

    const plain = await lint(text);
    const strict = await lint(text, '--strict');

    expect(plain.lines[0]).toBe('rule.yaml:1:1: warning: there is no DependencyRule and no DependencyGuard in what was given');
    expect([plain.code, strict.code, strict.stderr]).toEqual([0, 1, 'error: 0 problems, 1 warning\n']);
  });

  it('given a folder and a file in it, then each manifest in it is read once; given -, then stdin', async () => {
    await mkdir(join(dir, 'more/.git'), { recursive: true });
    await symlink(dir, join(dir, 'more/loop'));
    for (const name of ['a.yml', 'b.json', 'c.txt', 'more/d.yaml', 'more/.git/e.yaml'])
      await writeFile(join(dir, name), yaml(writtenRule([])));

    const folder = await run(dir, join(dir, 'a.yml'));
    const piped = await runCli(lintCommand, ['-'], { stdin: yaml(writtenRule([])) });

    expect(folder.lines.map((line) => line.split(':')[0])).toEqual(['a.yml', 'b.json', 'more/d.yaml', '3 files, 3 rules, 0 guards']);
    expect(piped.stdout).toMatch(/^stdin:\d+:3: error: DependencyRule vms: \.spec\.dependencies: is empty/);
  });

  it.each([
    { given: 'no file', args: [], line: 'error: FILE is missing: give files, folders or - for stdin, such as rules/\n' },
    {
      given: 'a file that is not there',
      args: ['/nowhere/a.yaml'],
      line: 'error: FILE must be a file, a folder or - for stdin, not "/nowhere/a.yaml": there is no such file or folder\n',
    },
    {
      given: 'a folder of schemas that is not there',
      args: ['-', '--schemas', '/nowhere'],
      line: 'error: --schemas must be a file, a folder or - for stdin, not "/nowhere": there is no such file or folder\n',
    },
    { given: 'a format that there is not', args: ['-', '-o', 'yaml'], line: 'error: --output must be one of json, sarif, not "yaml"\n' },
  ])('given $given, then exit 2 and one line', async ({ args, line }) => {
    expect(await runCli(lintCommand, args)).toEqual({ code: 2, stdout: '', stderr: line });
  });

  it('given names that would command a terminal, then people get them harmless and programs as they are', async () => {
    const text = yaml({ ...writtenRule(), metadata: { name: '\u001b[31mred\u202edlog' } });

    const people = await lint(text);
    const programs = await lint(text, '-o', 'json');

    expect(people.stdout).not.toMatch(/\u001b|\u202e/);
    expect(JSON.parse(programs.stdout)).toMatchObject({
      problems: 1,
      findings: [{ line: 4, column: 9, reason: 'Invalid', object: 'DependencyRule \u001b[31mred\u202edlog' }],
    });
  });

  it('given schemas, then a field that they do not have is a problem, a path without a column a warning with the column', async () => {
    const { schema, apiExport } = computeProvider();
    const withoutColumns = JSON.parse(JSON.stringify(schema).replace('.spec.vpcRef.name', '.spec.other')) as object;
    await mkdir(join(dir, 'apis'));
    await writeFile(join(dir, 'apis/compute.yaml'), yaml(withoutColumns, apiExport));
    const wrong = writtenRule([vpcDependency({ fieldRef: { path: '.spec.vpcRef.nam' } })]);

    const bad = await lint(yaml(wrong), '--schemas', join(dir, 'apis'));
    const slow = await lint(yaml(writtenRule()), '--schemas', join(dir, 'apis'));
    const strict = await lint(yaml(writtenRule()), '--schemas', join(dir, 'apis'), '--strict');

    expect(bad.lines[0]).toMatch(/:\d+:15: error: .*\.fieldRef\.path: .* has no field \.spec\.vpcRef\.nam: \.spec\.vpcRef has name$/);
    expect(slow.lines[0]).toContain(
      'warning: DependencyRule vms: .spec.dependencies[0].fieldRef.path: without a printer column every delete reads whole virtualmachines: add to additionalPrinterColumns of v1alpha1 in their next schema, without a description: {name: "vpcRef-name", type: string, jsonPath: ".spec.vpcRef.name"}',
    );
    expect([bad.code, slow.code, strict.code]).toEqual([1, 0, 1]);
  });

  it.each([
    {
      given: 'a kind with a typo',
      dependent: { kind: 'Vm' },
      expected: /error: .*\.spec\.dependent: the kind of .* is VirtualMachine, not Vm$/,
    },
    {
      given: 'a version that is not served',
      dependent: { version: 'v9' },
      expected: /error: .*\.spec\.dependent: .* is not served as v9: use v1alpha1$/,
    },
    {
      given: 'a resource that is not exported',
      dependent: { resource: 'vms' },
      expected: /error: .*\.spec\.dependent: APIExport compute\.example\.com in the given files does not export vms/,
    },
    {
      given: 'an export that the files know nothing of',
      dependent: { apiExportName: 'o.io', group: 'o.io' },
      expected:
        /warning: .*\.spec\.dependent: its fields were not checked, as there is no schema of virtualmachines\.o\.io among the files: they have virtualmachines\.compute\.example\.com/,
    },
  ])('given schemas and $given, then that is said about the dependent', async ({ dependent, expected }) => {
    const { schema, apiExport } = computeProvider();
    await mkdir(join(dir, 'apis'));
    await writeFile(join(dir, 'apis/compute.yaml'), yaml(schema, apiExport));

    const { lines } = await lint(yaml(writtenRule([vpcDependency()], dependentOf(dependent))), '--schemas', join(dir, 'apis'));

    expect(lines[0]).toMatch(expected);
  });

  it('given the schema of a target, then its version and whether it has namespaces are known', async () => {
    const { schema } = networkProvider();
    const vpcs = { ...schema, spec: { ...(schema['spec'] as object), scope: 'Cluster' } };
    const wrong = writtenRule([
      vpcDependency({ fieldRef: { path: '.spec.ref.name', namespacePath: '.spec.ref.namespace' } }),
      vpcDependency({ version: 'v7' }),
    ]);

    const { lines } = await lint(yaml(wrong, vpcs));

    expect(lines.slice(0, 2)).toEqual([
      expect.stringMatching(
        /error: .*\[0\]\.fieldRef\.namespacePath: remove this field, as vpcs\.network\.example\.com are cluster-scoped$/,
      ),
      expect.stringMatching(/error: .*\[1\]: vpcs\.network\.example\.com is not served as v7: use v1alpha1$/),
    ]);
  });

  it('given rules that close a circle of types, then each of their dependencies in it is a warning', async () => {
    const back = writtenRule(
      [
        vpcDependency({
          apiExportRef: { path: 'root:compute', name: 'compute.example.com' },
          group: 'compute.example.com',
          resource: 'virtualmachines',
        }),
      ],
      dependentOf({ apiExportName: 'network.example.com', group: 'network.example.com', kind: 'VPC', resource: 'vpcs' }),
    );

    const circle = await lint(yaml(named('there', writtenRule()), named('back', back)));
    const line = await lint(yaml(named('there', writtenRule())));

    expect(
      circle.lines.map((each) => / warning: (DependencyRule \w+: [^:]+): \w+.* refer to each other in a circle/.exec(each)?.[1]),
    ).toEqual(['DependencyRule there: .spec.dependencies[0]', 'DependencyRule back: .spec.dependencies[0]', undefined]);
    expect([circle.code, line.lines.length]).toEqual([0, 1]);
  });

  it('given more rules of one workspace than can be in force, then those beyond are problems; of several workspaces there may be as many', async () => {
    const rules = yaml(...Array.from({ length: 101 }, (_, at) => named(`r${String(at)}`, writtenRule())));

    const one = await lint(rules, '--workspace', 'root:compute');
    const several = await lint(rules);

    expect(one.lines.slice(0, -1)).toEqual([
      expect.stringMatching(
        /^rule\.yaml:\d+:1: error: DependencyRule r100: this workspace has 100 rules, and at most 100 of them are in force/,
      ),
    ]);
    expect([one.code, several.code]).toEqual([1, 0]);
  });

  it('given rules that name more workspaces together than one may, then those that would be refused are problems', async () => {
    const naming = (name: string, from: number, count: number) =>
      named(
        name,
        writtenRule(
          Array.from({ length: count }, (_, at) => vpcDependency({ apiExportRef: { path: `root:w${String(from + at)}`, name: 'n' } })),
        ),
      );
    const rules = yaml(
      ...[0, 64, 128, 192].map((from) => naming(`r${String(from)}`, from, 64)),
      naming('more', 256, 1),
      naming('same', 3, 9),
    );

    const one = await lint(rules, '--workspace', 'root:compute');
    const several = await lint(rules);

    expect(one.lines.filter((line) => line.includes('error: '))).toEqual([
      expect.stringMatching(
        /^rule\.yaml:\d+:1: error: DependencyRule more: with this one the rules of this workspace name 257 workspaces together, and at most 256/,
      ),
    ]);
    expect([one.code, several.code]).toEqual([1, 0]);
  });

  it('given a workspace, then fields, bindings and what is stored there count; given one that is not there, exit 1', () =>
    onEmbeddedKcp(async ({ admin, adminKubeconfig }) => {
      const { depCtrl, compute, network } = DEV_PATHS;
      await runCli(bootstrapCommand, ['--kubeconfig', adminKubeconfig]);
      await makeReferringMachine(admin);
      const wrong = named(
        'wrong',
        writtenRule([
          vpcDependency({ apiExportRef: { path: network, name: 'network.example.com' }, fieldRef: { path: '.spec.vpcRef.nam' } }),
          vpcDependency({ apiExportRef: { path: 'root:nowhere', name: 'x' } }),
          vpcDependency({ apiExportRef: { path: network, name: 'network.example.com' }, resource: 'vpc' }),
        ]),
      );
      const where = ['--kubeconfig', adminKubeconfig, '--workspace', compute];
      const options = { signal: AbortSignal.timeout(60_000), clock: systemClock, timeoutMs: 60_000 };

      const unbound = await lint(yaml(wrong), ...where);
      for (const path of [compute, network]) await bindDepCtrl(admin.cluster(path), { path: depCtrl, name: EXPORT_NAME }, options);
      const bound = await lint(yaml(wrong), ...where);
      const good = await lint(yaml(vmDependencies(network), writtenGuard({ allowRulesFrom: [network] })), ...where);
      const closed = await lint(yaml(writtenGuard({ allowRulesFrom: [network, 'root:providers:netwrok'] })), ...where);
      const missing = await lint(yaml(wrong), '--kubeconfig', adminKubeconfig, '--workspace', 'root:nowhere');

      const textOf = (lines: readonly string[]) =>
        lines.map((line) => line.replace(/^rule\.yaml:\d+:\d+: /, '').replace('DependencyRule wrong: ', ''));
      expect(textOf(unbound.lines)).toContain(
        `warning: .kind: workspace "${compute}" does not bind dep-ctrl, so kcp knows no rules there: its owner runs dep-ctrl bind ${compute}`,
      );
      expect(textOf(bound.lines)).toEqual([
        expect.stringMatching(/^error: \.spec\.dependencies\[0\]\.fieldRef\.path: .* has no field \.spec\.vpcRef\.nam/),
        expect.stringMatching(/^warning: \.spec\.dependencies\[1\]\.apiExportRef\.path: no workspace at root:nowhere binds dep-ctrl/),
        expect.stringMatching(
          /^error: \.spec\.dependencies\[2\]: APIExport network\.example\.com in workspace ".*" does not export vpc\.network\.example\.com/,
        ),
        '1 file, 1 rule, 0 guards: 2 problems, 1 warning',
      ]);
      expect({ ...good, lines: good.lines.length }).toMatchObject({ code: 0, stderr: '', lines: 1 });
      expect(closed.lines[0]).toMatch(
        /^rule\.yaml:\d+:7: warning: .*\.allowRulesFrom\[1\]: no workspace at root:providers:netwrok binds dep-ctrl/,
      );
      expect(closed.lines).toHaveLength(2);
      expect(missing).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining('there is no workspace "root:nowhere" (--workspace)'),
      });
    }));

  it('given a workspace, then a circle that the rules of a workspace that it names close is a warning; given no kcp, then that it was not asked is said', () =>
    onEmbeddedKcp(async ({ admin, adminKubeconfig }) => {
      const { depCtrl, compute, network } = DEV_PATHS;
      const options = { signal: AbortSignal.timeout(60_000), clock: systemClock, timeoutMs: 60_000 };
      await runCli(bootstrapCommand, ['--kubeconfig', adminKubeconfig]);
      await makeReferringMachine(admin);
      for (const path of [compute, network]) await bindDepCtrl(admin.cluster(path), { path: depCtrl, name: EXPORT_NAME }, options);
      await admin.cluster(compute).create(RULES, vmDependencies(network), options);
      const machine = {
        apiExportRef: { path: compute, name: 'compute.example.com' },
        group: 'compute.example.com',
        resource: 'virtualmachines',
      };
      const back = writtenRule(
        [vpcDependency({ ...machine, fieldRef: { path: ".metadata.labels['machine']" } })],
        dependentOf({ apiExportName: 'network.example.com', group: 'network.example.com', kind: 'VPC', resource: 'vpcs' }),
      );

      const there = await lint(yaml(named('back', back)), '--kubeconfig', adminKubeconfig, '--workspace', network);
      const alone = await lint(yaml(named('back', back)), '--workspace', network);

      const circle = /warning: DependencyRule back: \.spec\.dependencies\[0\]: .* refer to each other in a circle/;
      expect([there.code, there.stdout]).toEqual([0, expect.stringMatching(circle)]);
      expect([alone.code, alone.stdout]).toEqual([0, expect.not.stringMatching(circle)]);
      expect([there.stderr, alone.stderr]).toEqual(['', 'note: no kcp was asked: --workspace needs --kubeconfig or --context for that\n']);
    }));
});
