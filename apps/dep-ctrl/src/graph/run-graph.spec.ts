import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { systemClock } from '@dep-ctrl/kcp-client';
import { EXPORT_NAME, RULES } from '@dep-ctrl/rule-registry';
import { stringify } from 'yaml';
import { bindDepCtrl } from '../bind/bind-dep-ctrl.js';
import { bootstrapCommand } from '../commands/bootstrap-command.js';
import { graphCommand } from '../commands/graph-command.js';
import { DEV_PATHS } from '../dev/dev-paths.js';
import { vmDependencies } from '../dev/provider-manifests.js';
import { ensureObject } from '@dep-ctrl/kcp-objects';
import { patiently } from '@dep-ctrl/kcp-objects';
import { onEmbeddedKcp } from '../testing/embedded-world.js';
import { makeReferringMachine } from '../testing/referring-machine.js';
import { runCli } from '../testing/run-cli.js';
import { vpcDependency, writtenRule } from '../webhook/testing/written-rules.js';

let dir = '';

async function graph(text: string, ...args: readonly string[]) {
  const file = join(dir, 'rules.yaml');
  await writeFile(file, text);
  return runCli(graphCommand, [file, ...args]);
}

describe('dep-ctrl graph', () => {
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'graph-'));
  });

  afterEach(() => rm(dir, { recursive: true }));

  it('given rules in files, then they are drawn in each format; what a status says is not in force is dashed', async () => {
    const rule = { ...writtenRule(), status: { targets: [] } };

    const [chart, digraph, picture, data] = await Promise.all(
      [[], ['-o', 'dot'], ['-o', 'svg'], ['-o', 'json']].map(async (args) => graph(stringify(rule), ...args)),
    );

    expect(chart).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('  t1 -.->|".spec.vpcRef.name"| t0\n') });
    expect(chart!.stdout).toContain('["workspace of export compute.example.com"]');
    expect(digraph!.stdout).toContain('t1 -> t0 [label=".spec.vpcRef.name", style=dashed]');
    expect(picture!.stdout).toMatch(/^<svg xmlns=.*dashed: not in force.*<\/svg>\n$/s);
    expect(JSON.parse(data!.stdout)).toMatchObject({
      types: [{ id: 't0' }, { id: 't1' }],
      references: [{ from: 't1', to: 't0', inForce: false }],
      cycles: [],
    });
  });

  it('given rules of which all types refer to each other, then a picture is refused with what can be done, and the other formats are printed', async () => {
    const names = Array.from({ length: 40 }, (_, at) => `things${String(at)}`);
    const { apiExportRef, group, version } = vpcDependency();
    const rules = names.map((resource) => ({
      ...writtenRule(
        names.filter((name) => name !== resource).map((name) => vpcDependency({ resource: name })),
        { apiExportName: apiExportRef.name, group, version, kind: 'Thing', resource },
      ),
      metadata: { name: resource },
    }));
    const text = rules.map((rule) => stringify(rule)).join('---\n');

    const picture = await graph(text, '-o', 'svg', '--workspace', 'root:network');
    const digraph = await graph(text, '-o', 'dot', '--workspace', 'root:network');

    expect(picture).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('1560 arrows are too many to lay out') });
    expect(digraph.stdout.match(/ -> /g)).toHaveLength(1560);
  });

  it('given the workspace of the rules, then it is named', async () => {
    const { stdout } = await graph(stringify(writtenRule()), '--workspace', 'root:compute');

    expect(stdout).toContain('["root:compute"]');
  });

  it('given rules with problems, then what can be read is drawn, and stderr says who says more; given no YAML, then exit 1 with the place', async () => {
    const broken = await graph(stringify(writtenRule([vpcDependency(), { ...vpcDependency(), resource: 'VPCS' }])));
    const none = await graph('a: [');

    expect(broken).toMatchObject({ code: 0, stderr: 'warning: 1 of 1 rules have problems: dep-ctrl lint says which\n' });
    expect(broken.stdout).toContain('t1 -->|".spec.vpcRef.name"| t0');
    expect(none).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^error: .*rules\.yaml:1:5: is no YAML: /) });
  });

  it('given no rule, then an empty picture, and stderr says so', async () => {
    const stderr = 'warning: there is no rule to draw\n';

    expect(await graph('kind: A')).toEqual({ code: 0, stdout: 'flowchart LR\n', stderr });
    expect(await graph('', '-o', 'svg')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^<svg .*<title>0 types, 0 references, 0 circles<.*<\/svg>\n$/s),
      stderr,
    });
  });

  it('given --workspace without a file, then exit 2', async () => {
    expect(await runCli(graphCommand, ['--workspace', 'root:a'])).toMatchObject({
      code: 2,
      stderr: 'error: --workspace needs FILE: of a kcp the rules of all workspaces are drawn\n',
    });
  });

  it('given a kcp, then the rules of all its workspaces are drawn with their paths', () =>
    onEmbeddedKcp(async ({ admin, adminKubeconfig }) => {
      const { depCtrl, network, compute } = DEV_PATHS;
      const options = { signal: AbortSignal.timeout(60_000), clock: systemClock, timeoutMs: 60_000 };
      await runCli(bootstrapCommand, ['--kubeconfig', adminKubeconfig]);
      await makeReferringMachine(admin);
      for (const path of [network, compute]) await bindDepCtrl(admin.cluster(path), { path: depCtrl, name: EXPORT_NAME }, options);
      await patiently('the rule', () => ensureObject(admin.cluster(compute), RULES, vmDependencies(network), options), options);

      const { code, stdout, stderr } = await runCli(graphCommand, ['--kubeconfig', adminKubeconfig, '-o', 'json']);

      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(JSON.parse(stdout)).toMatchObject({
        types: [
          { resource: 'virtualmachines', workspace: compute },
          { resource: 'vpcs', workspace: network },
        ],
        references: [{ fieldPath: '.spec.vpcRef.name', rule: { name: 'vm-dependencies' } }],
      });
    }));
});
