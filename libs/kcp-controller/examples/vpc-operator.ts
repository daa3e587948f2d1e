// Needs KUBECONFIG: an admin of the workspace with the APIExport "network.example.com", which its server address names.
import { hostname } from 'node:os';
import { Connection, LeaderElector, runAll } from '@dep-ctrl/kcp-client';
import { loadKubeconfig } from '@dep-ctrl/kcp-client/kubeconfig';
import { createController, ExportStores, Leadership, mapped, nameOf } from '@dep-ctrl/kcp-controller';
import { isRecord, notParsed, parsed, recordAt, type KubeObject } from '@dep-ctrl/kcp-names';
const VPCS = { group: 'network.example.com', version: 'v1', resource: 'vpcs' };
const loaded = loadKubeconfig();
if (!loaded.ok) throw new Error(loaded.problem);
const connection = new Connection(loaded.value);
const workspace = connection.ownWorkspace();
const stores = new ExportStores({ connection, workspace, exportName: 'network.example.com' });
const vpcs = stores.store({ type: VPCS, parse: parseVpc, indexes: { cidr: ({ value }) => [value.cidr] } });
const identity = `${hostname()}-${process.pid}`;
const leadership = new Leadership({
  elector: new LeaderElector({ client: workspace, namespace: 'default', name: 'vpc-operator', identity }),
});
const controller = createController({
  name: 'vpcs',
  store: vpcs,
  leadership,
  watches: [mapped(vpcs, ({ value }) => vpcs.by('cidr', value.cidr).map(nameOf))], // of the same range
  reconcile: async ({ metadata: { name = '', resourceVersion }, value }, { client, signal }) => {
    if (!vpcs.isWhole()) return { kind: 'again', afterMs: 1_000 }; // some shard has not been read
    const sharedBy = vpcs.by('cidr', value.cidr).length;
    if (value.sharedBy === sharedBy) return;
    const body = { metadata: { resourceVersion }, status: { sharedBy } };
    await client.patch(VPCS, { name, subresource: 'status' }, { kind: 'merge', body }, { signal });
  },
});
const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => stop.abort());
await runAll([stores, leadership, controller], stop.signal);
await connection.close();

function parseVpc({ spec, status }: KubeObject) {
  if (!isRecord(spec) || typeof spec['cidr'] !== 'string') return notParsed('spec.cidr is no text');
  return parsed({ cidr: spec['cidr'], sharedBy: recordAt({ status }, 'status')['sharedBy'] });
}
