import { deepEqual, equal, match } from 'node:assert/strict';
import { at } from '../https/kube-body.js';
import { NETWORK, vpc, zone } from '../stage/example-types.js';
import { APIS, consumer, paths } from '../stage/exports.js';
import { tenantOf } from '../stage/tenant.js';
import type { ConformanceCase } from './conformance-case.js';

/** C: the statuses that a workspace's admin may write there. */
export const statuses: readonly ConformanceCase[] = [
  {
    id: 'C21.1',
    title: 'a workspace admin writes any status of objects of a bound type, by PUT, by patch and by apply',
    run: async (kcp) => {
      const own = await consumer(kcp);
      const tenant = await tenantOf(kcp, own);
      const object = `${paths(own).vpcs}/a`;
      (await tenant.post(paths(own).vpcs, vpc('a'))).expect(201);
      const said = async (): Promise<unknown> => at((await tenant.get(object)).expect(200).body, 'status');

      (await tenant.patch('merge', `${object}/status`, { status: { phase: 'merged' } })).expect(200);
      deepEqual(await said(), { phase: 'merged' });
      const { body } = (await tenant.get(object)).expect(200);
      (await tenant.put(`${object}/status`, { ...body, status: { phase: 'put' } })).expect(200);
      deepEqual(await said(), { phase: 'put' });
      const applied = { apiVersion: `${NETWORK}/v1`, kind: 'VPC', metadata: { name: 'a' }, status: { phase: 'applied' } };
      (await tenant.patch('apply', `${object}/status?fieldManager=tenant&force=true`, applied)).expect(200);
      deepEqual(await said(), { phase: 'applied' });
    },
  },
  {
    id: 'C21.2',
    title: 'nobody but system:masters reads or writes the status of bindings and exports by its own path',
    run: async (kcp) => {
      const own = await consumer(kcp);
      const tenant = await tenantOf(kcp, own);
      const name = kcp.unique('own');
      const exports = `${own.at}${APIS}/apiexports`;
      (await tenant.post(exports, { apiVersion: 'apis.kcp.io/v1alpha2', kind: 'APIExport', metadata: { name }, spec: {} })).expect(201);

      for (const object of [`${own.at}${APIS}/apibindings/${NETWORK}`, `${exports}/${name}`]) {
        const { body } = (await tenant.get(object)).expect(200);
        for (const caller of [tenant, kcp.admin]) {
          const refused = await caller.patch('merge', `${object}/status`, { status: { phase: 'Binding' } });
          equal(refused.status, 403);
          match(refused.body.message ?? '', /cannot patch resource "api(bindings|exports)\/status"/);
          equal((await caller.put(`${object}/status`, body)).status, 403);
          equal((await caller.get(`${object}/status`)).status, 403);
        }
        equal((await kcp.shard(own.shard).masters.get(`${object}/status`)).status, 200);
      }
    },
  },
  {
    id: 'C21.3',
    title: 'a status that is written with the object itself is left out',
    run: async (kcp) => {
      const own = await consumer(kcp);
      const tenant = await tenantOf(kcp, own);
      const { vpcs, zones } = paths(own);

      (await tenant.post(vpcs, { ...vpc('a'), status: { phase: 'forged' } })).expect(201);
      (await tenant.patch('merge', `${vpcs}/a`, { status: { phase: 'forged' } })).expect(200);
      (await tenant.post(zones, { ...zone('a'), status: { phase: 'forged' } })).expect(201);

      equal(at((await tenant.get(`${vpcs}/a`)).expect(200).body, 'status'), undefined);
      equal(at((await tenant.get(`${zones}/a`)).expect(200).body, 'status'), undefined);
    },
  },
];
