import { deepEqual, equal, match, ok } from 'node:assert/strict';
import type { Answer } from '../https/answer.js';
import type { Tree } from '../https/kube-body.js';
import type { ConformanceCase } from './conformance-case.js';
import { always, eventually } from '../stage/eventually.js';
import { vpc, zone } from '../stage/example-types.js';
import { consumer, corner, paths } from '../stage/exports.js';
import type { Stage } from '../stage/stage.js';
import { ALLOW, deny, inForce, install, ruleFor, type CaseWebhook, type Replies } from '../stage/webhooks.js';

/** A webhook of that kind, a VPC it looks at, and what a delete of it is answered once the webhook is in force. */
async function deleteUnder(
  kcp: Stage,
  replies: Replies,
  more: Tree = {},
): Promise<{ readonly hook: CaseWebhook; readonly object: string; readonly answer: Answer }> {
  const hook = await install(kcp, replies, more);
  const { vpcs } = await corner(kcp);
  (await kcp.admin.post(vpcs, vpc('a', {}, { labels: hook.labels }))).expect(201);
  const object = `${vpcs}/a`;
  const answer = await eventually('the webhook is in force', async () => {
    const dry = await kcp.admin.delete(`${object}?dryRun=All`);
    ok(hook.asked.length > 0 || dry.status >= 400, 'not asked yet');
    return dry;
  });
  return { hook, object, answer };
}

/** What a webhook that could not be asked makes of a delete. */
function failed(answer: Answer, name: string, because: RegExp): void {
  equal(answer.status, 500);
  equal(answer.body.reason, 'InternalError');
  const prefix = `Internal error occurred: failed calling webhook "${name}": `;
  const message = answer.body.message ?? '';
  ok(message.startsWith(prefix), answer.text);
  match(message.slice(prefix.length), because);
}

/** D: what a client sees of a webhook's answer, and of a webhook that does not answer. */
export const webhookAnswers: readonly ConformanceCase[] = [
  {
    id: 'D24.1',
    title: 'a refusal with code 403 and reason Forbidden reaches the client with exactly the prefixed message and no details',
    run: async (kcp) => {
      const { hook, answer } = await deleteUnder(kcp, deny('still referenced by VM/a'));

      deepEqual(answer.body, {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: `admission webhook "${hook.name}" denied the request: still referenced by VM/a`,
        reason: 'Forbidden',
        code: 403,
      });
    },
  },
  {
    id: 'D24.2',
    title: 'a refusal without code and reason is 400 without a reason',
    run: async (kcp) => {
      const { hook, answer } = await deleteUnder(kcp, () => ({ allowed: false, status: { message: 'no' } }));

      equal(answer.status, 400);
      equal(answer.body.reason, undefined);
      equal(answer.body.message, `admission webhook "${hook.name}" denied the request: no`);
    },
  },
  {
    id: 'D24.3',
    title: 'a refusal without any status says that there is no explanation',
    run: async (kcp) => {
      const { hook, answer } = await deleteUnder(kcp, () => ({ allowed: false }));

      equal(answer.status, 400);
      equal(answer.body.message, `admission webhook "${hook.name}" denied the request without explanation`);
    },
  },
  {
    id: 'D24.4',
    title: 'a refusal with only a reason shows the reason as the message',
    run: async (kcp) => {
      const { hook, answer } = await deleteUnder(kcp, () => ({ allowed: false, status: { reason: 'Conflict' } }));

      equal(answer.status, 400);
      equal(answer.body.message, `admission webhook "${hook.name}" denied the request: Conflict`);
    },
  },
  {
    id: 'D24.5',
    title: 'the code of a refusal is the HTTP status',
    run: async (kcp) => {
      const { answer } = await deleteUnder(kcp, () => ({ allowed: false, status: { code: 409, reason: 'Conflict', message: 'later' } }));

      equal(answer.status, 409);
      equal(answer.body.reason, 'Conflict');
    },
  },
  {
    id: 'D24.6',
    title: 'details reach the client untouched, and retryAfterSeconds as a Retry-After header too',
    run: async (kcp) => {
      const details = { retryAfterSeconds: 2, causes: [{ reason: 'InUse', message: 'VM/a', field: 'spec.vpcRef' }] };
      const { answer } = await deleteUnder(kcp, () => ({
        allowed: false,
        status: { code: 503, reason: 'ServiceUnavailable', message: 'later', details },
      }));

      equal(answer.status, 503);
      deepEqual(answer.body.details, details);
      equal(answer.header('retry-after'), '2');
    },
  },
  {
    id: 'D24.7',
    title: 'warnings become Warning headers, on an allowed and on a refused delete',
    run: async (kcp) => {
      const allowed = await deleteUnder(kcp, () => ({ allowed: true, warnings: ['mind the "gap"', 'and more'] }));
      const refused = await deleteUnder(kcp, () => ({ allowed: false, status: { code: 403, message: 'no' }, warnings: ['told you'] }));

      equal(allowed.answer.status, 200);
      equal(allowed.answer.header('warning'), '299 - "mind the \\"gap\\"", 299 - "and more"');
      equal(refused.answer.status, 403);
      equal(refused.answer.header('warning'), '299 - "told you"');
    },
  },
  {
    id: 'D24.8',
    title: 'an unreachable webhook with failurePolicy Fail is 500 and says what failed',
    run: async (kcp) => {
      const { hook, answer } = await deleteUnder(kcp, ALLOW, { clientConfig: { url: 'https://127.0.0.1:1/nobody' } });

      failed(
        answer,
        hook.name,
        /^failed to call webhook: Post "https:\/\/127\.0\.0\.1:1\/nobody\?timeout=10s": dial tcp 127\.0\.0\.1:1: connect: connection refused$/,
      );
    },
  },
  {
    id: 'D24.9',
    title: 'an unreachable webhook with failurePolicy Ignore lets the delete pass',
    run: async (kcp) => {
      const hook = await install(kcp, ALLOW, { clientConfig: { url: 'https://127.0.0.1:1/nobody' }, failurePolicy: 'Ignore' });
      const { vpcs } = await corner(kcp);
      (await kcp.admin.post(vpcs, vpc('a', {}, { labels: hook.labels }))).expect(201);

      await always('a delete passes', async () => void (await kcp.admin.delete(`${vpcs}/a?dryRun=All`)).expect(200), 500);
    },
  },
  {
    id: 'D24.10',
    title: 'a certificate that caBundle does not verify counts as unreachable',
    run: async (kcp) => {
      const target = kcp.webhooks.open(kcp.unique('tls'), ALLOW);
      const caBundle = Buffer.from(kcp.backend.ca).toString('base64');
      const { hook, answer } = await deleteUnder(kcp, ALLOW, { clientConfig: { url: target.url, caBundle } });

      failed(answer, hook.name, /tls: failed to verify certificate: x509: certificate signed by unknown authority/);
      equal(target.asked.length, 0);
    },
  },
  {
    id: 'D24.11',
    title: 'a response for another uid counts as unreachable',
    run: async (kcp) => {
      const { hook, answer } = await deleteUnder(kcp, () => ({ allowed: true, uid: 'another' }));

      failed(answer, hook.name, /received invalid webhook response: expected response\.uid="[0-9a-f-]+", got "another"/);
    },
  },
  {
    id: 'D24.12',
    title: 'garbage counts as unreachable',
    run: async (kcp) => {
      const { hook, answer } = await deleteUnder(kcp, () => ({ raw: 'not json' }));

      failed(answer, hook.name, /^failed to call webhook: couldn't get version\/kind; json parse error: /);
    },
  },
  {
    id: 'D24.13',
    title: 'HTTP 500 of a webhook counts as unreachable',
    run: async (kcp) => {
      const { hook, answer } = await deleteUnder(kcp, () => ({ raw: 'broken', status: 500 }));

      failed(answer, hook.name, /^failed to call webhook: an error on the server \("unknown"\) has prevented the request from succeeding$/);
    },
  },
  {
    id: 'D24.14',
    title: 'a review without a response counts as unreachable',
    run: async (kcp) => {
      const { hook, answer } = await deleteUnder(kcp, () => ({ raw: '{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview"}' }));

      failed(answer, hook.name, /webhook response was absent/);
    },
  },
  {
    id: 'D24.15',
    title: 'a webhook that hangs is given up after its timeout',
    run: async (kcp) => {
      const { hook, answer } = await deleteUnder(kcp, () => 'hang', { timeoutSeconds: 1 });

      failed(answer, hook.name, /\?timeout=1s": (context deadline exceeded|net\/http: request canceled)/);
    },
  },
  {
    id: 'D24.16',
    title: 'a dry run of a refused delete is refused in the same words as the real one',
    run: async (kcp) => {
      const { object, answer } = await deleteUnder(kcp, deny('no'));

      equal((await kcp.admin.delete(object)).text, answer.text);
    },
  },
  {
    id: 'D24.17',
    title: 'with several webhooks the delete needs the consent of all',
    run: async (kcp) => {
      const first = await install(kcp, ALLOW);
      const second = await install(kcp, deny('no'), { objectSelector: { matchLabels: first.labels } });
      const { vpcs } = await corner(kcp);
      (await kcp.admin.post(vpcs, vpc('a', {}, { labels: first.labels }))).expect(201);

      await inForce(kcp, `${vpcs}/a`, 403);

      match((await kcp.admin.delete(`${vpcs}/a`)).body.message ?? '', new RegExp(`"${second.name}" denied`));
      await eventually('the first is asked too', async () => {
        await kcp.admin.delete(`${vpcs}/a`);
        ok(first.asked.length > 0);
      });
    },
  },
  {
    id: 'D24.18',
    title: 'objectSelector looks at the labels of the object that goes',
    run: async (kcp) => {
      const { hook, object } = await deleteUnder(kcp, deny('no'));
      (await kcp.admin.patch('merge', object, { metadata: { labels: { case: 'another' } } })).expect(200);
      const before = hook.asked.length;

      (await kcp.admin.delete(object)).expect(200);

      equal(hook.asked.length, before);
    },
  },
  {
    id: 'D24.19',
    title: 'namespaceSelector looks at the namespaces of the consumer and not at cluster-scoped objects',
    run: async (kcp) => {
      const hook = await install(kcp, deny('no'), {
        rules: [ruleFor('vpcs'), ruleFor('zones')],
        namespaceSelector: { matchLabels: { guarded: 'yes' } },
      });
      const workspace = await consumer(kcp);
      const { namespaces, zones } = paths(workspace);
      (await kcp.admin.post(namespaces, { metadata: { name: 'guarded', labels: { guarded: 'yes' } } })).expect(201);
      for (const namespace of ['guarded', 'default']) {
        (await kcp.admin.post(paths(workspace, namespace).vpcs, vpc('a', {}, { labels: hook.labels }))).expect(201);
      }
      (await kcp.admin.post(zones, zone('a', { labels: hook.labels }))).expect(201);

      await inForce(kcp, `${paths(workspace, 'guarded').vpcs}/a`, 403);

      (await kcp.admin.delete(`${paths(workspace).vpcs}/a`)).expect(200);
      await inForce(kcp, `${zones}/a`, 403);
    },
  },
  {
    id: 'D24.20',
    title: 'scope Cluster does not match a namespaced type, scope Namespaced does',
    run: async (kcp) => {
      const cluster = await install(kcp, deny('no'), { rules: [{ ...ruleFor('*'), scope: 'Cluster' }] });
      const { vpcs, zones } = await corner(kcp);
      const name = kcp.unique('a');
      (await kcp.admin.post(vpcs, vpc('a', {}, { labels: cluster.labels }))).expect(201);
      (await kcp.admin.post(zones, zone(name, { labels: cluster.labels }))).expect(201);

      await inForce(kcp, `${zones}/${name}`, 403);

      (await kcp.admin.delete(`${vpcs}/a`)).expect(200);
    },
  },
];
