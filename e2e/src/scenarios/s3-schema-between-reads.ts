import { deepEqual, match, ok } from 'node:assert/strict';
import { literal, type RequestMatch } from '../faults/fault.js';
import { at } from '../https/kube-body.js';
import { eventually } from '../stage/eventually.js';
import { version, type TypeToServe } from '../stage/example-types.js';
import { APIS } from '../stage/exports.js';
import { COMPUTE, COMPUTE_TYPES, NETWORK, NETWORK_TYPES, compute, network, refersTo } from './cloud-types.js';
import { repoint } from './repoint.js';
import { vmRule } from './rules.js';
import type { Scenario } from './scenario.js';
import { throughProxy } from './through-proxy.js';
import { tenantOf, type Cloud, type Tenant, type World } from './world.js';

/** S3, continued: what a decision has read is no longer true when it reads the next thing. */
export const schemaBetweenReads: readonly Scenario[] = [
  {
    id: 'S3.16',
    title:
      'a schema that changes between two reads of one decision lets nothing go, even where the column that was read shows another field now',
    slow: true,
    run: (world) =>
      throughProxy(world, {}, async (own, proxy) => {
        for (const { of, match: matchOf } of READS) {
          const { cloud, tenant } = await referredByColumn(own);
          const vpc = `${tenant.vpcs}/used`;
          await own.refuses(vpc);
          // A schema is read once in the life of a webhook.
          await own.product.webhook.kill();
          await own.product.webhook.start();
          const held = await proxy.breakWhere({ caller: 'webhook', ...matchOf(tenant) }, { kind: 'hold' });

          const deleted = own.kcp.admin.delete(`${vpc}?dryRun=All`);
          await eventually(`${of} is read`, async () => ok((await held.hits()) > 0));
          await moveColumn(own, cloud, tenant);
          await held.mend();

          const { status, text } = await deleted;
          ok(status >= 400, `changed before ${of}: the delete was allowed: ${text}`);
          match((await own.refuses(vpc)).body.message ?? '', /VM\/vm/);
          (await own.kcp.admin.delete(`${tenant.vms}/vm`)).expect(200);
          await own.allows(vpc);
        }
      }),
  },
];

/** The reads of a decision before which the schema changes: each follows one that told of the old schema. */
const READS: readonly { readonly of: string; readonly match: (tenant: Tenant) => RequestMatch }[] = [
  { of: 'the schema', match: () => ({ path: /\/apiresourceschemas\// }) },
  { of: 'the table', match: ({ vms }) => ({ path: new RegExp(`^${literal(vms)}$`), accept: /as=Table/ }) },
];

const named = { type: 'object', properties: { name: { type: 'string' } } };
const schema = { type: 'object', properties: { spec: { type: 'object', properties: { vpcRef: named, peer: named } } } };

// The same name and type: a reader that relies on them reads the wrong field.
const showing = (jsonPath: string): TypeToServe['versions'] => [
  version('v1', schema, { additionalPrinterColumns: [{ name: 'VPC', type: 'string', jsonPath }] }),
];

/** A consumer whose VM refers to a VPC in a field that a column shows, in providers of their own. */
async function referredByColumn(own: World): Promise<{ readonly cloud: Cloud; readonly tenant: Tenant }> {
  const [networkHome, computeHome] = [await own.kcp.workspace(), await own.kcp.workspace()];
  const types = COMPUTE_TYPES.map((type) => (type.plural === 'vms' ? { ...type, versions: showing('.spec.vpcRef.name') } : type));
  const cloud = {
    network: await own.provider({ name: NETWORK, group: NETWORK, types: NETWORK_TYPES, workspace: networkHome }),
    compute: await own.provider({ name: COMPUTE, group: COMPUTE, types, workspace: computeHome }),
  };
  await own.addRule(cloud, vmRule(cloud));
  const tenant = tenantOf(await own.consumer(cloud), 'default');
  await own.create(tenant.vpcs, network('VPC', 'used'));
  await own.create(tenant.vms, compute('VM', 'vm', refersTo('used')));
  return { cloud, tenant };
}

/** Makes the column show another field, and waits until the consumer is served that. */
async function moveColumn(own: World, cloud: Cloud, { workspace, vms }: Tenant): Promise<void> {
  await repoint(own, cloud, showing('.spec.peer.name'));
  await eventually('the binding names the new schema', async () => {
    const { body } = (await own.kcp.admin.get(`${workspace.at}${APIS}/apibindings/${cloud.compute.name}`)).expect(200);
    match(JSON.stringify(at(body, 'status', 'boundResources')), /"v2\.vms\./);
  });
  await eventually('the column shows the other field', async () => {
    const { body } = (await own.kcp.admin.get(vms, { headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' } })).expect(200);
    deepEqual(at(body, 'rows', 0, 'cells'), ['vm', null]);
  });
}
