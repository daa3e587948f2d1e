// Keeps a webhook in each workspace that binds our export and holds Protections: whoever deletes what they name there is judged by the webhook.
// Where the last Protection goes, the webhook goes.
import { clusterOf, runAll, type Connection, type KubeObject, type Logger } from '@dep-ctrl/kcp-client';
import { createController, ExportStores, mapped, nameOf, type ObjectPlace } from '@dep-ctrl/kcp-controller';
import { parsed, recordAt, text } from '@dep-ctrl/kcp-names';
import { WEBHOOK_CONFIGURATIONS, WebhookInstaller, type DesiredWebhook } from '@dep-ctrl/webhook-installer';

const EXPORT = 'guards.example.com';
const PROTECTIONS = { group: EXPORT, version: 'v1', resource: 'protections' };
const EXPORTS = { group: 'apis.kcp.io', version: 'v1alpha2', resource: 'apiexports' };
const BINDINGS = { ...EXPORTS, resource: 'apibindings' };

/** Works until the signal aborts. The connection is to the workspace of the export; the webhook answers at `url`. */
export async function runOperator(connection: Connection, url: string, logger: Logger, signal: AbortSignal): Promise<void> {
  const workspace = connection.ownWorkspace();
  const owner = clusterOf(await workspace.get(EXPORTS, { name: EXPORT }, { signal }));
  if (!owner.ok) throw new Error(owner.problem);
  const installer = new WebhookInstaller({
    name: EXPORT,
    ownership: { label: `${EXPORT}/owner`, value: owner.value, adopt: () => false },
    boundExport: { cluster: owner.value, name: EXPORT },
  });
  const stores = new ExportStores({ connection, workspace, exportName: EXPORT, logger });
  const protections = stores.store({ type: PROTECTIONS, parse: (object) => parsed(webhookOf(object, url)) });
  // Their names are enough: what others change is put right, and what was left while nobody was here is removed.
  const configurations = stores.store({ type: WEBHOOK_CONFIGURATIONS, parse: () => parsed(undefined) });
  // The unit of work is the workspace: the one that holds this binding of our export.
  const bindings = stores.store({ type: BINDINGS, parse: () => parsed(undefined) });
  const ofItsWorkspace = ({ cluster }: ObjectPlace) => bindings.list(cluster).map(nameOf);
  const controller = createController({
    name: 'webhooks',
    store: bindings,
    logger,
    watches: [mapped(protections, ofItsWorkspace), mapped(configurations, ofItsWorkspace)],
    reconcile: async ({ cluster }, { client, signal: stop }) => {
      const webhooks = protections.list(cluster).map(({ value }) => value);
      const outcome = await installer.ensure(client, { labels: {}, webhooks }, { signal: stop });
      if (outcome.state !== 'unchanged') logger.info('webhook', { cluster, ...outcome });
      return 'retryable' in outcome && outcome.retryable ? { kind: 'retry' } : { kind: 'done' };
    },
  });
  await runAll([stores, controller], signal);
}

function webhookOf(protection: KubeObject, url: string): DesiredWebhook {
  const { group, resource } = recordAt(protection, 'spec');
  const [apiGroup, plural] = [text(group) ?? '', text(resource) ?? ''];
  return {
    name: `${plural}.${apiGroup}`,
    clientConfig: { url },
    rules: [{ operations: ['DELETE'], apiGroups: [apiGroup], apiVersions: ['*'], resources: [plural] }],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  };
}
