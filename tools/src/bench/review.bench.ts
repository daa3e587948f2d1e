// What one deletion costs: `npm run bench -- review [--against KUBECONFIG] [--sizes 10,1000,5000,20000] [--questions by-plain,by-column]
// [--small [--column]] [--bundle FILE] [--profile DIR]`. With `--small` only what most installations meet is measured: deletes through kcp in a
// workspace of ten objects, how soon a new rule protects, start and memory; with `--column` a printer column of their type shows the reference.
// With `--bundle` another build than this tree's is measured.
// For the sizes, ours is `dep-ctrl webhook` in a process of its own, asked over HTTPS; beside it, in turn and in the same condition, the naive
// way and the floor: one raw unpaged list. Ratios count on a real kcp; the embedded one answers from memory, so there they measure our own
// server too.

import 'reflect-metadata';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Connection } from '@dep-ctrl/kcp-client';
import { connectAdmin, KCP_ARGUMENT, onKcp, ownBundle, serveKcp } from './bench-kcp.js';
import { keep, print, type Measured } from './measure.js';
import type { KcpAdmin } from './review-kubeconfig.js';
import { latency } from './review-latency.js';
import { news, parallel, throughput } from './review-load.js';
import { serveNaiveWebhook } from './review-naive-webhook.js';
import { ReaderProcess, serveReader } from './review-reader.js';
import { PARALLEL, type Site } from './review-site.js';
import { small } from './review-small.js';
import { COLUMNED, PLAIN, QUESTIONS, ReviewWorld, type Question } from './review-world.js';

const ALL_SIZES = '10,1000,5000,20000';
const SELF = fileURLToPath(import.meta.url);

if (process.argv[2] === 'reader') serveReader();
else if (process.argv[2] === 'naive-webhook') await serveNaiveWebhook();
else if (process.argv[2] === KCP_ARGUMENT) await serveKcp('fast');
else await measure();

async function measure(): Promise<void> {
  const { values } = parseArgs({
    options: {
      against: { type: 'string' },
      sizes: { type: 'string', default: ALL_SIZES },
      questions: { type: 'string' },
      small: { type: 'boolean', default: false },
      column: { type: 'boolean', default: false },
      bundle: { type: 'string' },
      profile: { type: 'string' },
    },
  });
  const asked = values.questions?.split(',');
  const plan = {
    bundle: values.bundle ?? (await ownBundle()),
    sizes: values.small ? [] : values.sizes.split(',').map(Number),
    questions: QUESTIONS.filter(({ guarded }) => asked?.includes(guarded) ?? true),
    hasColumn: values.column,
    nodeFlags: values.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${values.profile}`],
  };
  // A part is kept beside the whole.
  const [part, partAsked] = values.small
    ? values.column
      ? ['-small-column', ' --small --column']
      : ['-small', ' --small']
    : values.sizes === ALL_SIZES
      ? ['', '']
      : [`-${values.sizes.replaceAll(',', '-')}`, ` --sizes ${values.sizes}`];
  await onKcp({ self: SELF, against: values.against }, async (admin, isEmbedded) => {
    const [on, flag] = isEmbedded ? ['', ''] : ['-kcp', ' --against KUBECONFIG'];
    keep(`review${on}${part}`, await measureOn(admin, { ...plan, isEmbedded }), `npm run bench -- review${flag}${partAsked}`);
  });
}

interface Plan {
  readonly bundle: string;
  /** Empty: only what is measured in a workspace of ten objects, through kcp. */
  readonly sizes: readonly number[];
  readonly questions: readonly Question[];
  readonly isEmbedded: boolean;
  readonly hasColumn: boolean;
  /** For the measured process. */
  readonly nodeFlags: readonly string[];
}

type Tell = (lines: readonly Measured[]) => void;

async function measureOn(admin: KcpAdmin, plan: Plan): Promise<readonly Measured[]> {
  const { bundle, isEmbedded, hasColumn, nodeFlags } = plan;
  const connection = connectAdmin(admin);
  const lines: Measured[] = [];
  const tell: Tell = (measured) => {
    measured.forEach(print);
    lines.push(...measured);
  };
  try {
    // First, before kcp holds thousands of objects.
    await small({ self: SELF, admin, connection, bundle, isEmbedded, hasColumn, nodeFlags, tell });
    if (plan.sizes.length > 0) await measureSizes({ admin, bundle, connection, isEmbedded, nodeFlags }, plan, tell);
  } finally {
    await connection.close();
  }
  return lines;
}

async function measureSizes(
  { connection, ...where }: Omit<Site, 'world' | 'reader'> & { readonly connection: Connection },
  plan: Plan,
  tell: Tell,
): Promise<void> {
  const world = new ReviewWorld(connection);
  const reader = new ReaderProcess(SELF, where.admin.access);
  try {
    await world.make();
    await measureReviews({ ...where, world, reader }, plan, tell);
  } finally {
    reader.stop();
    // What was measured is told even where kcp takes longer than anybody waits to delete what it was measured on.
    if (!where.isEmbedded) for (const problem of await world.remove()) process.stderr.write(`${problem}\n`);
  }
}

/** Reviews that are posted to the webhook, one size after the other. */
async function measureReviews(site: Site, { sizes, questions }: Plan, tell: Tell): Promise<void> {
  const { world } = site;
  const ten = await world.consumer(10);
  const peaks = new Map<number, number>();
  for (const size of sizes) {
    const consumer = size === 10 ? ten : await world.consumer(size);
    // Before the naive way has kept kcp's garbage collector busy.
    if (size >= 1_000) {
      const { peakMiB, failed } = await parallel(site, consumer);
      peaks.set(size, peakMiB);
      tell([
        { what: `N=${size}, ${PARALLEL} reviews at a time: peak memory`, value: peakMiB, unit: 'MiB', goal: { atMost: 250 } },
        { what: `N=${size}, ${PARALLEL} reviews at a time: failed`, value: failed, unit: '', goal: { atMost: 0 } },
      ]);
    }
    for (const dependent of [PLAIN, COLUMNED]) {
      const ofType = questions.filter((question) => question.dependent === dependent);
      if (ofType.length > 0) tell(await latency(site, { questions: ofType, consumer, small: ten, size }));
    }
    if (size === 10) tell(await throughput(site, consumer));
  }
  const [few, many] = [peaks.get(1_000), peaks.get(20_000)];
  if (few !== undefined && many !== undefined) {
    tell([{ what: 'peak memory, N=20000 against N=1000', value: many / few, unit: 'x', goal: { atMost: 1.1 } }]);
  }
  tell(await news(site));
}
