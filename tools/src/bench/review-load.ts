// What many reviews at once cost, and how soon the webhook knows of a rule.

import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import type { Measured } from './measure.js';
import { median, PARALLEL, startWebhook, type Site } from './review-site.js';
import { LAST, QUESTIONS, reviewOf, UNGUARDED } from './review-world.js';

const THROUGHPUT_MS = 3_000;

/** Many reviews at once, half of them of objects without references. */
export async function parallel(site: Site, consumer: LogicalClusterName): Promise<{ readonly peakMiB: number; readonly failed: number }> {
  const webhook = await startWebhook(site);
  try {
    let failed = 0;
    for (const question of QUESTIONS) {
      const answers = await Promise.all(
        Array.from({ length: PARALLEL }, (_, index) => {
          const isFree = index % 2 === 0;
          const body = reviewOf(question, isFree ? `nobody-${index}` : `a-${index}`, consumer);
          return webhook
            .review(`/validate/${site.world.guarded}`, body)
            .then(({ allowed, code }) => allowed === isFree && (isFree || code === 403));
        }),
      );
      failed += answers.filter((isRight) => !isRight).length;
    }
    return { peakMiB: webhook.peakMiB, failed };
  } finally {
    await webhook.stop();
  }
}

/** How many reviews a second, where there is little to read; and how long the process took to be ready. */
export async function throughput(site: Site, consumer: LogicalClusterName): Promise<readonly Measured[]> {
  const webhook = await startWebhook(site);
  try {
    const lines: Measured[] = [
      {
        what: 'webhook bundle, start to ready',
        value: webhook.readyMs,
        unit: 'ms',
        ...(site.isEmbedded ? { goal: { atMost: 1_000 } } : {}),
      },
    ];
    for (const question of [QUESTIONS[0], QUESTIONS[2]]) {
      const body = reviewOf(question, 'nobody', consumer);
      const untilMs = performance.now() + THROUGHPUT_MS;
      let done = 0;
      await Promise.all(
        Array.from({ length: PARALLEL }, async () => {
          while (performance.now() < untilMs) {
            const { allowed } = await webhook.review(`/validate/${site.world.guarded}`, body);
            if (allowed) done += 1;
          }
        }),
      );
      const how = question.guarded === 'by-column' ? 'with' : 'without';
      const perSecond = done / (THROUGHPUT_MS / 1_000);
      lines.push({
        what: `N=10, ${how} column, ${PARALLEL} at a time`,
        value: perSecond,
        unit: 'reviews/s',
        ...(site.isEmbedded ? { goal: { atLeast: 500 } } : {}),
      });
    }
    return lines;
  } finally {
    await webhook.stop();
  }
}

/** From a rule written to a deletion refused because of it. */
export async function news(site: Site): Promise<readonly Measured[]> {
  const webhook = await startWebhook(site);
  try {
    const consumer = await site.world.consumer(1);
    const times: number[] = [];
    for (const guarded of UNGUARDED) {
      const question = { ...QUESTIONS[0], guarded };
      await site.world.addRule(question.guarded, question);
      const writtenMs = performance.now();
      while ((await webhook.review(`/validate/${site.world.guarded}`, reviewOf(question, LAST, consumer))).allowed);
      times.push(performance.now() - writtenMs);
    }
    return [{ what: 'rule written to deletion refused, the webhook alone', value: median(times), unit: 'ms', goal: { atMost: 100 } }];
  } finally {
    await webhook.stop();
  }
}
