import { deepEqual, ok } from 'node:assert/strict';
import { Agent, request } from 'undici';
import { literal } from '../faults/fault.js';
import { at, type KubeBody, type Tree } from '../https/kube-body.js';
import { WEBHOOK_CONFIGURATIONS } from '../stage/exports.js';
import { sampleOf } from '../soak/sample.js';
import { soak } from '../soak/soak.js';
import { NETWORK } from './cloud-types.js';
import { takesMachine, type Scenario } from './scenario.js';
import { throughProxy } from './through-proxy.js';
import type { World } from './world.js';

const REVIEWS = 2_000;
// kcp gives the webhook 10 s; the webhook keeps some of them for its way back.
const TIMEOUT_MS = 10_000;
const SLACK_MS = 20_000;
// A machine that does much else lets some come late, or not at all; kcp has refused those by itself.
const IN_TIME_SHARE = 0.95;
// Two thousand connections and reviews take what they take; the same again must not take more.
const MOST_GROWTH_MB = 60;
const SOAK_MS = 30_000;
const UNANSWERED: Tree = {};

/** S8: much at once, and for long. */
export const load: readonly Scenario[] = [
  {
    id: 'S8.1',
    title: '2 000 reviews at once against a kcp that does not answer are refused in time, to be tried again, in bounded memory',
    // What is measured here is the webhook, not what else this machine does.
    exclusive: takesMachine,
    run: (world) =>
      throughProxy(world, {}, async (own, proxy) => {
        const { cloud, tenant, vpc } = await own.guardedPair();
        const { url, ca } = await calledBy(own, cloud.network.workspace.at);
        const subject = (await own.kcp.admin.get(vpc)).expect(200).body;
        await proxy.breakWhere({ caller: 'webhook', path: new RegExp(`^${literal(tenant.workspace.at)}/`) }, { kind: 'hang' });
        const agent = new Agent({ connect: { ca }, connections: REVIEWS, pipelining: 1, keepAliveTimeout: 60_000 });
        await openConnections(agent, new URL('/', url));
        const wave = async (): Promise<{ readonly answers: readonly Tree[]; readonly tookMs: number; readonly residentMb: number }> => {
          const begunMs = Date.now();
          const asked = Array.from({ length: REVIEWS }, async (_, number) => {
            const body = JSON.stringify(reviewOf(subject, number));
            try {
              const answer = await request(`${url}?timeout=${TIMEOUT_MS}ms`, {
                ...{ method: 'POST', body, dispatcher: agent, headers: { 'content-type': 'application/json' } },
              });
              return (await answer.body.json()) as Tree;
            } catch {
              return UNANSWERED; // kcp refuses by itself what gets no answer
            }
          });
          const answers = await Promise.all(asked);
          return { answers, tookMs: Date.now() - begunMs, residentMb: (await sampleOf(own.product.webhook)).residentMb };
        };

        const [first, second] = [await wave(), await wave()];
        await agent.destroy();

        const answers = [...first.answers, ...second.answers];
        const tookMs = Math.max(first.tookMs, second.tookMs);
        const answered = answers.filter((answer) => answer !== UNANSWERED);
        ok(answered.length >= IN_TIME_SHARE * answers.length, `only ${answered.length} of ${answers.length} were answered`);
        const said = answered.map(
          (answer) => `${String(at(answer, 'response', 'allowed'))} ${String(at(answer, 'response', 'status', 'code'))}`,
        );
        deepEqual([...new Set(said)], ['false 503']);
        const retries = answered.map((answer) => at(answer, 'response', 'status', 'details', 'retryAfterSeconds'));
        deepEqual([...new Set(retries)], [1]);
        // The webhook decides in time; that this process, which asks all at once, reads the last answer a little later is its own affair.
        const metrics = await own.product.webhook.metrics();
        const decided = (bound: string): number =>
          metrics.get(`dep_ctrl_review_duration_seconds_bucket{le="${bound}",verdict="deny"}`) ?? 0;
        const inTime = decided(String(TIMEOUT_MS / 1_000));
        ok(inTime >= IN_TIME_SHARE * decided('+Inf'), `only ${inTime} of ${decided('+Inf')} decisions were made in time`);
        ok(decided('+Inf') >= answered.length, `${decided('+Inf')} decisions`);
        ok(tookMs < TIMEOUT_MS + SLACK_MS, `the last was answered after ${tookMs} ms`);
        const grownMb = second.residentMb - first.residentMb;
        ok(grownMb < MOST_GROWTH_MB, `the second time it took ${grownMb.toFixed(0)} MB more`);
      }),
  },
  {
    id: 'S8.2',
    // So short a time shows a leak of megabytes a second. Whether anything grows slowly is for the soak of half an hour and more.
    title: 'deletes, creates, rule edits, rotations and faults for half a minute: no wrong answer, and nothing grows beyond warming up',
    slow: true,
    run: async (world) => {
      const { problems, deletes } = await soak(world, SOAK_MS);

      deepEqual(problems, []);
      ok(deletes > 100, `only ${deletes} deletes`);
    },
  },
];

/**
 * A busy API server has its connections already; Go's opens one for each call that runs. What is refused a handshake here, because so many at
 * once take longer than the webhook waits for one, is opened with its review.
 */
async function openConnections(agent: Agent, url: URL): Promise<void> {
  const opened = Array.from({ length: REVIEWS }, async () => (await request(url, { dispatcher: agent })).body.dump());
  await Promise.allSettled(opened);
}

/** Where kcp calls the webhook for a guarded workspace, and what it trusts there. */
export async function calledBy(own: World, guarded: string): Promise<{ readonly url: string; readonly ca: string }> {
  const { body } = (await own.kcp.admin.get(`${guarded}${WEBHOOK_CONFIGURATIONS}/dependency-controller`)).expect(200);
  const entry = (at(body, 'webhooks') as Tree[]).find(({ name }) => String(name).startsWith('dependency-controller.'));
  return {
    url: String(at(entry, 'clientConfig', 'url')),
    ca: Buffer.from(String(at(entry, 'clientConfig', 'caBundle')), 'base64').toString('utf8'),
  };
}

function reviewOf(oldObject: KubeBody, number: number): Tree {
  const { name, namespace } = oldObject.metadata;
  const resource = { group: NETWORK, version: 'v1', resource: 'vpcs' };
  const kind = { group: NETWORK, version: 'v1', kind: 'VPC' };
  return {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: {
      ...{ uid: `review-${number}`, kind, resource, requestKind: kind, requestResource: resource, name, namespace, operation: 'DELETE' },
      ...{ userInfo: { username: 'alice' }, object: null, oldObject, dryRun: false, options: null },
    },
  };
}
