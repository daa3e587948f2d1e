import { deepEqual, equal } from 'node:assert/strict';
import { at, type Tree } from '../https/kube-body.js';
import { eventually } from '../stage/eventually.js';
import { WEBHOOK_CONFIGURATIONS } from '../stage/exports.js';
import { NETWORK, network } from './cloud-types.js';
import { isSettled } from './in-force.js';
import { RULES, rule, vmRule } from './rules.js';
import type { Scenario } from './scenario.js';
import { tenantOf, type Cloud, type World } from './world.js';

// The bound of the schema.
const TOO_MANY = 65;
const MANY = 64;
// Each target is looked up.
const WORKED_OFF_MS = 240_000;
const NOT_KEPT_WAITING_MS = 15_000;

/** S2, continued: rules that do harm, on purpose or by mistake. */
export const hostileRules: readonly Scenario[] = [
  {
    id: 'S2.11',
    title: "a rule about somebody else's type, under which every object would hold itself, holds nothing",
    slow: true,
    run: async (world) => {
      const cloud = await world.cloud();
      const stranger = await world.kcp.workspace();
      await world.bindDepCtrl(stranger);
      (await world.kcp.admin.post(stranger.at + RULES, selfBlocking(cloud, 'hostile'))).expect(201);
      // The provider itself may say so, too: an object never holds itself.
      (await world.kcp.admin.post(cloud.network.workspace.at + RULES, selfBlocking(cloud, 'own'))).expect(201);
      const tenant = tenantOf(await world.consumer(cloud), 'default');
      const { vpcs } = tenant;
      await world.create(vpcs, network('VPC', 'a'), network('VPC', 'b'));
      // Beside them one that is as it should be: once it holds something, kcp asks.
      await world.addRule(cloud, vmRule(cloud));
      await world.guarded(tenant);

      await world.allows(`${vpcs}/a`);
      (await world.kcp.admin.delete(`${vpcs}/b`)).expect(200);
    },
  },
  {
    id: 'S2.12',
    title: 'a rule with more than 64 targets is refused, one with 64 that do not exist is worked off and keeps no other rule waiting',
    slow: true,
    run: async (world) => {
      const cloud = await world.cloud();
      const rules = cloud.compute.workspace.at + RULES;
      (await world.kcp.admin.post(rules, withTargets(cloud, 'huge', TOO_MANY))).expect(422);
      (await world.kcp.admin.post(rules, withTargets(cloud, 'large', MANY))).expect(201);

      await world.addRule(cloud, vmRule(cloud));

      await eventually('no other rule waits', () => isSettled(world, cloud, 'vm-dependencies'), NOT_KEPT_WAITING_MS);
      await world.guarded(tenantOf(await world.consumer(cloud), 'default'));
      await eventually(
        'the large rule says that its targets do not exist',
        async () => {
          const { body } = (await world.kcp.admin.get(`${rules}/large`)).expect(200);
          const targets = (at(body, 'status', 'targets') ?? []) as readonly { readonly state: string }[];
          equal(targets.filter(({ state }) => state === 'Missing').length, MANY, JSON.stringify(body.status).slice(0, 500));
        },
        WORKED_OFF_MS,
      );
      (await world.kcp.admin.delete(`${rules}/large`)).expect(200);
      await world.refuses((await world.pair(await world.sharedTenant())).vpc);
    },
  },
  {
    id: 'S2.13',
    title: 'names that look like wildcards are refused, and no configuration ever says more than its rules',
    slow: true,
    run: async (world) => {
      const { cloud, tenant } = await world.guardedPair();
      const { spec } = vmRule(cloud);
      const [one] = at(spec, 'dependencies') as Tree[];
      const wild: readonly Tree[] = [
        { ...one, group: '*' },
        { ...one, resource: '*' },
        { ...one, resource: '*/*' },
        { ...one, resource: 'vpcs/*' },
        { ...one, version: '*' },
        { ...one, apiExportRef: { path: 'root:*', name: NETWORK } },
        { ...one, apiExportRef: { path: cloud.network.workspace.path, name: '*' } },
      ];
      for (const [n, dependency] of wild.entries()) {
        await isNotAccepted(world, cloud, {
          ...vmRule(cloud),
          metadata: { name: `wild-${n}` },
          spec: { ...(spec as Tree), dependencies: [dependency] },
        });
      }

      const { body } = (await world.kcp.admin.get(`${cloud.network.workspace.at}${WEBHOOK_CONFIGURATIONS}/dependency-controller`)).expect(
        200,
      );
      const rules = (at(body, 'webhooks') as Tree[]).flatMap((webhook) => at(webhook, 'rules') as Tree[]);
      for (const { apiGroups, resources, operations } of rules) {
        deepEqual([apiGroups, resources, operations], [[NETWORK], ['vpcs'], ['DELETE']]);
      }
      await world.create(tenant.zones, network('Zone', 'free'));
      (await world.kcp.admin.delete(`${tenant.zones}/free`)).expect(200);
    },
  },
  {
    id: 'S2.14',
    title: 'a target that an edit moves to another provider leaves nothing with the first and is guarded at the second',
    slow: true,
    run: async (world) => {
      const { cloud, vpc } = await world.guardedPair();
      const second = { ...(await world.cloud()), compute: cloud.compute };
      const { spec } = rule(second, 'vm-dependencies', 'VM', [{ resource: 'vpcs', path: '.spec.vpcRef.name' }]);

      (await world.kcp.admin.patch('merge', `${cloud.compute.workspace.at}${RULES}/vm-dependencies`, { spec })).expect(200);

      await eventually('nothing is left', async () => deepEqual(await world.configurations(cloud.network.workspace), []));
      await world.allows(vpc);
      await world.guarded(tenantOf(await world.consumer(second), 'default'));
    },
  },
];

function selfBlocking(cloud: Cloud, name: string): Tree {
  const own = { group: NETWORK, version: 'v1', resource: 'vpcs' };
  const apiExportRef = { path: cloud.network.workspace.path, name: NETWORK };
  return {
    ...vmRule(cloud),
    metadata: { name },
    spec: {
      dependent: { ...own, apiExportName: NETWORK, kind: 'VPC' },
      dependencies: [{ ...own, apiExportRef, fieldRef: { path: '.metadata.name' } }],
    },
  };
}

/** It is refused, or its status says that it never comes into force. */
async function isNotAccepted(world: World, cloud: Cloud, wild: Tree): Promise<void> {
  const answer = await world.kcp.admin.post(cloud.compute.workspace.at + RULES, wild);
  if (answer.status !== 201) {
    equal(answer.status, 422, answer.text);
    return;
  }
  const name = answer.body.metadata.name ?? '';
  await eventually(`${JSON.stringify(wild['spec'])} is told so`, async () => {
    const conditions = await world.ruleConditions(cloud, name);
    equal(conditions['Ready']?.status, 'False', JSON.stringify(conditions));
  });
  (await world.kcp.admin.delete(`${cloud.compute.workspace.at}${RULES}/${name}`)).expect(200);
}

/** The usual rule with so many targets that do not exist. */
function withTargets(cloud: Cloud, name: string, count: number): Tree {
  const { spec } = vmRule(cloud);
  const [one] = at(spec, 'dependencies') as Tree[];
  const dependencies = Array.from({ length: count }, (_, n) => ({ ...one, apiExportRef: { path: `root:none-${n}`, name: NETWORK } }));
  return { ...vmRule(cloud), metadata: { name }, spec: { ...(spec as Tree), dependencies } };
}
