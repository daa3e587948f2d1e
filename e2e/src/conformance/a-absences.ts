// What a 404 says, and of what: clients take one that names the object they asked for as "there is none", and no other.
import { deepEqual, equal, ok } from 'node:assert/strict';
import type { Answer } from '../https/answer.js';
import type { Caller } from '../https/caller.js';
import type { KubeBody } from '../https/kube-body.js';
import { viewOf } from '../stage/endpoints.js';
import { NETWORK, vpc, zone } from '../stage/example-types.js';
import { consumer, network, paths } from '../stage/exports.js';
import type { Stage, Workspace } from '../stage/stage.js';
import type { ConformanceCase } from './conformance-case.js';

const ZONES = `/apis/${NETWORK}/v1/zones`;
const DETAILS = { group: NETWORK, kind: 'zones' };

/** A shard resolves only paths that it hosts from the first segment on. */
function onFirstShard(kcp: Stage): Promise<Workspace> {
  return kcp.shared('a consumer on the first shard', () => consumer(kcp, { shard: 0 }));
}

/** Every way to a workspace, at the shard that it is on. */
async function waysTo(kcp: Stage, { cluster, path }: Workspace): Promise<readonly string[]> {
  return [`/clusters/${path}`, `/clusters/${cluster}`, `${viewOf(await network(kcp))}/clusters/${cluster}`];
}

function detailsOf(answer: Answer): KubeBody['details'] {
  return answer.header('content-type').includes('json') ? answer.body.details : undefined;
}

/** A: what a 404 says of an object. */
export const absences: readonly ConformanceCase[] = [
  {
    id: 'A8.1',
    title: 'a 404 of an object names it by group, resource and name: by path, by name, in a virtual workspace, whatever the verb',
    run: async (kcp) => {
      const workspace = await onFirstShard(kcp);
      const { admin } = kcp.shard(workspace.shard);
      for (const way of await waysTo(kcp, workspace)) {
        const none = `${way}${ZONES}/none`;
        const body = { ...zone('none'), metadata: { name: 'none', resourceVersion: '1' } };
        for (const answer of [
          await admin.get(none),
          await admin.delete(none),
          await admin.put(none, body),
          await admin.patch('merge', none, {}),
        ]) {
          equal(answer.expect(404).body.reason, 'NotFound');
          equal(answer.body.message, `zones.${NETWORK} "none" not found`);
          deepEqual(detailsOf(answer), { name: 'none', ...DETAILS });
        }
        deepEqual(detailsOf((await admin.get(`${way}/api/v1/namespaces/none`)).expect(way.startsWith('/services') ? 403 : 404)), {
          name: 'none',
          kind: 'namespaces',
        });
      }
    },
  },
  {
    id: 'A8.2',
    title: 'a subresource that a type does not have is a 404 that names the object, which is there',
    run: async (kcp) => {
      const workspace = await onFirstShard(kcp);
      const { admin } = kcp.shard(workspace.shard);
      const name = kcp.unique('z');
      (await kcp.admin.post(`${workspace.at}${ZONES}`, zone(name))).expect(201);
      for (const way of await waysTo(kcp, workspace)) {
        const answer = (await admin.get(`${way}${ZONES}/${name}/scale`)).expect(404);

        deepEqual(detailsOf(answer), { name, ...DETAILS });
      }
    },
  },
  {
    id: 'A8.3',
    title: 'a create in a namespace that is not there is a 404 that names the namespace',
    run: async (kcp) => {
      const workspace = await onFirstShard(kcp);
      const { admin } = kcp.shard(workspace.shard);
      for (const way of await waysTo(kcp, workspace)) {
        const answer = (await admin.post(`${way}/apis/${NETWORK}/v1/namespaces/none/vpcs`, vpc('a'))).expect(404);

        deepEqual(detailsOf(answer), { name: 'none', kind: 'namespaces' });
      }
    },
  },
  {
    id: 'A8.4',
    title: 'an object of a namespaced type is at no address without its namespace: a 404 that names nothing',
    run: async (kcp) => {
      const workspace = await onFirstShard(kcp);
      const { admin } = kcp.shard(workspace.shard);
      (await kcp.admin.post(paths(workspace).vpcs, vpc('a'))).expect(201);
      for (const way of await waysTo(kcp, workspace)) {
        const answer = (await admin.get(`${way}/apis/${NETWORK}/v1/vpcs/a`)).expect(404);

        equal(detailsOf(answer)?.name, undefined);
      }
    },
  },
  {
    id: 'A8.5',
    title:
      'a shard that starts never answers about an object that it has with a 404 that names it; before kcp 0.31 it does so to system:masters, by path',
    needs: ['restarts'],
    exclusive: () => 'everything',
    run: async (kcp) => {
      const workspace = await onFirstShard(kcp);
      const name = kcp.unique('z');
      (await kcp.admin.post(`${workspace.at}${ZONES}`, zone(name))).expect(201);
      (await kcp.admin.post(`${workspace.at}/api/v1/namespaces/default/configmaps`, { metadata: { name } })).expect(201);
      const urls = (await waysTo(kcp, workspace)).map((way) => `${way}${ZONES}/${name}`);
      for (const way of [workspace.path, workspace.cluster]) urls.push(`/clusters/${way}/api/v1/namespaces/default/configmaps/${name}`);
      const shard = kcp.backend.shards[0];
      const { admin, masters } = kcp.shard(0);

      await shard.stop();
      const restart = { isOver: false };
      const started = shard.start().finally(() => (restart.isOver = true));
      const takesPathsForNames = (caller: Caller, url: string): boolean =>
        !kcp.since('0.31') && caller === masters && url.startsWith(`/clusters/${workspace.path}/`);
      const heard: Answer[] = [];
      let served = 0;
      while (!restart.isOver || served < 2 * urls.length) {
        served = 0;
        for (const caller of [admin, masters]) {
          for (const url of urls) {
            const answer = await caller.get(url, { timeoutMs: 5_000 }).catch(() => undefined);
            if (answer?.status === 200) served += 1;
            else if (answer !== undefined && !takesPathsForNames(caller, url)) heard.push(answer);
          }
        }
      }
      await started;

      ok(heard.length > 0, 'nothing was refused: the start was not seen');
      const wrong = heard.filter((answer) => answer.status === 404 && detailsOf(answer)?.name === name);
      deepEqual(
        wrong.map(({ asked, text }) => `${asked}: ${text}`),
        [],
      );
    },
  },
];
