import { deepEqual, equal, match, ok } from 'node:assert/strict';
import type { Answer } from '../https/answer.js';
import { at, type Tree } from '../https/kube-body.js';
import { eventually } from '../stage/eventually.js';
import { viewOf } from '../stage/endpoints.js';
import { NETWORK, ZONE, zone } from '../stage/example-types.js';
import { bind, consumer, makeExport, network, paths, served } from '../stage/exports.js';
import { ACCESS, contentOf, grant, user } from '../stage/identities.js';
import type { Stage, Workspace } from '../stage/stage.js';
import { tenantOf } from '../stage/tenant.js';
import {
  ALLOW,
  deny,
  install,
  ruleFor,
  webhookConfiguration,
  webhookEntry,
  type CaseWebhook,
  type Replies,
  type Review,
} from '../stage/webhooks.js';
import type { ConformanceCase } from './conformance-case.js';

/** A webhook for creates and updates of zones, in force. */
async function onWrites(
  kcp: Stage,
  replies: Replies,
  more: Tree = {},
): Promise<CaseWebhook & { readonly workspace: Workspace; readonly zones: string }> {
  const rules = [{ ...ruleFor('zones'), operations: ['CREATE', 'UPDATE'] }];
  const hook = await install(kcp, replies, { rules, failurePolicy: 'Fail', ...more });
  const workspace = await consumer(kcp);
  const { zones } = paths(workspace);
  await eventually('the webhook is asked', async () => {
    await kcp.admin.post(`${zones}?dryRun=All`, zone('probe', { labels: hook.labels }));
    ok(hook.asked.length > 0);
  });
  return { ...hook, workspace, zones };
}

/** What the webhook is asked meanwhile. */
async function asking(hook: CaseWebhook, act: () => Promise<Answer>, status: number): Promise<readonly Review[]> {
  const before = hook.asked.length;
  (await act()).expect(status);
  return hook.asked.slice(before).map(({ review }) => review);
}

function warnings({ headers }: Answer): readonly string[] {
  return [headers['warning'] ?? []].flat();
}

/** D: webhooks of the exporting workspace that are asked about creates and updates of a bound, cluster-scoped type. */
export const webhooksOfWrites: readonly ConformanceCase[] = [
  {
    id: 'D27.1',
    title: 'a create, every kind of patch, an apply and an update ask with both objects and the true cluster, also where nothing changes',
    run: async (kcp) => {
      const hook = await onWrites(kcp, ALLOW);
      const { zones, workspace, labels } = hook;
      const tenant = await tenantOf(kcp, workspace);
      const a = `${zones}/a`;
      const applied = { ...zone('b', { labels }) };
      const put = async (): Promise<Answer> => tenant.put(a, { ...(await tenant.get(a)).expect(200).body, spec: { region: 'put' } });

      for (const { what, act, operation, status = 200 } of [
        { what: 'post', act: () => tenant.post(zones, zone('a', { labels })), operation: 'CREATE', status: 201 },
        { what: 'merge patch', act: () => tenant.patch('merge', a, { spec: { region: 'm' } }), operation: 'UPDATE' },
        {
          what: 'json patch',
          act: () => tenant.patch('json', a, [{ op: 'replace', path: '/spec/region', value: 'j' }]),
          operation: 'UPDATE',
        },
        { what: 'no change', act: () => tenant.patch('merge', a, { spec: { region: 'j' } }), operation: 'UPDATE' },
        { what: 'label', act: () => tenant.patch('merge', a, { metadata: { labels: { more: 'l' } } }), operation: 'UPDATE' },
        { what: 'put', act: put, operation: 'UPDATE' },
        { what: 'apply anew', act: () => tenant.patch('apply', `${zones}/b?fieldManager=t`, applied), operation: 'CREATE', status: 201 },
        { what: 'apply again', act: () => tenant.patch('apply', `${zones}/b?fieldManager=t`, applied), operation: 'UPDATE' },
      ]) {
        const reviews = await asking(hook, act, status);
        // Right after a write kcp may ask first with the object as its cache has it, and again with the stored one.
        ok(reviews.length > 0, what);
        for (const review of reviews) {
          equal(review.operation, operation, what);
          equal(review.object?.metadata.annotations?.['kcp.io/cluster'], workspace.cluster, what);
          equal(review.oldObject === null, operation === 'CREATE', what);
          equal(review.options?.['kind'], operation === 'CREATE' ? 'CreateOptions' : 'UpdateOptions', what);
          equal(review.userInfo.username, 'alice', what);
          ok(!('namespace' in review) && !('subResource' in review), what);
        }
      }
    },
  },
  {
    id: 'D27.2',
    title: 'a rule for a resource does not ask about its status; one for resource/status asks about nothing else',
    run: async (kcp) => {
      const plain = await onWrites(kcp, ALLOW);
      const { zones, workspace, labels } = plain;
      const rules = [{ ...ruleFor('vpcs/status'), operations: ['CREATE', 'UPDATE'] }];
      const ofStatus = await install(kcp, ALLOW, { rules });
      const { vpcs } = paths(workspace);
      (
        await kcp.admin.post(vpcs, { apiVersion: `${NETWORK}/v1`, kind: 'VPC', metadata: { name: 'a', labels: ofStatus.labels }, spec: {} })
      ).expect(201);
      (await kcp.admin.post(zones, zone('a', { labels }))).expect(201);

      const statusOf = async (object: string): Promise<Answer> => kcp.admin.patch('merge', `${object}/status`, { status: { phase: 'x' } });
      await eventually('the status webhook is asked', async () => {
        (await statusOf(`${vpcs}/a`)).expect(200);
        ok(ofStatus.asked.length > 0);
      });

      deepEqual(await asking(plain, () => statusOf(`${zones}/a`), 200), []);
      const [review] = await asking(ofStatus, () => statusOf(`${vpcs}/a`), 200);
      equal(at(review, 'subResource'), 'status');
      deepEqual(await asking(ofStatus, () => kcp.admin.patch('merge', `${vpcs}/a`, { spec: { size: 4 } }), 200), []);
    },
  },
  {
    id: 'D27.3',
    title: 'in the exporting workspace it asks about the bound type where that binds its own export, and about no other type',
    run: async (kcp) => {
      const made = await makeExport(kcp, { types: [ZONE] });
      const { zones, configMaps, webhooks } = paths(made.workspace);
      const hook = kcp.webhooks.open(kcp.unique('own'), deny('no'));
      const rules = [{ ...ruleFor('zones'), operations: ['CREATE', 'UPDATE'] }];
      (await kcp.admin.post(webhooks, webhookConfiguration('own', [webhookEntry('own.example.com', hook, { rules })]))).expect(201);
      equal((await kcp.admin.get(zones)).status, 404);
      await bind(kcp, made.workspace, made);
      await served(kcp, zones);

      await eventually('it acts', async () => void (await kcp.admin.post(`${zones}?dryRun=All`, zone('a'))).expect(403));

      equal(hook.asked.at(-1)?.review.object?.metadata.annotations?.['kcp.io/cluster'], made.workspace.cluster);
      (await kcp.admin.post(configMaps, { metadata: { name: 'a' } })).expect(201);
    },
  },
  {
    id: 'D27.4',
    title:
      'writes through the virtual workspace ask too, as the caller, except for status; they can be refused and their warnings get lost',
    run: async (kcp) => {
      let allowed = true;
      const hook = await onWrites(kcp, (review) =>
        allowed ? { allowed, warnings: ['doubtful'] } : { ...(deny('no')(review) as Tree), warnings: ['doubtful'] },
      );
      const { zones, workspace, labels } = hook;
      const made = await network(kcp);
      const name = kcp.unique('controller');
      await grant(kcp.admin, made.workspace.at, name, [contentOf(made.name, ['*']), ACCESS], [user(name)]);
      const controller = await kcp.shard(workspace.shard).user({ name });
      const view = `${viewOf(made)}/clusters/${workspace.cluster}/apis/${NETWORK}/v1/zones`;
      deepEqual(warnings((await kcp.admin.post(zones, zone('a', { labels }))).expect(201)), ['299 - "doubtful"']);
      await eventually('the controller reads', async () => void (await controller.get(`${view}/a`)).expect(200));
      const label = (): Promise<Answer> => controller.patch('merge', `${view}/a`, { metadata: { labels: { more: kcp.unique('l') } } });
      const finalizer = (): Promise<Answer> => controller.patch('merge', `${view}/a`, { metadata: { finalizers: ['example.com/f'] } });

      for (const act of [label, finalizer]) {
        let answer: Answer | undefined;
        const reviews = await asking(hook, async () => (answer = await act()), 200);
        const [review] = reviews;
        equal(review?.operation, 'UPDATE');
        equal(review.userInfo.username, name);
        ok('authorization.kcp.io/warrant' in (review.userInfo.extra ?? {}));
        deepEqual(answer === undefined ? undefined : warnings(answer), []);
      }
      deepEqual(await asking(hook, () => controller.patch('merge', `${view}/a/status`, { status: {} }), 200), []);
      allowed = false;
      const refused = (await label()).expect(403);
      match(refused.body.message ?? '', /denied the request: no$/);
      deepEqual(warnings(refused), []);
    },
  },
  {
    id: 'D27.5',
    title: 'a refusal with code 422, reason Invalid and several lines reaches the client as it is, with its warnings; nothing is stored',
    run: async (kcp) => {
      const message = 'cannot be read:\n- spec.a: no\n- spec.b: neither';
      const hook = await onWrites(kcp, () => ({ allowed: false, status: { code: 422, reason: 'Invalid', message }, warnings: ['also'] }));

      const refused = (await kcp.admin.post(hook.zones, zone('a', { labels: hook.labels }))).expect(422);

      deepEqual(refused.body, {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: `admission webhook "${hook.name}" denied the request: ${message}`,
        reason: 'Invalid',
        code: 422,
      });
      deepEqual(warnings(refused), ['299 - "also"']);
      equal((await kcp.admin.get(`${hook.zones}/a`)).status, 404);
    },
  },
  {
    id: 'D27.6',
    title: 'warnings of an allowed create or update reach the client, each text once; one with a line break is lost',
    run: async (kcp) => {
      const texts = ['first', 'with "quotes" and \\', 'two\nlines', '', 'first', 'grün …'];
      const hook = await onWrites(kcp, () => ({ allowed: true, warnings: texts }));
      const { zones, labels } = hook;

      const answers = [
        (await kcp.admin.post(`${zones}?dryRun=All`, zone('a', { labels }))).expect(201),
        (await kcp.admin.post(zones, zone('a', { labels }))).expect(201),
        (await kcp.admin.patch('merge', `${zones}/a`, { spec: { region: 'x' } })).expect(200),
      ];

      const utf8 = Buffer.from('299 - "grün …"').toString('latin1');
      for (const answer of answers) deepEqual(warnings(answer), ['299 - "first"', '299 - "with \\"quotes\\" and \\\\"', utf8]);
    },
  },
  ...[
    { n: 7, count: 1, length: 4096, given: 'up to 4096 characters', kept: 1, cut: 4096 },
    { n: 8, count: 1, length: 4097, given: 'one character more', kept: 1, cut: 256 },
    { n: 9, count: 20, length: 300, given: '20 of 300 characters', kept: 16, cut: 256 },
    { n: 10, count: 50, length: 200, given: '50 of 200 characters', kept: 21, cut: 200 },
    { n: 11, count: 3, length: 4000, given: '3 of 4000 characters', kept: 3, cut: 256 },
  ].map(({ n, count, length, given, kept, cut }): ConformanceCase => ({
    id: `D27.${n}`,
    title: `warnings beyond 4096 characters are cut to 256 each, and end where those reach 4096: of ${given} there come ${kept} of ${cut}`,
    run: async (kcp) => {
      const texts = Array.from({ length: count }, (_, index) => `${index}-`.padEnd(length, 'x'));
      const hook = await onWrites(kcp, () => ({ allowed: true, warnings: texts }));

      const answer = (await kcp.admin.post(hook.zones, zone('a', { labels: hook.labels }))).expect(201);

      deepEqual(
        warnings(answer),
        texts.slice(0, kept).map((text) => `299 - "${text.slice(0, cut)}"`),
      );
    },
  })),
  {
    id: 'D27.12',
    title: 'a dry run of a create or update is asked as such and can be refused',
    run: async (kcp) => {
      const hook = await onWrites(kcp, ({ dryRun }) =>
        dryRun === true ? { allowed: false, status: { code: 403, reason: 'Forbidden', message: 'dry' } } : { allowed: true },
      );
      const { zones, labels } = hook;
      (await kcp.admin.post(zones, zone('a', { labels }))).expect(201);

      equal((await kcp.admin.post(`${zones}?dryRun=All`, zone('b', { labels }))).status, 403);
      equal((await kcp.admin.patch('merge', `${zones}/a?dryRun=All`, { spec: { region: 'x' } })).status, 403);
      (await kcp.admin.patch('merge', `${zones}/a`, { spec: { region: 'x' } })).expect(200);
    },
  },
  {
    id: 'D27.13',
    title: 'when the webhook cannot be reached, failurePolicy Fail refuses creates and updates with 500',
    run: async (kcp) => {
      const rules = [{ ...ruleFor('zones'), operations: ['CREATE', 'UPDATE'] }];
      const hook = await install(kcp, ALLOW, { rules, failurePolicy: 'Fail', clientConfig: { url: 'https://127.0.0.1:1/nobody' } });
      const { zones } = paths(await consumer(kcp));

      await eventually('it acts', async () => {
        const refused = (await kcp.admin.post(`${zones}?dryRun=All`, zone('a', { labels: hook.labels }))).expect(500);
        match(refused.body.message ?? '', /failed calling webhook .*connection refused/);
      });
      (await kcp.admin.post(zones, zone('a'))).expect(201);
      equal((await kcp.admin.patch('merge', `${zones}/a`, { metadata: { labels: hook.labels } })).status, 500);
    },
  },
];
