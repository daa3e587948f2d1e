import { equal, ok } from 'node:assert/strict';
import { eventually } from '../stage/eventually.js';
import { WEBHOOK_CONFIGURATIONS } from '../stage/exports.js';
import { ALLOW, webhookConfiguration, webhookEntry, type Webhook } from '../stage/webhooks.js';
import { COMPUTE, compute, network, refersTo } from './cloud-types.js';
import { hostRule, OrderedContent } from './ordered-content.js';
import { cloudWithRule, deleteWorkspace, ended, letGo, orderedTenant, SINCE, withOrderedType } from './ordered-type.js';
import type { Scenario } from './scenario.js';
import { takesMachine } from './scenario.js';
import type { Cloud, Tenant, World } from './world.js';

// More than are worked on at a time, each with more objects than are deleted at a time.
const HOSTILE = 11;
const VMS = 6;
/** kcp waits so long for a webhook at most. A turn that waited for it would take as long. */
const KCP_WAITS_S = 30;
const WITHIN_MS = 20_000;

/** S13, continued: webhooks that keep kcp waiting. */
export const waitingWebhooks: readonly Scenario[] = [
  {
    id: 'S13.17',
    title:
      'eleven workspaces of a provider whose webhook never answers keep another one from its order for seconds, and are let go at --teardown-timeout',
    since: SINCE,
    slow: true,
    exclusive: takesMachine,
    run: (world) =>
      withOrderedType(world, { controllerFlags: ['--teardown-timeout', '25s'] }, async (own) => {
        const cloud = await own.cloud();
        await own.addRule(cloud, hostRule(cloud));
        const honest = await orderedTenant(own, cloud);
        let isSilent = true;
        const stranger = await cloudWithRule(own);
        const hook = own.kcp.webhooks.open(own.kcp.unique('silent'), (review) => (isSilent ? 'hang' : ALLOW(review)));
        await install(own, stranger, hook);
        const hostile = await Promise.all(Array.from({ length: HOSTILE }, () => orderedTenant(own, stranger)));
        for (const tenant of hostile) await stock(own, tenant, VMS);
        const content = await OrderedContent.stock(own, honest);

        for (const { workspace } of hostile) await deleteWorkspace(own, workspace);
        const begunMs = performance.now();
        await deleteWorkspace(own, honest.workspace);

        await eventually('the workspace is let go', async () => equal(await ended(own, 'empty'), 1), WITHIN_MS);
        world.tell('S13.17', `the other one was let go after ${((performance.now() - begunMs) / 1_000).toFixed(1)} s`);
        equal(await ended(own, 'timed-out'), 0);
        await content.wentInOrder();
        for (const { workspace } of hostile) await letGo(own, workspace);
        equal(await ended(own, 'timed-out'), HOSTILE);
        const ours = hook.asked.filter(
          ({ review }) => review.userInfo.groups?.some((group) => group.startsWith('system:kcp:terminator:')) === true,
        );
        ok(ours.length >= HOSTILE, `only ${ours.length} deletes of ours were kept waiting`);
        isSilent = false;
        await content.release();
      }),
  },
];

/** Has a provider's webhook asked about the VMs of all its consumers. */
async function install(own: World, { compute: provider }: Cloud, hook: Webhook): Promise<void> {
  const rules = [{ operations: ['DELETE'], apiGroups: [COMPUTE], apiVersions: ['*'], resources: ['vms'], scope: '*' }];
  // So that kcp deletes what is left once it answers again, or is gone.
  const entry = webhookEntry('silent.example.com', hook, { rules, timeoutSeconds: KCP_WAITS_S, failurePolicy: 'Ignore' });
  (await own.kcp.admin.post(provider.workspace.at + WEBHOOK_CONFIGURATIONS, webhookConfiguration('silent', [entry]))).expect(201);
}

/** A VPC and so many VMs that refer to it. */
async function stock(own: World, { vpcs, vms }: Tenant, count: number): Promise<void> {
  await own.create(vpcs, network('VPC', 'net'));
  for (let vm = 0; vm < count; vm += 1) await own.create(vms, compute('VM', `vm-${vm}`, refersTo('net')));
}
