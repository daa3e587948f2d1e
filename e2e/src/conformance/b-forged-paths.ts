import { deepEqual, equal } from 'node:assert/strict';
import { eventually } from '../stage/eventually.js';
import { APIS, consumerOf, makeExport, served } from '../stage/exports.js';
import { NETWORK, ZONE } from '../stage/example-types.js';
import { viewOf } from '../stage/endpoints.js';
import { ACCESS, contentOf, grant, user } from '../stage/identities.js';
import { LOGICAL_CLUSTER, tenantOf } from '../stage/tenant.js';
import type { ConformanceCase } from './conformance-case.js';

/** B: what an exporter sees of a consumer that claims the path of another workspace. */
export const forgedPathsInViews: readonly ConformanceCase[] = [
  {
    id: 'B19.1',
    title: 'the virtual workspace shows bindings with the path that their workspace claims, and with its true cluster',
    run: async (kcp) => {
      const made = await makeExport(kcp, { types: [ZONE] });
      const claimed = await kcp.workspace();
      const own = await consumerOf(kcp, made, { types: [ZONE] });
      const tenant = await tenantOf(kcp, own);
      const name = kcp.unique('exporter');
      await grant(kcp.admin, made.workspace.at, name, [contentOf(made.name, ['*']), ACCESS], [user(name)]);
      const exporter = await kcp.shard(own.shard).user({ name });
      const bindings = (where: string): string => `${viewOf(made)}/clusters/${where}${APIS}/apibindings`;
      await eventually(
        'the exporter sees the binding',
        async () => void (await exporter.get(`${bindings(own.cluster)}/${NETWORK}`)).expect(200),
      );

      (await tenant.patch('merge', own.at + LOGICAL_CLUSTER, { metadata: { annotations: { 'kcp.io/path': claimed.path } } })).expect(200);
      await eventually('the binding claims it too', async () => {
        const change = { metadata: { labels: { touched: kcp.unique('t') } } };
        const { body } = (await tenant.patch('merge', `${own.at}${APIS}/apibindings/${NETWORK}`, change)).expect(200);
        equal(body.metadata.annotations?.['kcp.io/path'], claimed.path);
      });

      const expected = { 'kcp.io/cluster': own.cluster, 'kcp.io/path': claimed.path };
      await eventually('so the exporter is told', async () => {
        const listed = (await exporter.get(bindings('*'))).expect(200).body.items ?? [];
        deepEqual(
          listed.map(({ metadata }) => metadata.annotations),
          [expected],
        );
      });
      deepEqual((await exporter.get(`${bindings(own.cluster)}/${NETWORK}`)).expect(200).body.metadata.annotations, expected);
      equal((await exporter.get(bindings(claimed.cluster))).status, 403);
      await served(kcp, `${own.at}/apis/${NETWORK}/v1/zones`);
    },
  },
];
