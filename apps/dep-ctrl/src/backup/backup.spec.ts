import { afterAll, describe, expect, it } from '@jest/globals';
import { systemClock } from '@dep-ctrl/kcp-client';
import { PATH_ANNOTATION } from '@dep-ctrl/kcp-names';
import { ensureObject, LOGICAL_CLUSTERS, patiently } from '@dep-ctrl/kcp-objects';
import { EXPORT_NAME, GUARDS, GUARD_NAME, RULES } from '@dep-ctrl/rule-registry';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bindDepCtrl } from '../bind/bind-dep-ctrl.js';
import { backupCommand, restoreCommand } from '../commands/backup-commands.js';
import { bootstrapCommand } from '../commands/bootstrap-command.js';
import { DEV_PATHS } from '../dev/dev-paths.js';
import { vmDependencies } from '../dev/provider-manifests.js';
import { onEmbeddedKcp, type EmbeddedWorld } from '../testing/embedded-world.js';
import { makeReferringMachine } from '../testing/referring-machine.js';
import { runCli } from '../testing/run-cli.js';
import { BACKUP_OF, readBackup } from './backup-document.js';

const options = () => ({ signal: AbortSignal.timeout(60_000), clock: systemClock, timeoutMs: 60_000 });
const { depCtrl, network, compute } = DEV_PATHS;
const consent = (allowRulesFrom: readonly string[]) => ({
  apiVersion: 'dependencies.opendefense.cloud/v1alpha1',
  kind: 'DependencyGuard',
  metadata: { name: GUARD_NAME },
  spec: { allowRulesFrom },
});

const scratch = mkdtempSync(join(tmpdir(), 'dep-ctrl-backup-'));
let kept = 0;

afterAll(() => rmSync(scratch, { recursive: true }));

describe('dep-ctrl backup and restore', () => {
  it('given a rule and a guard that were saved and are gone, then restore writes both, and again changes nothing', () =>
    onEmbeddedKcp(async (world) => {
      const { admin, adminKubeconfig } = world;
      const as = ['--kubeconfig', adminKubeconfig];
      await install(world);
      const saved = await runCli(backupCommand, as);
      const file = keep(saved.stdout);
      const before = await specs(world);
      await admin.cluster(compute).delete(RULES, { name: 'vm-dependencies' }, options());
      await admin.cluster(network).delete(GUARDS, { name: GUARD_NAME }, options());

      const planned = await runCli(restoreCommand, [file, '--dry-run', ...as]);
      const restored = await runCli(restoreCommand, [file, ...as]);
      const again = await runCli(restoreCommand, [file, ...as]);

      expect([saved.code, saved.stderr]).toEqual([0, '1 rule and 1 guard of 2 workspaces\n']);
      expect(linesOf(planned.stdout)).toEqual([
        'DependencyGuard dependency-controller would be restored',
        'DependencyRule vm-dependencies would be restored',
      ]);
      const [guarded, ruled] = await Promise.all([network, compute].map(async (path) => `${path} (${await clusterAt(admin, path)})`));
      expect(restored.stdout.split('\n').map((line) => line.split(': ')[0])).toEqual([guarded, ruled, '']);
      expect(linesOf(restored.stdout)).toEqual([
        'DependencyGuard dependency-controller restored',
        'DependencyRule vm-dependencies restored',
      ]);
      expect([restored.code, again.code, linesOf(again.stdout).every((line) => line.endsWith(' unchanged'))]).toEqual([0, 0, true]);
      expect(await specs(world)).toEqual(before);
    }));

  it('given a guard that says something else by now, then it stays, which is exit 1, and with --overwrite it is replaced', () =>
    onEmbeddedKcp(async (world) => {
      const { admin, adminKubeconfig } = world;
      const as = ['--kubeconfig', adminKubeconfig];
      await install(world);
      const file = keep((await runCli(backupCommand, as)).stdout);
      const before = await specs(world);
      await admin.cluster(network).delete(GUARDS, { name: GUARD_NAME }, options());
      await ensureObject(admin.cluster(network), GUARDS, consent([]), options());

      const left = await runCli(restoreCommand, [file, ...as]);
      const stayed = (await specs(world)).guard;
      const replaced = await runCli(restoreCommand, [file, '--overwrite', ...as]);

      expect([left.code, stayed, replaced.code]).toEqual([1, { allowRulesFrom: [] }, 0]);
      expect(left.stderr).toContain('1 of 2 rules and guards are not as the backup says');
      expect(await specs(world)).toEqual(before);
    }));

  it('given a workspace whose admin wrote the path of another one, then restore names it by its logical cluster alone', () =>
    onEmbeddedKcp(async ({ admin, adminKubeconfig }) => {
      await makeReferringMachine(admin);
      const client = admin.cluster(network);
      const own = await client.get(LOGICAL_CLUSTERS, { name: 'cluster' }, options());
      const annotations = { ...own.metadata.annotations, [PATH_ANNOTATION]: compute };
      await client.replace(LOGICAL_CLUSTERS, { ...own, metadata: { ...own.metadata, annotations } }, options());
      const cluster = await clusterAt(admin, network);
      const rule = { ...vmDependencies(network), metadata: { name: 'r', annotations: { [BACKUP_OF]: cluster } } };

      const { stdout } = await runCli(restoreCommand, [keep(JSON.stringify(rule)), '--kubeconfig', adminKubeconfig]);

      expect(stdout.slice(0, cluster.length + 2)).toBe(`${cluster}: `);
    }));

  it('given a workspace that does not bind dep-ctrl any more, a file that is no backup, or an empty one, then one line says so', () =>
    onEmbeddedKcp(async ({ admin, adminKubeconfig }) => {
      const { cluster } = await makeReferringMachine(admin).then(async () => ({ cluster: await clusterAt(admin, network) }));
      const rule = {
        ...vmDependencies(network),
        metadata: { name: 'r', annotations: { 'dependencies.opendefense.cloud/backup-of': cluster } },
      };

      const unbound = await runCli(restoreCommand, [keep(JSON.stringify(rule)), '--kubeconfig', adminKubeconfig]);
      const none = await runCli(restoreCommand, [keep('kind: Secret\n'), '--kubeconfig', adminKubeconfig]);

      const empty = await runCli(restoreCommand, [keep(''), '--kubeconfig', adminKubeconfig]);

      expect([empty.code, empty.stderr]).toEqual([
        1,
        expect.stringContaining('there is no rule and no guard in it, so nothing was restored'),
      ]);
      expect([unbound.code, unbound.stdout]).toEqual([
        1,
        expect.stringMatching(/^root:providers:network \(\w+\): DependencyRule r not restored: /),
      ]);
      expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('is no backup: it holds something else than')]);
    }));
});

describe(readBackup, () => {
  it.each([
    { given: 'an object without the workspace that it was in', source: JSON.stringify(consent([])), problem: /has no annotation/ },
    { given: 'what is no YAML', source: 'a: [', problem: /./ },
    { given: 'a list', source: '- a', problem: /holds something else/ },
  ])('given $given, then the problem says so', ({ source, problem }) => {
    expect(readBackup(source)).toEqual({ ok: false, problem: expect.stringMatching(problem) });
  });

  it('given nothing, then there is nothing to restore', () => {
    expect(readBackup('')).toEqual({ ok: true, value: [] });
  });
});

async function install({ admin, adminKubeconfig }: EmbeddedWorld): Promise<void> {
  await runCli(bootstrapCommand, ['--kubeconfig', adminKubeconfig]);
  await makeReferringMachine(admin);
  for (const path of [network, compute]) await bindDepCtrl(admin.cluster(path), { path: depCtrl, name: EXPORT_NAME }, options());
  await patiently('the rule', () => ensureObject(admin.cluster(compute), RULES, vmDependencies(network), options()), options());
  await patiently('the guard', () => ensureObject(admin.cluster(network), GUARDS, consent([compute]), options()), options());
}

async function specs({ admin }: EmbeddedWorld): Promise<{ readonly rule: unknown; readonly guard: unknown }> {
  const rule = await admin.cluster(compute).get(RULES, { name: 'vm-dependencies' }, options());
  const guard = await admin.cluster(network).get(GUARDS, { name: GUARD_NAME }, options());
  return { rule: rule['spec'], guard: guard['spec'] };
}

async function clusterAt(admin: EmbeddedWorld['admin'], path: typeof network): Promise<string> {
  const { metadata } = await admin
    .cluster(path)
    .get({ group: 'core.kcp.io', version: 'v1alpha1', resource: 'logicalclusters' }, { name: 'cluster' }, options());
  return metadata.annotations?.['kcp.io/cluster'] ?? '';
}

/** Lines without the logical cluster before them. */
function linesOf(stdout: string): readonly string[] {
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.slice(line.indexOf(': ') + 2));
}

function keep(text: string): string {
  const file = join(scratch, `rules-${String((kept += 1))}.yaml`);
  writeFileSync(file, text);
  return file;
}
