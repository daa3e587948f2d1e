// What one deletion costs: `npm run bench -- review [--against KUBECONFIG] [--sizes 10,1000,5000,20000]
// [--questions by-plain,by-column] [--profile DIR]`. Ours is `dep-ctrl webhook` in a
// process of its own, asked over HTTPS; beside it, in turn and in the same condition, the naive way and the floor: one raw unpaged list.
// Ratios count on a real kcp; the embedded one answers from memory, so there they measure our own server too.

import 'reflect-metadata';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { EmbeddedKcp } from '@dep-ctrl/embedded-kcp';
import { Connection } from '@dep-ctrl/kcp-client';
import { loadKubeconfig } from '@dep-ctrl/kcp-client/kubeconfig';
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import { parse } from 'yaml';
import { keep, print, type Measured } from './measure.js';
import { kcpAdmin, type KcpAdmin } from './review-kubeconfig.js';
import { RoleProcess, WebhookProcess } from './review-process.js';
import { ReaderProcess, serveReader, type ReadAnswer } from './review-reader.js';
import { LAST, QUESTIONS, ReviewWorld, reviewOf, type Question } from './review-world.js';

const GOALS_AT = 5_000;
const PARALLEL = 50;
const THROUGHPUT_MS = 3_000;
const NEW_RULES = 5;
const ALL_RULES = 10;
const SETTLED_MS = 10_000;
const TO_BE_TRIED_AGAIN = 503;
const WARM_UP = 3;
const WARM_UP_REVIEWS = 400;
const SELF = fileURLToPath(import.meta.url);

if (process.argv[2] === 'reader') serveReader();
else if (process.argv[2] === 'kcp') await serveKcp();
else await measure();

/** The embedded kcp, in a process of its own. */
async function serveKcp(): Promise<void> {
  const kcp = await EmbeddedKcp.start({ delays: 'fast' });
  process.on('disconnect', () => void kcp.stop());
  process.send?.(kcp.kubeconfig());
}

async function measure(): Promise<void> {
  const { values } = parseArgs({
    options: {
      against: { type: 'string' },
      sizes: { type: 'string', default: '10,1000,5000,20000' },
      questions: { type: 'string' },
      profile: { type: 'string' },
    },
  });
  const sizes = values.sizes.split(',').map(Number);
  const asked = values.questions?.split(',');
  const questions = QUESTIONS.filter(({ guarded }) => asked?.includes(guarded) ?? true);
  const nodeFlags = values.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${values.profile}`];
  let embedded: ChildProcess | undefined;
  try {
    if (values.against === undefined) {
      embedded = fork(SELF, ['kcp']);
      const [kubeconfig] = (await once(embedded, 'message')) as [string];
      keep('review', await measureOn(kcpAdmin(kubeconfig), { sizes, questions, isEmbedded: true, nodeFlags }));
    } else {
      keep(
        'review-kcp',
        await measureOn(kcpAdmin(readFileSync(values.against, 'utf8')), { sizes, questions, isEmbedded: false, nodeFlags }),
      );
    }
  } finally {
    embedded?.disconnect();
  }
}

interface Site {
  readonly admin: KcpAdmin;
  readonly bundle: string;
  readonly world: ReviewWorld;
  readonly reader: ReaderProcess;
  readonly isEmbedded: boolean;
  /** For the measured process. */
  readonly nodeFlags: readonly string[];
}

interface Plan {
  readonly sizes: readonly number[];
  readonly questions: readonly Question[];
  readonly isEmbedded: boolean;
  /** For the measured process. */
  readonly nodeFlags: readonly string[];
}

async function measureOn(admin: KcpAdmin, { sizes, questions, isEmbedded, nodeFlags }: Plan): Promise<readonly Measured[]> {
  const start = (await import(pathToFileURL(join(process.cwd(), 'tools/start.mjs')).href)) as { ensureBundle(): Promise<string> };
  const bundle = await start.ensureBundle();
  const loaded = loadKubeconfig({ object: parse(admin.kubeconfigFor('root')) as unknown });
  if (!loaded.ok) throw new Error(loaded.problem);
  const world = new ReviewWorld(new Connection(loaded.value));
  const reader = new ReaderProcess(SELF, admin.access);
  const site = { admin, bundle, world, reader, isEmbedded, nodeFlags };
  const lines: Measured[] = [];
  const tell = (...measured: readonly Measured[]): void => {
    measured.forEach(print);
    lines.push(...measured);
  };
  try {
    await world.make();
    const small = await world.consumer(10);
    const peaks = new Map<number, number>();
    for (const size of sizes) {
      const consumer = size === 10 ? small : await world.consumer(size);
      for (const question of questions) tell(...(await latency(site, { question, consumer, small, size })));
      if (size >= 1_000) {
        const { peakMiB, failed } = await parallel(site, consumer);
        peaks.set(size, peakMiB);
        tell(
          { what: `N=${size}, ${PARALLEL} reviews at a time: peak memory`, value: peakMiB, unit: 'MiB', goal: { atMost: 250 } },
          { what: `N=${size}, ${PARALLEL} reviews at a time: failed`, value: failed, unit: '', goal: { atMost: 0 } },
        );
      }
      if (size === 10) tell(...(await throughput(site, consumer)));
    }
    const [few, many] = [peaks.get(1_000), peaks.get(20_000)];
    if (few !== undefined && many !== undefined) {
      tell({ what: 'peak memory, N=20000 against N=1000', value: many / few, unit: 'x', goal: { atMost: 1.1 } });
    }
    tell(...(await news(site)));
    tell(...(await idle(site)));
  } finally {
    reader.stop();
    // What was measured is told even where kcp takes longer than anybody waits to delete what it was measured on.
    if (!isEmbedded) await world.remove().catch((failure: unknown) => process.stderr.write(`${String(failure)}\n`));
    await world.connection.close();
  }
  return lines;
}

interface Subject {
  readonly question: Question;
  readonly consumer: LogicalClusterName;
  /** Where to warm up: a process that has just started compiles more than it judges. */
  readonly small: LogicalClusterName;
  readonly size: number;
}

/** One review at a time, in turn with the floor and the naive way. */
async function latency(site: Site, { question, consumer, small, size }: Subject): Promise<readonly Measured[]> {
  const { admin, world, reader } = site;
  const webhook = await startWebhook(site);
  const { group, version, resource } = question.dependent;
  const url = `${admin.baseUrl}/clusters/${consumer}/apis/${group}/${version}/namespaces/default/${resource}`;
  const rounds = size >= 20_000 ? 7 : 15;
  const lines: Measured[] = [];
  try {
    for (let warmUp = 0; warmUp < WARM_UP_REVIEWS; warmUp++) {
      await webhook.review(`/validate/${world.guarded}`, reviewOf(question, 'nobody', small));
    }
    for (const name of ['nobody', LAST]) {
      const ask = () => webhook.review(`/validate/${world.guarded}`, reviewOf(question, name, consumer));
      const read = (how: 'floor' | 'naive') => reader.read({ how, url, paths: question.paths, name });
      const cpus: number[] = [];
      const floors: ReadAnswer[] = [];
      const naives: ReadAnswer[] = [];
      const ours: number[] = [];
      let late = 0;
      for (let round = -WARM_UP; round < rounds; round++) {
        const [floor, naive] = [await read('floor'), await read('naive')];
        const before = webhook.cpuMs;
        const answered = await ask();
        // A kcp that is slower than the deadline of a review is told of, not hidden.
        if (answered.code === TO_BE_TRIED_AGAIN) late += 1;
        else if (answered.allowed !== (name === 'nobody'))
          throw new Error(`${question.guarded}/${name}: the webhook said ${JSON.stringify(answered)}`);
        if (round < 0) continue;
        floors.push(floor);
        naives.push(naive);
        ours.push(answered.ms);
        cpus.push(webhook.cpuMs - before);
      }
      if (late > 0) lines.push({ what: `N=${size}, ${question.guarded}, ${name}: not answered in time`, value: late, unit: '' });
      lines.push(...compare({ site, question, size, name, floors, naives, ours, cpu: mean(cpus) }));
    }
  } finally {
    await webhook.stop();
  }
  return lines;
}

interface Comparison {
  readonly site: Site;
  readonly question: Question;
  readonly size: number;
  readonly name: string;
  readonly floors: readonly ReadAnswer[];
  readonly naives: readonly ReadAnswer[];
  readonly ours: readonly number[];
  readonly cpu: number;
}

function compare({ site, question, size, name, floors, naives, ours, cpu }: Comparison): readonly Measured[] {
  const hasColumn = question.guarded.startsWith('by-column');
  const what = `N=${size}, ${hasColumn ? 'with' : 'without'} column, ${question.paths.length} path(s), ${name === LAST ? 'last refers' : 'none refers'}`;
  const floor = median(floors.map(({ ms }) => ms));
  const naive = median(naives.map(({ ms }) => ms));
  const naiveCpu = mean(naives.map(({ cpuMs }) => cpuMs));
  const hasGoal = size === GOALS_AT && question.paths.length === 1;
  const latencyGoal = site.isEmbedded ? (hasColumn ? undefined : 2) : hasColumn ? 0.6 : 1.1;
  return [
    { what: `${what}: ours`, value: median(ours), unit: 'ms' },
    { what: `${what}: naive`, value: naive, unit: 'ms' },
    { what: `${what}: floor`, value: floor, unit: 'ms' },
    {
      what: `${what}: ours against floor`,
      value: median(ours) / floor,
      unit: 'x',
      ...(hasGoal && latencyGoal !== undefined ? { goal: { atMost: latencyGoal } } : {}),
    },
    { what: `${what}: CPU of ours`, value: cpu, unit: 'ms' },
    {
      what: `${what}: CPU of ours against naive`,
      value: cpu / naiveCpu,
      unit: 'x',
      ...(hasGoal ? { goal: { atMost: hasColumn ? 0.05 : 0.35 } } : {}),
    },
  ];
}

/** Many reviews at once, half of them of objects that nobody refers to. */
async function parallel(site: Site, consumer: LogicalClusterName): Promise<{ readonly peakMiB: number; readonly failed: number }> {
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

async function throughput(site: Site, consumer: LogicalClusterName): Promise<readonly Measured[]> {
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
async function news(site: Site): Promise<readonly Measured[]> {
  const webhook = await startWebhook(site);
  try {
    const consumer = await site.world.consumer(1);
    const times: number[] = [];
    for (let index = 0; index < NEW_RULES; index++) {
      const question = { ...QUESTIONS[0], guarded: `new-${index}` as 'by-plain' };
      await site.world.addRule(question.guarded, question);
      const writtenMs = performance.now();
      while ((await webhook.review(`/validate/${site.world.guarded}`, reviewOf(question, LAST, consumer))).allowed);
      times.push(performance.now() - writtenMs);
    }
    return [{ what: 'rule written to deletion refused', value: median(times), unit: 'ms', goal: { atMost: 100 } }];
  } finally {
    await webhook.stop();
  }
}

/** Both roles in one process, with ten rules that they have installed, when nothing has happened for a while. */
async function idle({ bundle, admin, world, nodeFlags }: Site): Promise<readonly Measured[]> {
  for (let index = QUESTIONS.length + NEW_RULES; index < ALL_RULES; index++) await world.addRule(`new-${index}`, QUESTIONS[0]);
  const all = await RoleProcess.startAll([...nodeFlags, bundle], admin.kubeconfigFor(world.paths.depCtrl));
  try {
    await wait(SETTLED_MS);
    return [{ what: 'memory of "all" with ten rules, idle', value: all.residentMiB, unit: 'MiB', goal: { atMost: 110 } }];
  } finally {
    await all.uninstall([bundle], world.paths.depCtrl);
  }
}

function startWebhook({ bundle, admin, world, nodeFlags }: Site): Promise<WebhookProcess> {
  return WebhookProcess.start([...nodeFlags, bundle], admin.kubeconfigFor(world.paths.depCtrl), PARALLEL);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, each) => sum + each, 0) / values.length;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
