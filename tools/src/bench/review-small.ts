// What most installations are: ten objects, ten rules, both roles in one process. Deletes go through kcp, which asks the webhook.

import { setTimeout as wait } from 'node:timers/promises';
import type { Connection } from '@dep-ctrl/kcp-client';
import type { Measured } from './measure.js';
import { DeleteClients } from './review-delete-clients.js';
import { deletes, floor, MANY_CLIENTS } from './review-deletes.js';
import { MACHINES, REFERENCE, REFERRED_NAME, TARGETS, type } from './review-deletes-objects.js';
import { DeletesWorld } from './review-deletes-world.js';
import type { KcpAdmin } from './review-kubeconfig.js';
import { NaiveWebhook } from './review-naive-webhook.js';
import { RoleProcess } from './review-process.js';
import { ruleNews } from './review-rule-news.js';
import { median } from './review-site.js';

const ALL_RULES = 10;
const STARTS = 3;
const SETTLED_MS = 10_000;

/** What is measured, and where. */
export interface SmallPlan {
  /** The file of the bench, which starts the naive webhook. */
  readonly self: string;
  readonly admin: KcpAdmin;
  readonly connection: Connection;
  readonly bundle: string;
  readonly isEmbedded: boolean;
  /** Whether a printer column shows the reference. */
  readonly hasColumn: boolean;
  /** For the measured process. */
  readonly nodeFlags: readonly string[];
  readonly tell: (lines: readonly Measured[]) => void;
}

/** Tells how long a rule takes to protect, what deletes cost, and what the process takes to start and holds when idle. */
export async function small(plan: SmallPlan): Promise<void> {
  const { connection, isEmbedded, tell } = plan;
  const world = new DeletesWorld(connection, plan);
  try {
    await world.make();
    await protects(plan, world);
    tell(await startsAndIdles(plan, world));
  } finally {
    if (!isEmbedded) for (const problem of await world.remove()) process.stderr.write(`${problem}\n`);
  }
}

/** Leaves ten rules, of which the first guards the targets. */
async function protects(plan: SmallPlan, world: DeletesWorld): Promise<void> {
  const { self, admin, isEmbedded, tell } = plan;
  const naive = await NaiveWebhook.start(self, admin, { dependent: MACHINES, path: REFERENCE });
  const clients = new DeleteClients(admin, world.consumer, MANY_CLIENTS);
  const all = await startAll(plan, world);
  try {
    const site = { world, clients, isEmbedded };
    tell(await ruleNews(site, naive));
    const configuration = naive.configuration(TARGETS.naive, 'validate');
    await world.install(configuration);
    await clients.until('refused', TARGETS.naive, REFERRED_NAME);
    tell(await deletes(site));
    // The consumer's targets could not be deleted once the naive webhook is gone.
    await world.withdraw(configuration);
    tell(await floor(site, naive));
    // kcp asks the webhook about rules too, so they are written while it runs.
    for (let index = 1; index < ALL_RULES; index++) await world.addRule(type('ours', `spare${index}s`));
  } finally {
    await all.stop();
    naive.stop();
    await clients.close();
  }
}

/** With ten rules that are installed. The last process takes back what is in the workspaces. */
async function startsAndIdles(plan: SmallPlan, world: DeletesWorld): Promise<readonly Measured[]> {
  const readyMs: number[] = [];
  for (let start = 1; start < STARTS; start++) {
    const all = await startAll(plan, world);
    readyMs.push(all.readyMs);
    await all.stop();
  }
  const all = await startAll(plan, world);
  readyMs.push(all.readyMs);
  try {
    await wait(SETTLED_MS);
    return [
      { what: '"all" with ten rules, start to ready', value: median(readyMs), unit: 'ms' },
      { what: '"all" with ten rules, memory when idle', value: all.residentMB, unit: 'MB', goal: { atMost: 110 } },
    ];
  } finally {
    await all.uninstall([plan.bundle], world.depCtrl);
  }
}

function startAll({ nodeFlags, bundle, admin }: SmallPlan, world: DeletesWorld): Promise<RoleProcess> {
  return RoleProcess.startAll([...nodeFlags, bundle], admin.kubeconfigFor(world.depCtrl));
}
