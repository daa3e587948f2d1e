// Keeps a webhook in each workspace that binds our export and holds Protections: whoever deletes what they name there is judged by the webhook.
// Where the last Protection goes, the webhook goes.
import {
  EndpointObjects,
  ExportEndpoints,
  KeyedQueue,
  runAll,
  type Connection,
  type Logger,
  type QueueOutcome,
  type Seen,
} from '@dep-ctrl/kcp-client';
import { parseLogicalClusterName, type LogicalClusterName } from '@dep-ctrl/kcp-names';
import { WEBHOOK_CONFIGURATIONS, WebhookInstaller, type DesiredWebhook } from '@dep-ctrl/webhook-installer';

const EXPORT = 'guards.example.com';
const PROTECTIONS = { group: EXPORT, version: 'v1', resource: 'protections' };
const EXPORTS = { group: 'apis.kcp.io', version: 'v1alpha2', resource: 'apiexports' };

/** Works until the signal aborts. The connection is to the workspace of the export; the webhook answers at `url`. */
export async function runOperator(connection: Connection, url: string, logger: Logger, signal: AbortSignal): Promise<void> {
  const workspace = connection.ownWorkspace();
  const { metadata } = await workspace.get(EXPORTS, { name: EXPORT }, { signal });
  const owner = parseLogicalClusterName(metadata.annotations?.['kcp.io/cluster'] ?? '');
  if (!owner.ok) throw new Error(owner.problem);
  const installer = new WebhookInstaller({
    name: EXPORT,
    ownership: { label: `${EXPORT}/owner`, value: owner.value, adopt: () => false },
    boundExport: { cluster: owner.value, name: EXPORT },
  });
  const objects = new EndpointObjects<string>();
  const endpointOf = new Map<LogicalClusterName, Seen['endpoint']>();

  const run = async (cluster: LogicalClusterName, stop: AbortSignal): Promise<QueueOutcome> => {
    const endpoint = endpointOf.get(cluster);
    // Before the Protections are listed, that there are none means nothing.
    if (endpoint === undefined || !objects.hasListed(endpoint, PROTECTIONS.resource)) return { kind: 'retry' };
    const webhooks = objects.inCluster(PROTECTIONS.resource, cluster).map(({ object }) => webhookOf(object['spec'], url));
    const client = connection.virtualWorkspace(endpoint).cluster(cluster);
    const outcome = await installer.ensure(client, { labels: {}, webhooks }, { signal: stop });
    logger.info('webhook', { cluster, ...outcome });
    return 'retryable' in outcome && outcome.retryable ? { kind: 'retry' } : { kind: 'done' };
  };
  const queue = new KeyedQueue<LogicalClusterName>({ run, concurrency: 10 });
  const endpoints = new ExportEndpoints({
    connection,
    workspace,
    exportName: EXPORT,
    // The configurations too: what others change is put right, and what was left while nobody was here is removed.
    types: [PROTECTIONS, WEBHOOK_CONFIGURATIONS],
    onEvent: (event) => {
      if (event.kind !== 'observed') return;
      for (const { cluster } of objects.apply(event.endpoint, event.type.resource, event.event)) {
        endpointOf.set(cluster, event.endpoint);
        queue.add(cluster);
      }
    },
  });
  await runAll([endpoints, queue], signal);
}

function webhookOf(spec: unknown, url: string): DesiredWebhook {
  const { group = '', resource = '' } = (spec ?? {}) as { readonly group?: string; readonly resource?: string };
  return {
    name: `${resource}.${group}`,
    clientConfig: { url },
    rules: [{ operations: ['DELETE'], apiGroups: [group], apiVersions: ['*'], resources: [resource] }],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  };
}
