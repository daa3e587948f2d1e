import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { at } from '../https/kube-body.js';
import { compute, network, refersTo } from './cloud-types.js';
import { rule, vmRule } from './rules.js';
import type { Scenario } from './scenario.js';
import { tenantOf } from './world.js';
import { SKIP_ANNOTATION } from './skip-protection.js';

/** S1: what counts as a reference, and what a refused user reads. */
export const references: readonly Scenario[] = [
  {
    id: 'S1.1',
    title: 'a VPC is kept while a VM refers to it and goes once the VM is gone',
    run: async (world) => {
      const { vpcs, vms } = await world.sharedTenant();
      await world.create(vpcs, network('VPC', 'my-vpc'));
      await world.create(vms, compute('VM', 'my-vm', refersTo('my-vpc')));

      const refused = await world.kcp.admin.delete(`${vpcs}/my-vpc`);

      equal(refused.status, 403);
      equal(refused.body.reason, 'Forbidden');
      match(refused.body.message ?? '', /cannot delete vpcs\/my-vpc: still referenced by VM\/my-vm/);
      deepEqual(refused.body.details?.causes?.length, 1);
      (await world.kcp.admin.get(`${vpcs}/my-vpc`)).expect(200);
      (await world.kcp.admin.delete(`${vms}/my-vm`)).expect(200);
      (await world.kcp.admin.delete(`${vpcs}/my-vpc`)).expect(200);
    },
  },
  {
    id: 'S1.2',
    title: 'all that refer are named, in order',
    run: async (world) => {
      const { vpcs, vms } = await world.sharedTenant();
      await world.create(vpcs, network('VPC', 'a'));
      await world.create(vms, ...['two', 'one'].map((name) => compute('VM', name, refersTo('a'))));

      const refused = (await world.kcp.admin.delete(`${vpcs}/a`)).expect(403);

      match(refused.body.message ?? '', /still referenced by VM\/one, VM\/two/);
    },
  },
  {
    id: 'S1.3',
    title: 'a VPC that nobody refers to goes, also in the neighbouring namespace and workspace of one that is kept',
    run: async (world) => {
      const tenant = await world.sharedTenant();
      const neighbour = await world.tenant(tenant.workspace);
      const stranger = tenantOf(await world.consumer(await world.sharedCloud()), 'default');
      await world.create(tenant.vms, compute('VM', 'vm', refersTo('a')));
      for (const { vpcs } of [tenant, neighbour, stranger]) await world.create(vpcs, network('VPC', 'a'), network('VPC', 'free'));

      equal((await world.kcp.admin.delete(`${tenant.vpcs}/a`)).status, 403);
      for (const object of [`${tenant.vpcs}/free`, `${neighbour.vpcs}/a`, `${stranger.vpcs}/a`]) {
        (await world.kcp.admin.delete(object)).expect(200);
      }
    },
  },
  {
    id: 'S1.4',
    title: 'consumers on both shards are guarded',
    needs: ['two-shards'],
    run: async (world) => {
      const cloud = await world.sharedCloud();
      for (const shard of [0, 1]) await world.guarded(tenantOf(await world.consumer(cloud, { shard }), 'default'));
    },
  },
  {
    id: 'S1.5',
    title: 'providers on different shards guard each other',
    needs: ['two-shards'],
    run: async (world) => {
      const [one, two] = [await world.cloud({ shard: 0 }), await world.cloud({ shard: 1 })];
      const mixed = { network: one.network, compute: two.compute };
      await world.addRule(mixed, vmRule(mixed));

      for (const shard of [0, 1]) await world.guarded(tenantOf(await world.consumer(mixed, { shard }), 'default'));
    },
  },
  {
    id: 'S1.6',
    title: 'namespaced and cluster-scoped on either side, arrays, and references into other namespaces',
    slow: true,
    run: async (world) => {
      const cloud = await world.cloud();
      await world.addRule(
        cloud,
        rule(cloud, 'vms', 'VM', [
          { resource: 'vpcs', path: '.spec.vpcRefs[*].name', namespacePath: '.spec.vpcRefs[*].namespace' },
          { resource: 'zones', path: '.spec.zoneRef.name' },
        ]),
      );
      await world.addRule(
        cloud,
        rule(cloud, 'hosts', 'Host', [
          { resource: 'vpcs', path: '.spec.vpcRef.name', namespacePath: '.spec.vpcRef.namespace' },
          { resource: 'zones', path: '.spec.zoneRef.name' },
        ]),
      );
      const workspace = await world.consumer(cloud);
      const [here, there] = [await world.tenant(workspace), await world.tenant(workspace)];
      for (const { vpcs } of [here, there]) await world.create(vpcs, ...['first', 'second', 'host'].map((name) => network('VPC', name)));
      await world.create(here.zones, network('Zone', 'of-vm'), network('Zone', 'of-host'), network('Zone', 'free'));
      const vpcRefs = [{ name: 'first' }, { name: 'second', namespace: there.namespace }];
      await world.create(here.vms, compute('VM', 'vm', { vpcRefs, zoneRef: { name: 'of-vm' } }));
      await world.create(
        here.hosts,
        compute('Host', 'host', { vpcRef: { name: 'host', namespace: there.namespace }, zoneRef: { name: 'of-host' } }),
      );

      const kept = [`${here.vpcs}/first`, `${there.vpcs}/second`, `${there.vpcs}/host`, `${here.zones}/of-vm`, `${here.zones}/of-host`];
      for (const object of kept) await world.refuses(object);
      const free = [`${there.vpcs}/first`, `${here.vpcs}/second`, `${here.vpcs}/host`, `${here.zones}/free`];
      for (const object of free) (await world.kcp.admin.delete(object)).expect(200);
    },
  },
  {
    id: 'S1.7',
    title: 'a collection delete stops at what is referred to, and passes over what refers to nothing',
    run: async (world) => {
      const { vpcs, vms } = await world.sharedTenant();
      await world.create(vpcs, ...['a-free', 'b-used', 'c-free'].map((name) => network('VPC', name)));
      await world.create(vms, compute('VM', 'vm', refersTo('b-used')), compute('VM', 'without', {}));

      const refused = await world.kcp.admin.delete(vpcs);

      equal(refused.status, 403);
      match(refused.body.message ?? '', /cannot delete vpcs\/b-used: still referenced by VM\/vm/);
      deepEqual(
        (await world.kcp.admin.get(vpcs)).body.items?.map(({ metadata }) => metadata.name),
        ['b-used', 'c-free'],
      );
      (await world.kcp.admin.delete(vms)).expect(200);
      (await world.kcp.admin.delete(vpcs)).expect(200);
    },
  },
  {
    id: 'S1.8',
    title:
      'the provider is refused like everybody else when it deletes through its virtual workspace, and is told no name of what belongs to others',
    run: async (world) => {
      const cloud = await world.sharedCloud();
      const { vpcs, vms, workspace } = await world.sharedTenant();
      await world.create(vpcs, network('VPC', 'a'));
      await world.create(vms, compute('VM', 'of-the-consumer', refersTo('a')));
      const view = `/services/apiexport/${cloud.network.workspace.cluster}/${cloud.network.name}`;
      const object = view + vpcs + '/a';

      const refused = await world.kcp.shard(workspace.shard).admin.delete(object);

      equal(refused.status, 403);
      ok(!refused.text.includes('of-the-consumer'), `a name is told: ${refused.text}`);
      match(refused.body.message ?? '', /cannot delete vpcs\/a: still referenced by VM \(1\)/);
      (await world.kcp.admin.delete(`${vms}/of-the-consumer`)).expect(200);
      (await world.kcp.shard(workspace.shard).admin.delete(object)).expect(200);
    },
  },
  {
    id: 'S1.9',
    title: 'a dry run is answered like the real delete, before and after',
    run: async (world) => {
      const { vpcs, vms } = await world.sharedTenant();
      await world.create(vpcs, network('VPC', 'a'));
      await world.create(vms, compute('VM', 'vm', refersTo('a')));

      const dry = await world.kcp.admin.delete(`${vpcs}/a?dryRun=All`);
      const real = await world.kcp.admin.delete(`${vpcs}/a`);

      equal(dry.text, real.text);
      equal(dry.status, 403);
      (await world.kcp.admin.delete(`${vms}/vm`)).expect(200);
      (await world.kcp.admin.delete(`${vpcs}/a?dryRun=All`)).expect(200);
      (await world.kcp.admin.get(`${vpcs}/a`)).expect(200);
    },
  },
  {
    id: 'S1.10',
    title: 'an annotated VPC goes although it is referred to, with a warning; any other value of the annotation changes nothing',
    run: async (world) => {
      const { vpcs, vms } = await world.sharedTenant();
      const annotations = (value: string): object => ({
        metadata: { annotations: { [SKIP_ANNOTATION]: value } },
      });
      await world.create(vpcs, network('VPC', 'a'));
      await world.create(vms, compute('VM', 'vm', refersTo('a')));

      for (const other of ['false', 'True', '1', '']) {
        (await world.kcp.admin.patch('merge', `${vpcs}/a`, annotations(other))).expect(200);
        equal((await world.kcp.admin.delete(`${vpcs}/a`)).status, 403, `with "${other}"`);
      }
      (await world.kcp.admin.patch('merge', `${vpcs}/a`, annotations('true'))).expect(200);
      const gone = (await world.kcp.admin.delete(`${vpcs}/a`)).expect(200);

      match(gone.header('warning'), /skip-protection|protection/);
      equal(at(gone.body, 'status'), 'Success');
    },
  },
  {
    id: 'S1.11',
    title: 'a VPC that is going already is never held, and a VM that is going still holds its VPC',
    run: async (world) => {
      const { vpcs, vms } = await world.sharedTenant();
      await world.create(vpcs, network('VPC', 'a', { finalizers: ['example.com/wait'] }), network('VPC', 'b'));
      (await world.kcp.admin.delete(`${vpcs}/a`)).expect(200);
      await world.create(
        vms,
        compute('VM', 'of-a', refersTo('a')),
        compute('VM', 'of-b', refersTo('b'), { finalizers: ['example.com/wait'] }),
      );
      (await world.kcp.admin.delete(`${vms}/of-b`)).expect(200);

      (await world.kcp.admin.delete(`${vpcs}/a`)).expect(200);
      equal((await world.kcp.admin.delete(`${vpcs}/b`)).status, 403);
    },
  },
  {
    id: 'S1.15',
    title: 'under whileTerminating: Ignore a VM holds its VPC until it is deleted, and not while a finalizer keeps it',
    run: async (world) => {
      const cloud = await world.cloud();
      await world.addRule(cloud, vmRule(cloud, { whileTerminating: 'Ignore' }));
      const { vpcs, vms } = tenantOf(await world.consumer(cloud), 'default');
      await world.create(vpcs, network('VPC', 'a'));
      await world.create(vms, compute('VM', 'slow', refersTo('a'), { finalizers: ['example.com/wait'] }));
      await world.refuses(`${vpcs}/a`);

      (await world.kcp.admin.delete(`${vms}/slow`)).expect(200);

      (await world.kcp.admin.delete(`${vpcs}/a`)).expect(200);
      equal(typeof (await world.kcp.admin.get(`${vms}/slow`)).expect(200).body.metadata.deletionTimestamp, 'string');
      (await world.kcp.admin.patch('merge', `${vms}/slow`, { metadata: { finalizers: null } })).expect(200);
    },
  },
];
