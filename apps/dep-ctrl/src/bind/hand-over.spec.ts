import { describe, expect, it } from '@jest/globals';
import { listAll, parseVirtualWorkspaceUrl, systemClock, type ClusterClient } from '@dep-ctrl/kcp-client';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { EXPORT_NAME, GUARD_NAME } from '@dep-ctrl/rule-registry';
import { WEBHOOK_CONFIGURATIONS } from '@dep-ctrl/webhook-installer';
import { API_EXPORT_ENDPOINT_SLICES, ensureWorkspace, removeWorkspace } from '@dep-ctrl/kcp-objects';
import { bindCommand } from '../commands/bind-command.js';
import { bootstrapCommand } from '../commands/bootstrap-command.js';
import { OWNER_LABEL } from '../own-objects/configuration-labels.js';
import { DEV_PARENTS, DEV_PATHS } from '../dev/dev-paths.js';
import { onEmbeddedKcp, type EmbeddedWorld } from '../testing/embedded-world.js';
import { runCli } from '../testing/run-cli.js';
import { givenTo, handOverConfiguration, isOfAnother } from './hand-over.js';

const options = () => ({ signal: AbortSignal.timeout(20_000), clock: systemClock });
const depCtrlExport = { path: DEV_PATHS.depCtrl, name: EXPORT_NAME };
const NAME = { name: GUARD_NAME };

const configuration = (labels: Readonly<Record<string, string>>): KubeObject => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  metadata: { ...NAME, labels },
  webhooks: [],
});

describe(isOfAnother, () => {
  it.each([
    { given: 'our label', labels: { [OWNER_LABEL]: 'ours' }, expected: false },
    { given: 'the label of another', labels: { [OWNER_LABEL]: 'former' }, expected: true },
    { given: 'no label', labels: {}, expected: false },
  ])('given $given, then $expected', ({ labels, expected }) => {
    expect(isOfAnother(configuration(labels), 'ours')).toBe(expected);
  });
});

describe(givenTo, () => {
  it('given other labels and finalizers, then they stay', () => {
    const former = configuration({ [OWNER_LABEL]: 'former', team: 'a' });

    const given = givenTo({ ...former, metadata: { ...former.metadata, finalizers: ['example.com/held'] } }, 'ours');

    expect(given).toEqual({
      ...former,
      metadata: { ...NAME, labels: { [OWNER_LABEL]: 'ours', team: 'a' }, finalizers: ['example.com/held'] },
    });
  });
});

/** A provider that is bound to dep-ctrl. */
async function boundProvider(world: EmbeddedWorld): Promise<{ readonly network: ClusterClient; readonly owner: string }> {
  await runCli(bootstrapCommand, ['--kubeconfig', world.adminKubeconfig]);
  const { cluster: owner } = await ensureWorkspace(world.admin, DEV_PATHS.depCtrl, options());
  for (const path of [...DEV_PARENTS, DEV_PATHS.network]) await ensureWorkspace(world.admin, path, options());
  await bind(world);
  return { network: world.admin.cluster(DEV_PATHS.network), owner };
}

const bind = ({ adminKubeconfig }: EmbeddedWorld, ...more: readonly string[]) =>
  runCli(bindCommand, ['--kubeconfig', adminKubeconfig, DEV_PATHS.network, ...more]);

/** The labels of the configurations that the export sees in all workspaces. */
async function seenByExport({ admin }: EmbeddedWorld): Promise<readonly unknown[]> {
  const slice = await admin.cluster(DEV_PATHS.depCtrl).get(API_EXPORT_ENDPOINT_SLICES, { name: EXPORT_NAME }, options());
  const { endpoints = [] } = (slice['status'] ?? {}) as { readonly endpoints?: readonly { readonly url: string }[] };
  const url = parseVirtualWorkspaceUrl(endpoints[0]?.url ?? '');
  if (!url.ok) throw new Error(url.problem);
  const { objects } = await listAll(admin.virtualWorkspace(url.value).wildcard(), WEBHOOK_CONFIGURATIONS, {}, options());
  return objects.map(({ metadata }) => metadata.labels?.[OWNER_LABEL]);
}

describe('dep-ctrl bind, given a configuration of an installation before', () => {
  it('given that the workspace of dep-ctrl was made anew, then the new one owns and sees it, and a second run has nothing to say', () =>
    onEmbeddedKcp(async (world) => {
      const { network, owner: former } = await boundProvider(world);
      const made = await network.create(WEBHOOK_CONFIGURATIONS, configuration({ [OWNER_LABEL]: former, team: 'a' }), options());
      await removeWorkspace(world.admin, DEV_PATHS.depCtrl, options());
      await runCli(bootstrapCommand, ['--kubeconfig', world.adminKubeconfig]);
      const { cluster: owner } = await ensureWorkspace(world.admin, DEV_PATHS.depCtrl, options());

      const bound = await bind(world);
      const again = await bind(world, '-o', 'json');

      expect(bound).toEqual({
        code: 0,
        stdout: `root:providers:network: binding rebound: dep-ctrl was set up anew since, so apply the rules and guards of this workspace again; the configuration of the former installation was handed over: it refuses every delete. When all rules about this workspace are applied again, run: dep-ctrl bind root:providers:network --workspace root:dep-ctrl --kubeconfig ${world.adminKubeconfig} --rules-are-back\n`,
        stderr: '',
      });
      expect(JSON.parse(again.stdout)).toEqual({ bindings: [{ path: DEV_PATHS.network, binding: 'unchanged' }], reading: [], notes: [] });
      const { metadata } = await network.get(WEBHOOK_CONFIGURATIONS, NAME, options());
      expect(metadata).toMatchObject({ uid: made.metadata.uid, labels: { [OWNER_LABEL]: owner, team: 'a' } });
      expect(await seenByExport(world)).toEqual([owner]);
    }));

  it('given a binding that needs nothing, then the configuration is handed over all the same, and -o json says so', () =>
    onEmbeddedKcp(async (world) => {
      const { network } = await boundProvider(world);
      await network.create(WEBHOOK_CONFIGURATIONS, configuration({ [OWNER_LABEL]: 'former' }), options());

      const { stdout } = await bind(world, '-o', 'json');

      expect(JSON.parse(stdout)).toEqual({
        bindings: [{ path: DEV_PATHS.network, binding: 'rebound', configuration: 'handed-over' }],
        reading: [],
        notes: [],
      });
    }));

  it('given one of our own or one of somebody else without our label, then it stays as it is', () =>
    onEmbeddedKcp(async (world) => {
      const { network, owner } = await boundProvider(world);
      for (const labels of [{ [OWNER_LABEL]: owner }, { team: 'a' }]) {
        const { metadata } = await network.create(WEBHOOK_CONFIGURATIONS, configuration(labels), options());

        expect((await bind(world)).stdout).toBe('root:providers:network: binding unchanged\n');

        expect((await network.get(WEBHOOK_CONFIGURATIONS, NAME, options())).metadata.resourceVersion).toBe(metadata.resourceVersion);
        await network.delete(WEBHOOK_CONFIGURATIONS, NAME, options());
      }
    }));
});

describe(handOverConfiguration, () => {
  const path = /validatingwebhookconfigurations/;
  const refusal = (code: number, reason: string) =>
    ({ kind: 'answer', status: code, body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason, code } }) as const;

  it('given somebody who may not read configurations, then there is nothing to say', () =>
    onEmbeddedKcp(async (world) => {
      const { network } = await boundProvider(world);
      await network.create(WEBHOOK_CONFIGURATIONS, configuration({ [OWNER_LABEL]: 'former' }), options());
      world.kcp.faults.onRequest({ method: 'GET', path }, refusal(403, 'Forbidden'), { times: 1 });

      expect(await handOverConfiguration(network, depCtrlExport, options())).toBe(false);
    }));

  it('given a workspace that is not bound, then nothing is handed over', () =>
    onEmbeddedKcp(async (world) => {
      const { network } = await boundProvider(world);
      await network.create(WEBHOOK_CONFIGURATIONS, configuration({ [OWNER_LABEL]: 'former' }), options());

      expect(await handOverConfiguration(network, { ...depCtrlExport, name: 'other.example.com' }, options())).toBe(false);
    }));

  it.each([
    { given: 'somebody who is faster twice', code: 409, reason: 'Conflict', times: 2, expected: true },
    { given: 'somebody who may not write', code: 403, reason: 'Forbidden', times: 1, expected: 'could not be handed over' },
    { given: 'somebody who is always faster', code: 409, reason: 'Conflict', times: 5, expected: 'could not be handed over' },
  ])('given $given, then $expected', ({ code, reason, times, expected }) =>
    onEmbeddedKcp(async (world) => {
      const { network } = await boundProvider(world);
      await network.create(WEBHOOK_CONFIGURATIONS, configuration({ [OWNER_LABEL]: 'former' }), options());
      world.kcp.faults.onRequest({ method: 'PUT', path }, refusal(code, reason), { times });

      const outcome = await handOverConfiguration(network, depCtrlExport, options()).catch((error: unknown) => error);

      expect(outcome instanceof Error ? outcome.message : outcome).toEqual(
        typeof expected === 'string' ? expect.stringContaining(expected) : expected,
      );
    }),
  );
});
