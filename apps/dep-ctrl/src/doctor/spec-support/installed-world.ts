// A whole installation on the embedded kcp, as an operator makes it: bootstrapped, two providers bound, a rule in force, a webhook that answers. The
// controller has done its work and stopped, so that nothing that a spec breaks is mended behind its back; its Lease says that it leads.
import { join } from 'node:path';
import { systemClock } from '@dep-ctrl/kcp-client';
import type { GroupVersionResource, LogicalClusterName } from '@dep-ctrl/kcp-names';
import { RULES } from '@dep-ctrl/rule-registry';
import { HOME_NAMESPACE, LEASE_NAME } from '../../bootstrap/manifests.js';
import type { Authority } from '@dep-ctrl/admission-server';
import { bindCommand } from '../../commands/bind-command.js';
import { bootstrapCommand } from '../../commands/bootstrap-command.js';
import { controllerCommand, webhookCommand } from '../../commands/role-commands.js';
import type { Command } from '@dep-ctrl/command-settings';
import { DEV_PATHS } from '../../dev/dev-paths.js';
import { vmDependencies } from '../../dev/provider-manifests.js';
import { conditionsIn } from '../../own-objects/conditions.js';
import { ensureObject } from '@dep-ctrl/kcp-objects';
import { ensureWorkspace } from '@dep-ctrl/kcp-objects';
import { patiently } from '@dep-ctrl/kcp-objects';
import { until } from '@dep-ctrl/kcp-objects';
import { onEmbeddedKcp, shardKubeconfigs, type EmbeddedWorld } from '../../testing/embedded-world.js';
import { freePort } from '@dep-ctrl/admission-server/testing';
import { makeReferringMachine } from '../../testing/referring-machine.js';
import { runCli } from '../../testing/run-cli.js';
import { webhookFiles } from '../../testing/webhook-files.js';

/** How long a request of a spec may take. */
export const options = () => ({ signal: AbortSignal.timeout(30_000), clock: systemClock, timeoutMs: 30_000 });

/** The Leases of Kubernetes. */
export const LEASES: GroupVersionResource = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases' };

/** The installation. */
export interface InstalledWorld extends EmbeddedWorld {
  /** The logical cluster of the workspace of dep-ctrl. */
  readonly home: LogicalClusterName;
  readonly authority: Authority;
  readonly port: number;
  /** What to give doctor so that it looks at everything. */
  readonly flags: readonly string[];
}

const HEALTH = ['--health-probe-bind-address', '127.0.0.1:0', '--metrics-bind-address', '127.0.0.1:0', '--log-format', 'json'];

/** Gives `work` the installation. */
export function onInstalledWorld<T>(work: (world: InstalledWorld) => Promise<T>): Promise<T> {
  return onEmbeddedKcp(async (world) => {
    const { admin, adminKubeconfig, dir } = world;
    const { depCtrl, network, compute } = DEV_PATHS;
    const shards = (await shardKubeconfigs(world)).flatMap((file) => ['--shard-kubeconfig', file]);
    const flags = ['--kubeconfig', adminKubeconfig, '--kubeconfig-dir', dir, ...shards];
    await done(bootstrapCommand, flags);
    await makeReferringMachine(admin);
    await done(bindCommand, ['--kubeconfig', adminKubeconfig, ...shards, network, compute]);
    const port = await freePort();
    const tls = await webhookFiles(dir);
    const [toWebhook, toController] = [new AbortController(), new AbortController()];
    const role = (name: string) => ['--kubeconfig', join(dir, `${name}.kubeconfig`), '--url-token-file', tls.token, ...HEALTH];
    const webhook = runCli(webhookCommand, [...role('webhook'), '--webhook-port', String(port), '--tls-cert-dir', tls.dir], toWebhook);
    try {
      const address = ['--webhook-url', `https://127.0.0.1:${String(port)}`, '--webhook-ca-bundle-path', tls.ca];
      const controller = runCli(controllerCommand, [...role('controller'), ...address, '--leader-elect'], toController);
      await Promise.race([ruleInForce(world), controller.then(({ stderr }) => Promise.reject(new Error(stderr)))]);
      toController.abort();
      await controller;
      await leads(world, new Date().toISOString());
      const { cluster: home } = await ensureWorkspace(admin, depCtrl, options());
      return await work({ ...world, home, authority: tls.authority, port, flags });
    } finally {
      toController.abort();
      toWebhook.abort();
      await webhook;
    }
  });
}

/** What an operator does about most things. */
export function bootstrapAgain({ flags }: InstalledWorld): Promise<void> {
  return done(bootstrapCommand, flags);
}

/** The Lease of a controller that renewed it at that time, for an hour. */
export async function leads({ admin }: Pick<EmbeddedWorld, 'admin'>, renewTime: string): Promise<void> {
  const client = admin.cluster(DEV_PATHS.depCtrl);
  const lease = await client.get(LEASES, { name: LEASE_NAME, namespace: HOME_NAMESPACE }, options());
  const spec = { holderIdentity: 'a-controller', leaseDurationSeconds: 3_600, renewTime: renewTime.replace('Z', '000Z') };
  await client.replace(LEASES, { ...lease, spec: { ...(lease['spec'] as object), ...spec } }, options());
}

async function ruleInForce({ admin }: EmbeddedWorld): Promise<void> {
  const client = admin.cluster(DEV_PATHS.compute);
  await patiently('the rule', () => ensureObject(client, RULES, vmDependencies(DEV_PATHS.network), options()), options());
  await until(
    'the rule being in force',
    async (each) => {
      const ready = conditionsIn(await client.get(RULES, { name: 'vm-dependencies' }, each)).find(({ type }) => type === 'Ready');
      return ready?.status === 'True' ? { done: true } : { waitingFor: ready?.message ?? 'it has no status' };
    },
    options(),
  );
}

async function done(command: Command, argv: readonly string[]): Promise<void> {
  const { code, stderr } = await runCli(command, argv);
  if (code !== 0) throw new Error(`${command.name}: ${stderr}`);
}
