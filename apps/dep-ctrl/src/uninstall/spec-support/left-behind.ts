// What a controller that has died left in the workspaces of two providers.
import { systemClock, type ClusterClient } from '@dep-ctrl/kcp-client';
import type { KubeObject, LogicalClusterName } from '@dep-ctrl/kcp-names';
import { EXPORT_NAME, GUARD_FINALIZER, GUARD_NAME, GUARDS, RULES } from '@dep-ctrl/rule-registry';
import { WEBHOOK_CONFIGURATIONS } from '@dep-ctrl/webhook-installer';
import { ensureWorkspace, getIfExists } from '@dep-ctrl/kcp-objects';
import { bindDepCtrl } from '../../bind/bind-dep-ctrl.js';
import { bootstrapCommand } from '../../commands/bootstrap-command.js';
import { OWNER_LABEL } from '../../own-objects/configuration-labels.js';
import { guardStatus } from '../../controller/guard/guard-status.js';
import { DEV_PARENTS, DEV_PATHS } from '../../dev/dev-paths.js';
import type { EmbeddedWorld } from '../../testing/embedded-world.js';
import { runCli } from '../../testing/run-cli.js';

/** How long a request of a spec may take. */
export const options = () => ({ signal: AbortSignal.timeout(20_000), clock: systemClock });
/** The export of dep-ctrl. */
export const depCtrlExport = { path: DEV_PATHS.depCtrl, name: EXPORT_NAME };

const configurationOf = (owner: LogicalClusterName): KubeObject => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  metadata: { name: GUARD_NAME, labels: { [OWNER_LABEL]: owner } },
  webhooks: [],
});
/** A guard of which something is said. */
export const guardWith = (more: object): KubeObject => ({
  apiVersion: 'dependencies.opendefense.cloud/v1alpha1',
  kind: 'DependencyGuard',
  metadata: { name: GUARD_NAME, finalizers: [GUARD_FINALIZER] },
  ...more,
});

/** Two providers that are guarded: network by a guard of ours, compute by one that the provider wrote. No process of ours runs. */
export async function leftBehind({ admin, adminKubeconfig }: EmbeddedWorld) {
  const { code, stderr } = await runCli(bootstrapCommand, ['--kubeconfig', adminKubeconfig]);
  if (code !== 0) throw new Error(stderr);
  const { cluster: owner } = await ensureWorkspace(admin, DEV_PATHS.depCtrl, options());
  for (const path of [...DEV_PARENTS, DEV_PATHS.network, DEV_PATHS.compute]) await ensureWorkspace(admin, path, options());
  const [network, compute] = [admin.cluster(DEV_PATHS.network), admin.cluster(DEV_PATHS.compute)];
  for (const client of [network, compute]) {
    await bindDepCtrl(client, depCtrlExport, options());
    await client.create(WEBHOOK_CONFIGURATIONS, configurationOf(owner), options());
  }
  await network.create(GUARDS, guardWith({}), options());
  const kept = await compute.create(GUARDS, guardWith({ spec: { allowRulesFrom: [] } }), options());
  const status = guardStatus(
    kept,
    { entries: [], isEverything: true },
    { state: 'installed', resources: [], named: new Set(), noRoom: new Set() },
    '2026-01-01T00:00:00Z',
  );
  await compute.replaceStatus(GUARDS, { ...kept, status }, options());
  return { network, compute, owner };
}

/** A rule of compute that says it is in force. */
export async function ruleInForce(compute: ClusterClient): Promise<void> {
  const dependent = { apiExportName: 'compute.example.com', group: 'compute.example.com', version: 'v1', kind: 'VM', resource: 'vms' };
  const apiExportRef = { path: 'root:providers:network', name: 'network.example.com' };
  const vpc = { apiExportRef, group: 'network.example.com', version: 'v1', resource: 'vpcs', fieldRef: { path: '.spec.vpc' } };
  const rule = await compute.create(
    RULES,
    {
      apiVersion: 'dependencies.opendefense.cloud/v1alpha1',
      kind: 'DependencyRule',
      metadata: { name: 'vms' },
      spec: { dependent, dependencies: [vpc] },
    },
    options(),
  );
  const ready = { type: 'Ready', status: 'True', reason: 'Installed', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' };
  await compute.replaceStatus(RULES, { ...rule, status: { conditions: [ready] } }, options());
}

/** The finalizers of the guard or the configuration; none where there is none. */
export const left = async (client: ClusterClient, type: typeof GUARDS) =>
  (await getIfExists(client, type, { name: GUARD_NAME }, options()))?.metadata.finalizers ?? [];
