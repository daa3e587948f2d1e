// What a controller writes into a provider's workspace, where a spec runs no controller.
import type { Connection, Stoppable } from '@dep-ctrl/kcp-client';
import { clusterOf, type GroupResource, type WorkspacePath } from '@dep-ctrl/kcp-names';
import { LOGICAL_CLUSTERS } from '@dep-ctrl/kcp-objects';
import { GUARD_NAME } from '@dep-ctrl/rule-registry';
import { WEBHOOK_CONFIGURATIONS } from '@dep-ctrl/webhook-installer';
import { desiredWebhooks } from '../../controller/configuration/desired-webhooks.js';

/** Writes a configuration that guards the type. Nobody answers at its URL. */
export async function installConfiguration(
  admin: Connection,
  provider: WorkspacePath,
  { group, resource }: GroupResource,
  options: Stoppable,
): Promise<void> {
  const client = admin.cluster(provider);
  const cluster = clusterOf(await client.get(LOGICAL_CLUSTERS, { name: 'cluster' }, options));
  if (!cluster.ok) throw new Error(cluster.problem);
  const address = { guardedCluster: cluster.value, webhookUrl: 'https://127.0.0.1:1/validate' };
  const { webhooks } = desiredWebhooks([{ group, resource, enforcement: 'Deny' }], address);
  const metadata = { name: GUARD_NAME };
  const configuration = { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingWebhookConfiguration', metadata, webhooks };
  await client.create(WEBHOOK_CONFIGURATIONS, configuration, options);
}
