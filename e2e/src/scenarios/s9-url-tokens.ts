import { randomUUID } from 'node:crypto';
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { Caller } from '../https/caller.js';
import { at, type Tree } from '../https/kube-body.js';
import { eventually } from '../stage/eventually.js';
import { bind, WEBHOOK_CONFIGURATIONS, type Export } from '../stage/exports.js';
import type { Outsider } from '../stage/outsider.js';
import type { Workspace } from '../stage/stage.js';
import { HELD, Neighbours, ruleAbout, STORAGE, target } from './s9-neighbours.js';
import type { Scenario } from './scenario.js';

const DISK = { exportName: STORAGE, group: STORAGE, resource: 'disks', kind: 'Disk' };
const SUBJECT_UID = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';

/** S9: a URL token is worth its own guarded workspace and no more. */
export const urlTokens: readonly Scenario[] = [
  {
    id: 'S9.14',
    title: 'whoever asks the webhook by its own URL about consumers that have not bound it learns nothing, not even whether they exist',
    slow: true,
    run: (world) =>
      Neighbours.play(world, async (scene) => {
        const alice = scene.outsider();
        const own = await guardedBy(scene, alice);
        const webhook = await Asker.of(scene, alice, own.provider.workspace);
        const [teamA, teamB] = scene.teams.map(({ workspace }) => workspace.cluster);

        // This is what the URL is for.
        const { status } = await webhook.ask('', { cluster: own.consumer.cluster, type: 'disks', name: 'parent' });
        equal(at(status, 'code'), 403, JSON.stringify(status));
        match(String(at(status, 'message')), /still referenced by Disk\/child/);

        const elsewhere = [teamA, teamB, scene.cloud.network.workspace.cluster, scene.cloud.compute.workspace.cluster];
        // The last one belongs to no workspace.
        const asked = [...elsewhere, await scene.own.homeCluster(), 'root', 'nobody0000000000'];
        for (const cluster of ['*', '', 'root:nobody', '../x', 'system:admin', scene.teams[0]?.workspace.path ?? '']) {
          isSilent(await webhook.ask('', { cluster, type: 'vpcs', name: HELD }));
        }
        for (const path of [scene.types.vpcs.path, 'NOT_A_PATH', own.provider.workspace.path]) {
          // If the honest rule counted for every workspace that claims to live there, the URL would answer by that rule, too.
          await alice.claimPath(own.provider.workspace, path);
          for (const entry of ['', '/advisory', '/bypass', '/handed-over']) {
            for (const type of ['vpcs', 'vms', 'disks']) {
              const answers = await Promise.all(asked.map((cluster) => webhook.ask(entry, { cluster: cluster ?? '', type, name: HELD })));
              for (const [n, answer] of answers.entries()) {
                deepEqual(
                  answer,
                  answers.at(-1),
                  `it tells one from the other: ${type} of "${asked[n] ?? ''}" at "${entry}": ${JSON.stringify(answer)}`,
                );
                isSilent(answer);
              }
            }
          }
        }
        await scene.unharmed('while somebody asks about them');
      }),
  },
  {
    id: 'S9.15',
    title: "a URL token opens no other workspace's URL, however that is spelled",
    slow: true,
    run: (world) =>
      Neighbours.play(world, async (scene) => {
        const alice = scene.outsider();
        const { provider } = await guardedBy(scene, alice);
        const webhook = await Asker.of(scene, alice, provider.workspace);
        const guarded = scene.cloud.network.workspace.cluster;
        const mine = provider.workspace.cluster;
        const { token } = webhook;
        const team = scene.teams[0]?.workspace.cluster ?? '';
        for (const path of [
          `/validate/${guarded}/${token}`,
          `/validate/${guarded}`,
          `/validate/${guarded}/`,
          `/validate/${guarded}/${token}/advisory`,
          `/validate/${guarded}/${token}/bypass`,
          `/validate/${guarded}/${token}/handed-over`,
          `/validate/${guarded}/bypass`,
          `/validate/${mine}/../${guarded}/${token}`,
          `/validate/${mine}%2f..%2f${guarded}/${token}`,
          `/validate/${guarded}%00${mine}/${token}`,
          `/validate//${guarded}/${token}`,
          `/validate/${mine}/${guarded}/${token}`,
          `/validate/*/${token}`,
          `/validate/root/${token}`,
          '/validate',
          `/validate?cluster=${guarded}`,
          `/validate/${token}`,
        ]) {
          const { status, text } = await webhook.post(path, review({ cluster: team, type: 'vpcs', name: HELD }));
          ok([400, 404].includes(status), `${path} answered ${status}: ${text}`);
          ok(!text.includes('VM'), text);
        }
        await scene.unharmed('while somebody tries URLs');
      }),
  },
];

/** It names nothing. */
function isSilent(answer: Tree): void {
  const text = JSON.stringify(answer);
  ok(!/VM|referenced/.test(text), `it tells something: ${text}`);
}

/** An outsider's provider that is guarded by a rule of its own, and a consumer of it, where one disk refers to another. */
async function guardedBy(scene: Neighbours, by: Outsider): Promise<{ readonly provider: Export; readonly consumer: Workspace }> {
  const provider = await scene.provider(by);
  const { path } = provider.workspace;
  await scene.ruleBy(by, provider.workspace, ruleAbout('disks', DISK, [target({ ...DISK, path }, '.spec.parent')]));
  const consumer = await by.workspace();
  await bind(by, consumer, provider);
  const disks = `${consumer.at}/apis/${STORAGE}/v1/namespaces/default/disks`;
  await eventually('disks are served', async () => void (await by.admin.get(disks)).expect(200));
  for (const [name, spec] of Object.entries({ parent: {}, child: { parent: 'parent' } })) {
    (await by.admin.post(disks, { apiVersion: `${STORAGE}/v1`, kind: 'Disk', metadata: { name }, spec })).expect(201);
  }
  await eventually('its disks are guarded', async () => void (await by.admin.delete(`${disks}/parent?dryRun=All`)).expect(403));
  return { provider, consumer };
}

/** A tenant that calls the webhook directly, by the URL in a configuration of its own. */
class Asker {
  readonly #webhook: Caller;
  readonly #path: string;

  private constructor(webhook: Caller, path: string) {
    this.#webhook = webhook;
    this.#path = path;
  }

  static async of({ own }: Neighbours, { admin }: Outsider, { at: home }: Workspace): Promise<Asker> {
    const { body } = (await admin.get(`${home}${WEBHOOK_CONFIGURATIONS}/dependency-controller`)).expect(200);
    const { origin, pathname } = new URL(String(at(body, 'webhooks', 0, 'clientConfig', 'url')));
    return new Asker(new Caller(origin, own.product.authority.pair.cert, {}), pathname.replace(/\/(?:advisory|bypass)$/, ''));
  }

  /** What stands behind the cluster in its own URL. */
  get token(): string {
    return this.#path.split('/').at(-1) ?? '';
  }

  post(path: string, body: Tree) {
    return this.#webhook.post(path, body, { timeoutMs: 30_000 });
  }

  /** The response to a review, without the uid that was asked with. */
  async ask(entry: string, subject: Subject): Promise<Tree> {
    const answer = await this.post(`${this.#path}${entry}?timeout=30s`, review(subject));
    const { uid: _, ...response } = (at(answer.expect(200).body, 'response') ?? {}) as Tree;
    return response;
  }
}

interface Subject {
  readonly cluster: string;
  readonly type: string;
  readonly name: string;
}

/** A review as kcp sends it for a DELETE. */
function review({ cluster, type, name }: Subject): Tree {
  const group = type === 'disks' ? STORAGE : type === 'vpcs' ? 'network.example.com' : 'compute.example.com';
  const kind = { group, version: 'v1', kind: { disks: 'Disk', vpcs: 'VPC', vms: 'VM' }[type] };
  const resource = { group, version: 'v1', resource: type };
  const metadata = { name, namespace: 'default', uid: SUBJECT_UID, annotations: { 'kcp.io/cluster': cluster } };
  const named = { kind, resource, requestKind: kind, requestResource: resource, name, namespace: 'default', operation: 'DELETE' };
  const oldObject = { apiVersion: `${group}/v1`, kind: kind.kind, metadata, spec: {} };
  const request = {
    uid: randomUUID(),
    ...named,
    userInfo: { username: 'kcp-admin' },
    object: null,
    oldObject,
    dryRun: false,
    options: null,
  };
  return { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request };
}
