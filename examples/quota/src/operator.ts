// Says in each Quota how many Widgets its workspace has, in all workspaces that bind our export, on all shards.
import { LeaderElector, runAll, type Connection, type Logger } from '@dep-ctrl/kcp-client';
import { conditionsOf, createController, ExportStores, Leadership, mapped, nameOf, withCondition } from '@dep-ctrl/kcp-controller';
import { notParsed, parsed, recordAt, type KubeObject } from '@dep-ctrl/kcp-names';

const EXPORT = 'widgets.example.com';
const WIDGETS = { group: EXPORT, version: 'v1', resource: 'widgets' };
const QUOTAS = { group: EXPORT, version: 'v1', resource: 'quotas' };

/** Works until the signal aborts. The connection is to the workspace of the export; replicas share a Lease there. */
export async function runOperator(connection: Connection, identity: string, logger: Logger, signal: AbortSignal): Promise<void> {
  const workspace = connection.ownWorkspace();
  const elector = new LeaderElector({ client: workspace, namespace: 'default', name: 'quotas', identity });
  const leadership = new Leadership({ elector });
  const stores = new ExportStores({ connection, workspace, exportName: EXPORT, logger });
  const widgets = stores.store({ type: WIDGETS, parse: () => parsed(undefined) }); // counted, so no more than their names are kept
  const quotas = stores.store({ type: QUOTAS, parse: parseQuota });
  const controller = createController({
    name: 'quotas',
    store: quotas,
    leadership,
    logger,
    watches: [mapped(widgets, ({ cluster }) => quotas.list(cluster).map(nameOf))],
    reconcile: async ({ cluster, metadata, value: { limit, status } }, { client, signal: stop }) => {
      const known = conditionsOf(status);
      const used = widgets.list(cluster).length;
      const isWithin = used <= limit;
      const said = { type: 'WithinLimit', status: isWithin ? 'True' : 'False', reason: isWithin ? 'Within' : 'Exceeded' } as const;
      const message = `${String(used)} of ${String(limit)} Widgets`;
      const conditions = withCondition(known, { ...said, message }, new Date().toISOString());
      if (status['used'] === used && conditions === known) return;
      const { name = '', resourceVersion } = metadata;
      const body = { metadata: { resourceVersion }, status: { used, conditions } };
      await client.patch(QUOTAS, { name, subresource: 'status' }, { kind: 'merge', body }, { signal: stop });
    },
  });
  await runAll([stores, leadership, controller], signal);
}

function parseQuota(object: KubeObject) {
  const limit = recordAt(object, 'spec')['limit'];
  return typeof limit === 'number' ? parsed({ limit, status: recordAt(object, 'status') }) : notParsed('spec.limit is no number');
}
