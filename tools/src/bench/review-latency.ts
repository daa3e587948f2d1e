// One review at a time, in turn with the floor and the naive way, so that all three meet the same machine.

import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import type { Measured } from './measure.js';
import type { WebhookProcess } from './review-process.js';
import type { ReadAnswer } from './review-reader.js';
import { mean, median, startWebhook, type Site } from './review-site.js';
import { LAST, reviewOf, type Question } from './review-world.js';

const GOALS_AT = 5_000;
const TO_BE_TRIED_AGAIN = 503;
const WARM_UP = 1;
const WARM_UP_REVIEWS = 400;

// Where a list takes seconds, less tells as much.
const FEW = { rounds: 9, reviewsEach: 3 };
const MANY = { rounds: 2, reviewsEach: 1 };
const MANY_FROM = 20_000;

/** What is asked, of whom. */
export interface Subject {
  /** Which differ in their paths alone, in turn: what the machine does meanwhile is in both. */
  readonly questions: readonly Question[];
  readonly consumer: LogicalClusterName;
  /** Where to warm up: a process that has just started compiles more than it judges. */
  readonly small: LogicalClusterName;
  readonly size: number;
}

/** What was measured of one question. */
interface Samples {
  readonly question: Question;
  readonly ours: number[];
  readonly cpus: number[];
  readonly naives: ReadAnswer[];
  /** Reviews that were not answered in time. */
  late: number;
}

/** One review at a time, in turn with the floor and the naive way. */
export async function latency(site: Site, { questions, consumer, small, size }: Subject): Promise<readonly Measured[]> {
  const { world } = site;
  const webhook = await startWebhook(site);
  const { rounds, reviewsEach } = size >= MANY_FROM ? MANY : FEW;
  const lines: Measured[] = [];
  try {
    for (let warmUp = 0; warmUp < WARM_UP_REVIEWS; warmUp++) {
      const question = questions[warmUp % questions.length];
      if (question !== undefined) await webhook.review(`/validate/${world.guarded}`, reviewOf(question, 'nobody', small));
    }
    for (const name of ['nobody', LAST]) {
      const floors: ReadAnswer[] = [];
      const samples: readonly Samples[] = questions.map((question): Samples => ({ question, ours: [], cpus: [], naives: [], late: 0 }));
      for (let round = -WARM_UP; round < rounds; round++) {
        const subject = { consumer, name, reviewsEach, isCounted: round >= 0 };
        const floor = await playRound(site, webhook, { ...subject, samples: round % 2 === 0 ? samples : samples.toReversed() });
        if (round >= 0) floors.push(floor);
      }
      const compared = samples.map((sample) => compare({ site, sample, size, name, floors }));
      lines.push(...compared.flat(), ...secondPath(samples, { size, name }));
    }
  } finally {
    await webhook.stop();
  }
  return lines;
}

function read(
  { admin, reader }: Site,
  how: 'floor' | 'naive',
  { question, consumer, name }: { readonly question: Question; readonly consumer: LogicalClusterName; readonly name: string },
): Promise<ReadAnswer> {
  const { group, version, resource } = question.dependent;
  const url = `${admin.baseUrl}/clusters/${consumer}/apis/${group}/${version}/namespaces/default/${resource}`;
  return reader.read({ how, url, paths: question.paths, name });
}

interface Asked {
  readonly consumer: LogicalClusterName;
  readonly name: string;
  readonly reviewsEach: number;
  readonly isCounted: boolean;
}

/** The floor, every question, and every question the naive way; answers with the floor. */
async function playRound(
  site: Site,
  webhook: WebhookProcess,
  asked: Asked & { readonly samples: readonly Samples[] },
): Promise<ReadAnswer> {
  const { samples, consumer, name, reviewsEach, isCounted } = asked;
  const [first] = samples;
  if (first === undefined) throw new Error('nothing is asked');
  // What the naive way left to kcp's garbage collector is cleared away by a list that is not counted.
  await read(site, 'floor', { question: first.question, consumer, name });
  const floor = await read(site, 'floor', { question: first.question, consumer, name });
  for (const sample of samples) await review(site, webhook, { sample, consumer, name, reviewsEach, isCounted });
  for (const { question, naives } of samples) {
    const naive = await read(site, 'naive', { question, consumer, name });
    if (isCounted) naives.push(naive);
  }
  return floor;
}

/** One question, some times. */
async function review({ world }: Site, webhook: WebhookProcess, asked: Asked & { readonly sample: Samples }): Promise<void> {
  const { sample, consumer, name, reviewsEach, isCounted } = asked;
  const { question } = sample;
  for (let time = 0; time < reviewsEach; time++) {
    const before = webhook.cpuMs;
    const answered = await webhook.review(`/validate/${world.guarded}`, reviewOf(question, name, consumer));
    // A kcp that is slower than the deadline of a review is told of, not hidden.
    if (answered.code === TO_BE_TRIED_AGAIN) sample.late += 1;
    else if (answered.allowed !== (name === 'nobody'))
      throw new Error(`${question.guarded}/${name}: the webhook said ${JSON.stringify(answered)}`);
    if (!isCounted) continue;
    sample.ours.push(answered.ms);
    sample.cpus.push(webhook.cpuMs - before);
  }
}

/** What a second path adds. */
function secondPath([one, two]: readonly Samples[], { size, name }: { readonly size: number; readonly name: string }): readonly Measured[] {
  if (one === undefined || two === undefined) return [];
  const what = `N=${size}, ${asTold(one.question, name)}: a second path`;
  const goal = size === GOALS_AT ? { goal: { atMost: 1.1 } } : {};
  const naiveMs = (sample: Samples): number => median(sample.naives.map(({ ms }) => ms));
  return [
    { what: `${what}, ours`, value: median(two.ours) / median(one.ours), unit: 'x', ...goal },
    { what: `${what}, naive`, value: naiveMs(two) / naiveMs(one), unit: 'x' },
  ];
}

interface Comparison {
  readonly site: Site;
  readonly sample: Samples;
  readonly size: number;
  readonly name: string;
  readonly floors: readonly ReadAnswer[];
}

function compare({ site, sample, size, name, floors }: Comparison): readonly Measured[] {
  const { question, ours, cpus, naives, late } = sample;
  const hasColumn = isByColumn(question);
  const what = `N=${size}, ${asTold(question, name)}, ${question.paths.length} path(s)`;
  const floor = median(floors.map(({ ms }) => ms));
  const cpu = mean(cpus);
  const hasGoal = size === GOALS_AT && question.paths.length === 1;
  const latencyGoal = site.isEmbedded ? (hasColumn ? undefined : 2) : hasColumn ? 0.6 : 1.1;
  return [
    ...(late > 0 ? [{ what: `${what}: not answered in time`, value: late, unit: '' }] : []),
    { what: `${what}: ours`, value: median(ours), unit: 'ms' },
    { what: `${what}: naive`, value: median(naives.map(({ ms }) => ms)), unit: 'ms' },
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
      value: cpu / mean(naives.map(({ cpuMs }) => cpuMs)),
      unit: 'x',
      ...(hasGoal ? { goal: { atMost: hasColumn ? 0.05 : 0.35 } } : {}),
    },
  ];
}

function asTold(question: Question, name: string): string {
  return `${isByColumn(question) ? 'with' : 'without'} column, ${name === LAST ? 'last refers' : 'none refers'}`;
}

function isByColumn({ guarded }: Question): boolean {
  return guarded.startsWith('by-column');
}
