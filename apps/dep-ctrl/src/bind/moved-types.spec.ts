import { describe, expect, it } from '@jest/globals';
import { systemClock, type Clock } from '@dep-ctrl/kcp-client';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { EXPORT_NAME, GUARDS, RULES } from '@dep-ctrl/rule-registry';
import { API_BINDINGS, ensureWorkspace, removeWorkspace } from '@dep-ctrl/kcp-objects';
import { probeGone, readExport, servesFormer, uidsOf } from '@dep-ctrl/exported-types';
import { bindCommand } from '../commands/bind-command.js';
import { bootstrapCommand } from '../commands/bootstrap-command.js';
import { DEV_PARENTS, DEV_PATHS } from '../dev/dev-paths.js';
import { onEmbeddedKcp, type EmbeddedWorld } from '../testing/embedded-world.js';
import { runCli } from '../testing/run-cli.js';
import { ruleInForce } from '../uninstall/spec-support/left-behind.js';
import { bindDepCtrl } from './bind-dep-ctrl.js';

const options = () => ({ signal: AbortSignal.timeout(20_000), clock: systemClock });
const depCtrlExport = { path: DEV_PATHS.depCtrl, name: EXPORT_NAME };
const TYPES = [RULES, GUARDS];

// As kcp v0.32.3 labelled bindings to an export in a former logical cluster and to the one in `NOW`.
const NOW = '2sr7vido6wesw5w3';
const [OF_FORMER, OF_NOW] = ['4y75YpHKACuwMzJYzSCvRjM3AMUTgqu5mXkDe3', '9y6oG5WyK1kc18NHSKh4PIFohMTkxvB1xXQMeu'];

const serving = (...identities: readonly string[]): KubeObject => ({
  metadata: { name: EXPORT_NAME },
  status: { boundResources: identities.map((identityHash) => ({ resource: RULES.resource, schema: { identityHash } })) },
});

describe(servesFormer, () => {
  it.each([
    { given: 'types of the export', binding: serving('now', 'now'), expected: false },
    { given: 'types of an export before it', binding: serving('former', 'former'), expected: true },
    { given: 'types of both', binding: serving('now', 'former'), expected: true },
    { given: 'no type yet', binding: serving(), expected: false },
    { given: 'no status', binding: { metadata: {} }, expected: false },
  ])('given $given, then $expected', ({ binding, expected }) => {
    expect(servesFormer(binding, 'now')).toBe(expected);
  });

  it.each([
    {
      given: 'a binding that kcp is moving',
      found: { label: OF_FORMER, upToDate: 'False', reason: 'WaitingForEstablished' },
      expected: true,
    },
    { given: 'one that it has moved', found: { label: OF_FORMER, upToDate: 'True', reason: '' }, expected: false },
    { given: 'one that clashes with others', found: { label: OF_FORMER, upToDate: 'False', reason: 'NamingConflicts' }, expected: false },
    {
      given: 'one that follows a new schema',
      found: { label: OF_NOW, upToDate: 'False', reason: 'WaitingForEstablished' },
      expected: false,
    },
  ])('given no identity and $given, then $expected', ({ found: { label, upToDate, reason }, expected }) => {
    const binding = {
      metadata: { name: EXPORT_NAME, labels: { 'internal.apis.kcp.io/export': label } },
      spec: { reference: { export: depCtrlExport } },
      status: { apiExportClusterName: NOW, conditions: [{ type: 'BindingUpToDate', status: upToDate, reason }] },
    };

    expect(servesFormer(binding, undefined)).toBe(expected);
  });
});

/** A provider that is bound to dep-ctrl. */
async function boundProvider(world: EmbeddedWorld) {
  await runCli(bootstrapCommand, ['--kubeconfig', world.adminKubeconfig]);
  for (const path of [...DEV_PARENTS, DEV_PATHS.compute]) await ensureWorkspace(world.admin, path, options());
  await runCli(bindCommand, ['--kubeconfig', world.adminKubeconfig, DEV_PATHS.compute]);
  return world.admin.cluster(DEV_PATHS.compute);
}

describe(probeGone, () => {
  it('given a rule of before, then it is waited for until it is no longer served, also while the types are not', () =>
    onEmbeddedKcp(async (world) => {
      const compute = await boundProvider(world);
      await ruleInForce(compute);
      const uids = await uidsOf(compute, TYPES, options());
      const probe = () => probeGone(compute, TYPES, { ...options(), uids });

      const before = await probe();
      await compute.delete(RULES, { name: 'vms' }, options());
      world.kcp.faults.onRequest({ path: /dependencyguards/ }, { kind: 'answer', status: 404 }, { times: 1 });
      const during = await probe();

      expect(uids.size).toBe(1);
      expect(before).toEqual({
        waitingFor: 'dependencyrules.dependencies.opendefense.cloud "vms" of the export before it is still served',
      });
      expect(during).toEqual({ waitingFor: expect.stringMatching(/^dependencyguards\..* is not served yet: /) });
      expect(await probe()).toEqual({ done: true });
    }));

  it('given a rule that is written meanwhile, then it is none of before', () =>
    onEmbeddedKcp(async (world) => {
      const compute = await boundProvider(world);
      await ruleInForce(compute);

      expect(await probeGone(compute, TYPES, { ...options(), uids: new Set(['former']) })).toEqual({ done: true });
    }));

  it('given types that nobody may list, then nothing was seen and nothing is waited for', () =>
    onEmbeddedKcp(async (world) => {
      const compute = await boundProvider(world);
      await ruleInForce(compute);
      world.kcp.faults.onRequest({ path: /dependency(rules|guards)/ }, { kind: 'answer', status: 403 });

      const uids = await uidsOf(compute, TYPES, options());

      expect(uids.size).toBe(0);
      expect(await probeGone(compute, TYPES, { ...options(), uids })).toEqual({ done: true });
    }));
});

describe('dep-ctrl bind, given that kcp serves the types of a former export for a while', () => {
  it('given rules of before, then none of them is served once it says that they are to be applied again', () =>
    onEmbeddedKcp(async (world) => {
      const compute = await boundProvider(world);
      await ruleInForce(compute);
      await removeWorkspace(world.admin, DEV_PATHS.depCtrl, options());
      await runCli(bootstrapCommand, ['--kubeconfig', world.adminKubeconfig]);

      const { stdout } = await runCli(bindCommand, ['--kubeconfig', world.adminKubeconfig, DEV_PATHS.compute]);

      expect(stdout).toContain(': binding rebound: ');
      expect((await uidsOf(compute, TYPES, options())).size).toBe(0);
      const found = await readExport(world.admin, depCtrlExport, options());
      expect(servesFormer(await compute.get(API_BINDINGS, { name: EXPORT_NAME }, options()), found?.identity ?? '')).toBe(false);
    }));

  it('given types that stay those of before, then it gives up and says what it waited for', () =>
    onEmbeddedKcp(async (world) => {
      const compute = await boundProvider(world);
      const found = await readExport(world.admin, depCtrlExport, options());
      if (found === undefined) throw new Error('the export cannot be read');
      const now = { cluster: found.cluster, identity: 'another', howToRebind: () => '' };

      await expect(bindDepCtrl(compute, depCtrlExport, { ...options(), clock: impatient(), now })).rejects.toThrow(
        'did not happen within 45 s: it still serves the types of the export that was there before, and what was written through them',
      );
    }));

  it('given credentials that cannot read the export, then it binds without knowing its identity', () =>
    onEmbeddedKcp(async (world) => {
      const compute = await boundProvider(world);

      expect(await bindDepCtrl(compute, depCtrlExport, { ...options(), now: undefined })).toBe('unchanged');
    }));
});

/** Time that is over by the second look. */
function impatient(): Clock {
  let nowMs = 0;
  return { ...systemClock, sleep: () => Promise.resolve(), monotonic: () => (nowMs += 60_000) };
}
