import { deepEqual, match, ok } from 'node:assert/strict';
import { eventually, patience } from '../stage/eventually.js';
import { version } from '../stage/example-types.js';
import { NETWORK, NETWORK_TYPES } from './cloud-types.js';
import { vmRule } from './rules.js';
import { repoint } from './repoint.js';
import type { Scenario } from './scenario.js';
import { tenantOf } from './world.js';

const anything = { type: 'object', properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } } };
const referring = {
  type: 'object',
  properties: { spec: { type: 'object', properties: { vpcRef: { type: 'object', properties: { name: { type: 'string' } } } } } },
};

/** S3, continued: exports come later than their rules, and change under them. */
export const changingExports: readonly Scenario[] = [
  {
    id: 'S3.12',
    title: 'a provider that has bound dep-ctrl before it exports anything is told so, and guarded once it exports',
    slow: true,
    run: async (world) => {
      const home = await world.kcp.workspace();
      await world.bindDepCtrl(home);
      const { compute } = await world.cloud();
      const planned = { compute, network: { ...compute, workspace: home, name: NETWORK } };
      await world.addRule(planned, vmRule(planned));
      await eventually('it says so', async () => {
        const conditions = await world.ruleConditions(planned);
        ok(conditions['TargetsResolved']?.status !== 'True', JSON.stringify(conditions));
      });

      const made = await world.provider({ name: NETWORK, group: NETWORK, types: NETWORK_TYPES, workspace: home }, { bound: false });

      await world.guarded(tenantOf(await world.consumer({ compute, network: made }), 'default'));
    },
  },
  {
    id: 'S3.13',
    title: 'a version that is no longer served is read in another one that has the field',
    slow: true,
    run: async (world) => {
      const { cloud, vpc, vm } = await world.guardedPair();

      await repoint(world, cloud, [version('v1', referring, { served: false }), version('v2', referring, { storage: false })]);

      await world.refuses(vpc);
      await eventually('the VM can be deleted in its new version', async () => {
        (await world.kcp.admin.delete(vm.replace('/v1/', '/v2/'))).expect(200);
      });
      await world.allows(vpc);
    },
  },
  {
    id: 'S3.14',
    title: 'a version that is no longer served, and no other that is known to have the field: refused, and it says who can mend that',
    slow: true,
    run: async (world) => {
      const { cloud, vpc } = await world.guardedPair();
      const other = { type: 'object', properties: { spec: { type: 'object', properties: { net: { type: 'string' } } } } };

      await repoint(world, cloud, [version('v1', anything, { served: false }), version('v2', other, { storage: false })]);

      // Until the consumer's binding follows, the old version is read.
      await eventually('it says who can mend that', async () => {
        const refused = (await world.kcp.admin.delete(`${vpc}?dryRun=All`)).expect(403);
        match(refused.body.message ?? '', /no longer served in version v1; the author of rule "vm-dependencies" can name a version/);
      });
    },
  },
  {
    id: 'S3.15',
    title: 'rules that go with their workspace hold nothing any more',
    slow: true,
    run: async (world) => {
      const { cloud, vpc } = await world.guardedPair();
      const name = cloud.compute.workspace.path.split(':')[1] ?? '';

      (await world.kcp.admin.delete(`/clusters/root/apis/tenancy.kcp.io/v1alpha1/workspaces/${name}`)).expect(200);

      await eventually('nothing is left', async () => deepEqual(await world.configurations(cloud.network.workspace), []), 4 * patience.ms);
      await world.allows(vpc);
    },
  },
];
