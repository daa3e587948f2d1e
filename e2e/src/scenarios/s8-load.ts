import { deepEqual, equal, ok } from 'node:assert/strict';
import { literal } from '../faults/fault.js';
import { Callers, floorOf, type Wave } from '../faults/review-wave.js';
import { at, type KubeBody, type Tree } from '../https/kube-body.js';
import { sampleOf } from '../soak/sample.js';
import { soak } from '../soak/soak.js';
import { NETWORK } from './cloud-types.js';
import type { Scenario } from './scenario.js';
import { throughProxy } from './through-proxy.js';
import { calledBy } from './called-by.js';

const REVIEWS = 2_000;
// kcp gives the webhook 10 s, from the moment at which it dials; the webhook keeps some of them for its way back.
const TIMEOUT_MS = 10_000;
// A server that does nothing was seen to take 2.6 s for new connections. On a machine where it takes more than four, as beside other work, 10 s say nothing
// about the webhook.
const MOST_TIMES = 2.5;
// Two thousand connections and reviews take what they take; the same again must not take more.
const MOST_GROWTH_MB = 60;
// Of the chart.
const LIMIT_MB = 384;
const SOAK_MS = 30_000;

/** S8: much at once, and for long. */
export const load: readonly Scenario[] = [
  {
    id: 'S8.1',
    title:
      '2 000 reviews at once against a kcp that does not answer are all refused, to be tried again, in bounded memory, and within the 10 s of kcp or 2.5 times what an empty server takes',
    // What is measured here is the webhook, not what else this machine does.
    exclusive: () => 'everything',
    run: (world) =>
      throughProxy(world, {}, async (own, proxy) => {
        const { cloud, tenant, vpc } = await own.guardedPair();
        const { url, ca } = await calledBy(own, cloud.network.workspace.at);
        const subject = (await own.kcp.admin.get(vpc)).expect(200).body;
        await proxy.breakWhere({ caller: 'webhook', path: new RegExp(`^${literal(tenant.workspace.at)}/`) }, { kind: 'hang' });
        const bodies = Array.from({ length: REVIEWS }, (_, number) => JSON.stringify(reviewOf(subject, number)));
        const callers = new Callers({ url: `${url}?timeout=${TIMEOUT_MS}ms`, ca, bodies });

        const waves: Wave[] = [];
        const residentMb: number[] = [];
        for (let count = 0; count < 2; count += 1) {
          waves.push(await callers.wave());
          residentMb.push((await sampleOf(own.product.webhook)).residentMb);
        }
        await callers.close();

        const answers = waves.flatMap((wave) => wave.answers);
        const floor = await floorOf(bodies, answers[0] ?? {}, world.kcp.backend.workDir);
        const said = answers.map(
          (answer) => `${String(at(answer, 'response', 'allowed'))} ${String(at(answer, 'response', 'status', 'code'))}`,
        );
        deepEqual([...new Set(said)], ['false 503']);
        const retries = answers.map((answer) => at(answer, 'response', 'status', 'details', 'retryAfterSeconds'));
        deepEqual([...new Set(retries)], [1]);
        const uids = new Set(bodies.map((_, number) => `review-${number}`));
        for (const [index, { answers: answered, unanswered, lastMs }] of waves.entries()) {
          const leastMs = floor[index] ?? 0;
          const kind = index === 0 ? 'new' : 'open';
          const figure = `on ${kind} connections the last after ${lastMs.toFixed(0)} ms, of an empty server after ${leastMs.toFixed(0)} ms`;
          world.tell('S8.1', figure);
          deepEqual(unanswered, [], `${unanswered.length} were not answered`);
          deepEqual(new Set(answered.map((answer) => at(answer, 'response', 'uid'))), uids);
          equal(answered.length, REVIEWS);
          ok(lastMs <= Math.max(TIMEOUT_MS, MOST_TIMES * leastMs), figure);
        }
        const [first = 0, second = 0] = residentMb;
        world.tell('S8.1', `resident memory ${first.toFixed(0)} MB, then ${second.toFixed(0)} MB`);
        ok(second - first < MOST_GROWTH_MB, `the second time it took ${(second - first).toFixed(0)} MB more`);
        ok(Math.max(first, second) < LIMIT_MB, 'more than the chart gives a webhook');
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

/** What kcp would ask about the deletion of an object. */
export function reviewOf(oldObject: KubeBody, number: number): Tree {
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
