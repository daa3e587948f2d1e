// How long a new rule takes to protect, through both roles and kcp's admission; and kcp's own part of it.

import { setTimeout as wait } from 'node:timers/promises';
import type { GroupVersionResource } from '@dep-ctrl/kcp-names';
import type { Measured } from './measure.js';
import type { DeletesSite } from './review-deletes.js';
import { EXTRAS, REFERRED_NAME, TARGETS } from './review-deletes-objects.js';
import type { NaiveWebhook } from './review-naive-webhook.js';
import { median } from './review-site.js';

const SAMPLES = 7;
const GOAL = { atMost: 50 };
/** Until both roles have finished with what was deleted. */
const SETTLED_MS = 1_000;
const POLL_MS = 50;

/**
 * From the answer to a new rule to the first refused delete: for the first rule of a provider, then for one more beside it. The first rule
 * stays. Beside the first, in turn: from the answer to a configuration that was written by hand to the first refused delete.
 */
export async function ruleNews(site: DeletesSite, naive: NaiveWebhook): Promise<readonly Measured[]> {
  const [first, more, byHand]: readonly [number[], number[], number[]] = [[], [], []];
  for (let sample = 0; sample < SAMPLES; sample++) {
    byHand.push(await configurationByHand(site, naive));
    first.push(await ruleToRefusal(site, TARGETS.ours));
    await takeBack(site, TARGETS.ours);
    while (!(await site.world.isUnguarded())) await wait(POLL_MS);
    await wait(SETTLED_MS);
  }
  await ruleToRefusal(site, TARGETS.ours);
  await wait(SETTLED_MS);
  for (let sample = 0; sample < SAMPLES; sample++) {
    more.push(await ruleToRefusal(site, EXTRAS));
    await takeBack(site, EXTRAS);
    await wait(SETTLED_MS);
  }
  return [
    { what: 'rule written to delete refused, the first of its provider', value: median(first), unit: 'ms', goal: GOAL },
    { what: 'rule written to delete refused, one more of its provider', value: median(more), unit: 'ms', goal: GOAL },
    { what: 'configuration written by hand to delete refused', value: median(byHand), unit: 'ms' },
  ];
}

async function ruleToRefusal({ world, clients }: DeletesSite, type: GroupVersionResource): Promise<number> {
  await world.addRule(type);
  const writtenMs = performance.now();
  await clients.until('refused', type, REFERRED_NAME);
  return performance.now() - writtenMs;
}

async function takeBack({ world, clients }: DeletesSite, type: GroupVersionResource): Promise<void> {
  await world.removeRule(type);
  await clients.until('allowed', type, REFERRED_NAME);
}

async function configurationByHand({ world, clients }: DeletesSite, naive: NaiveWebhook): Promise<number> {
  const configuration = naive.configuration(TARGETS.naive, 'refuse');
  await world.install(configuration);
  const writtenMs = performance.now();
  await clients.until('refused', TARGETS.naive, REFERRED_NAME);
  const ms = performance.now() - writtenMs;
  await world.withdraw(configuration);
  await clients.until('allowed', TARGETS.naive, REFERRED_NAME);
  return ms;
}
