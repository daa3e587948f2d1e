import { deepEqual, equal, ok } from 'node:assert/strict';
import { at, type Tree } from '../https/kube-body.js';
import { always, eventually } from '../stage/eventually.js';
import { bind, served, type Export } from '../stage/exports.js';
import { release as releaseEntry, typeIn } from '../stage/lifecycle-workspaces.js';
import { compute, network, NETWORK, NETWORK_TYPES, refersTo } from './cloud-types.js';
import {
  cloudWithRule,
  controllerWaits,
  counted,
  deleteWorkspace,
  dyingTenant,
  ended,
  guardedTenant,
  HELD,
  heldNamespace,
  isGoing,
  letGo,
  orderedType,
  release,
  SINCE,
  terminatorsOf,
  withOrderedType,
  workspaceGone,
} from './ordered-type.js';
import { RULES, rule } from './rules.js';
import { ruleAbout, STORAGE, STORAGE_TYPES, target, type NamedType } from './s9-neighbours.js';
import type { Scenario } from './scenario.js';
import { watchGoing } from './seen-to-go.js';
import type { Cloud, World } from './world.js';

const WHILE_MS = 2_500;

/** S13, continued: others who have a say in dying workspaces. */
export const teardownNeighbours: readonly Scenario[] = [
  {
    id: 'S13.14',
    title: 'in a workspace of a type that extends ours and has a terminator of its own, our entry goes and the other one stays',
    since: SINCE,
    slow: true,
    run: (world) =>
      withOrderedType(world, {}, async (own) => {
        const home = await own.kcp.workspace({ shard: 0 });
        const spec = { terminator: true, extend: { with: [orderedType(own)] } };
        const platform = await typeIn(own.kcp, home, 'platform', spec, 'terminator');
        const cloud = await cloudWithRule(own);
        const tenant = await dyingTenant(own, cloud, { shard: 0, type: { name: platform.name, path: home.path } });
        const { workspace } = tenant;
        equal((await terminatorsOf(own, workspace)).length, 2);

        await release(own, tenant);

        const others = async (): Promise<void> => deepEqual(await terminatorsOf(own, workspace), [platform.entry]);
        await eventually('our entry goes', others);
        equal(await ended(own, 'empty'), 1);
        equal((await own.kcp.admin.get(`${tenant.vpcs}/net`)).status, 404, 'the VPC is still there');
        await always('the other one stays', others, WHILE_MS);
        await releaseEntry(own.kcp, 'terminator', platform, workspace.cluster);
        await workspaceGone(own, workspace);
      }),
  },
  {
    id: 'S13.15',
    title:
      'rules of a provider that a workspace has not bound order nothing there; one that it has bound holds it with no circle, and no object of others is annotated',
    since: SINCE,
    slow: true,
    run: (world) =>
      withOrderedType(world, {}, async (own) => {
        const cloud = await cloudWithRule(own);
        const stranger = await strangerWithRules(own, cloud);

        await heldZoneOrdersNothing(own, cloud);
        await circleOfStranger(own, cloud, stranger);

        equal(await ended(own, 'empty'), 2);
      }),
  },
  {
    id: 'S13.16',
    title:
      "owners that wait for what they own are waited for, kcp's garbage collector does its part, and nothing that is referred to may go meanwhile",
    since: SINCE,
    slow: true,
    run: (world) =>
      withOrderedType(world, {}, async (own) => {
        const cloud = await cloudWithRule(own);
        await own.addRule(cloud, rule(cloud, 'host-dependencies', 'Host', [{ resource: 'zones', path: '.spec.zoneRef.name' }]));
        const { workspace, vpcs, vms, hosts, zones } = await guardedTenant(own, cloud);
        // A Host owns the Zone that it refers to; a VM is owned by the VPC that it refers to.
        const ownedBy = await owned(own, hosts, compute('Host', 'owner', { zoneRef: { name: 'owned' } }));
        await own.create(zones, network('Zone', 'owned', { ...ownedBy, ...HELD }));
        const ofNet = await owned(own, vpcs, network('VPC', 'net'));
        await own.create(vms, compute('VM', 'slow', refersTo('net'), { ...ofNet, ...HELD }));
        await own.refuses(`${zones}/owned`);
        const going = await watchGoing(own, vpcs, vms);

        (await own.kcp.admin.delete(`${hosts}/owner`, { propagationPolicy: 'Foreground' })).expect(200);
        await deleteWorkspace(own, workspace);

        await isGoing(own, `${zones}/owned`);
        await isGoing(own, `${vms}/slow`);
        await controllerWaits(own);
        await own.refuses(`${vpcs}/net`);
        await release(own, `${zones}/owned`);
        await release(own, `${vms}/slow`);
        await workspaceGone(own, workspace);
        deepEqual(await going.names(2), ['slow', 'net']);
        equal(await counted(own, 'webhook', 'dep_ctrl_reviews_total', 'because="bypassed"'), 0, 'objects were annotated');
        equal(await ended(own, 'empty'), 1);
        going.close();
      }),
  },
];

/** Creates an object; answers with metadata of one that it owns. */
async function owned(
  own: World,
  collection: string,
  object: Parameters<World['create']>[1],
): Promise<{ readonly ownerReferences: readonly object[] }> {
  const { apiVersion, kind, metadata } = (await own.kcp.admin.post(collection, object)).expect(201).body;
  return { ownerReferences: [{ apiVersion, kind, name: metadata.name, uid: metadata.uid, blockOwnerDeletion: true }] };
}

/** A provider of types of its own, and of types with the names of the network provider's, with rules about everything that it does not own. */
async function strangerWithRules(own: World, cloud: Cloud): Promise<Export> {
  const workspace = await own.kcp.workspace();
  const storage = await own.provider({ name: STORAGE, group: STORAGE, types: STORAGE_TYPES, workspace }, { bound: false });
  await own.provider({ name: NETWORK, group: NETWORK, types: NETWORK_TYPES, workspace });
  const disks: NamedType = { path: workspace.path, exportName: STORAGE, group: STORAGE, resource: 'disks', kind: 'Disk' };
  const typeOf = ({ name, workspace: { path } }: Export, resource: string): Omit<NamedType, 'kind'> => ({
    path,
    exportName: name,
    group: name,
    resource,
  });
  const rules = [
    ruleAbout('zones-first', { exportName: NETWORK, group: NETWORK, resource: 'zones', kind: 'Zone' }, [
      target(typeOf(cloud.compute, 'hosts')),
    ]),
    ruleAbout('disks', disks, [
      target(disks, '.spec.peer'),
      target(typeOf(cloud.network, 'vpcs'), '.spec.vpc'),
      target(typeOf(cloud.compute, 'vms'), '.spec.vm'),
    ]),
  ];
  for (const each of rules) {
    await eventually('the rule is admitted', async () => void (await own.kcp.admin.post(workspace.at + RULES, each)).expect(201));
  }
  await eventually('the controller has seen them', async () => {
    for (const { metadata, status } of (await own.kcp.admin.get(workspace.at + RULES)).expect(200).body.items ?? []) {
      equal(at(status, 'observedGeneration'), metadata.generation);
    }
  });
  return storage;
}

/** Where the stranger's exports are not bound: a Zone that does not go does not hold the Host that, by the rule, it refers to. */
async function heldZoneOrdersNothing(own: World, cloud: Cloud): Promise<void> {
  const { workspace, zones, hosts } = await guardedTenant(own, cloud);
  await own.create(zones, network('Zone', 'slow', HELD));
  await own.create(hosts, compute('Host', 'h', {}));
  const namespace = await heldNamespace(own, workspace);

  await deleteWorkspace(own, workspace);

  await letGo(own, workspace);
  (await own.kcp.admin.get(`${hosts}/h`)).expect(200);
  await release(own, `${zones}/slow`);
  await release(own, namespace);
  await workspaceGone(own, workspace);
}

/** Where they are bound: two disks that refer to each other, and to what is not the stranger's. */
async function circleOfStranger(own: World, cloud: Cloud, stranger: Export): Promise<void> {
  const tenant = await guardedTenant(own, cloud);
  const { workspace, vpcs, vms } = tenant;
  await bind(own.kcp, workspace, stranger);
  const disks = `${workspace.at}/apis/${STORAGE}/v1/namespaces/default/disks`;
  await served(own.kcp, disks);
  await own.create(vpcs, network('VPC', 'net'));
  await own.create(vms, compute('VM', 'a', refersTo('net')));
  const disk = (name: string, spec: object): Tree => ({ apiVersion: `${STORAGE}/v1`, kind: 'Disk', metadata: { name }, spec });
  await own.create(disks, disk('d', { peer: 'e', vpc: 'net' }), disk('e', { peer: 'd', vm: 'a' }));
  for (const object of [`${disks}/d`, `${disks}/e`, `${vms}/a`]) await own.refuses(object);
  const going = await watchGoing(own, vpcs, vms, disks);

  await deleteWorkspace(own, workspace);
  await workspaceGone(own, workspace);

  deepEqual((await going.names(4)).slice(2), ['a', 'net']);
  // kcp may have deleted one of them before it was its turn.
  const annotated = going.annotated();
  ok(annotated.length > 0, 'no disk was annotated');
  deepEqual(
    annotated.filter((name) => name !== 'd' && name !== 'e'),
    [],
    'objects of others were annotated',
  );
  going.close();
}
