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

// A list of kcp takes a tenth more or less from one time to the next: many rounds, each of which begins with another. Where a list takes
// seconds, fewer tell as much.
const ROUNDS = 27;
const FEW_ROUNDS = 3;
const FEW_FROM = 20_000;
/** The naive way takes the most time and is compared with CPU alone, which hardly varies. */
const NAIVE_EVERY = 3;

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
  const rounds = size >= FEW_FROM ? FEW_ROUNDS : ROUNDS;
  const lines: Measured[] = [];
  try {
    for (let warmUp = 0; warmUp < WARM_UP_REVIEWS; warmUp++) {
      const question = questions[warmUp % questions.length];
      if (question !== undefined) await webhook.review(`/validate/${world.guarded}`, reviewOf(question, 'nobody', small));
    }
    for (const name of ['nobody', LAST]) {
      const floors: ReadAnswer[] = [];
      const samples = questions.map((question): Samples => ({ question, ours: [], cpus: [], naives: [], late: 0 }));
      for (let round = -WARM_UP; round < rounds; round++) {
        await playRound(site, webhook, { round, floors, samples, consumer, name });
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

interface Round {
  /** Below 0 while everything is warmed up, which is not counted. */
  readonly round: number;
  readonly floors: ReadAnswer[];
  readonly samples: readonly Samples[];
  readonly consumer: LogicalClusterName;
  readonly name: string;
}

/** The floor and every question once, beginning with another than the round before; then every question the naive way, in some rounds. */
async function playRound(site: Site, webhook: WebhookProcess, asked: Round): Promise<void> {
  const { round, floors, samples, consumer, name } = asked;
  const [first] = samples;
  if (first === undefined) throw new Error('nothing is asked');
  const readFloor = (): Promise<ReadAnswer> => read(site, 'floor', { question: first.question, consumer, name });
  // What the naive way left to kcp's garbage collector is cleared away by a list that is not counted.
  await readFloor();
  for (const turn of rotated(['floor' as const, ...samples], round + WARM_UP)) {
    if (turn !== 'floor') await review(site, webhook, { sample: turn, consumer, name, isCounted: round >= 0 });
    else {
      const floor = await readFloor();
      if (round >= 0) floors.push(floor);
    }
  }
  if (round >= 0 && round % NAIVE_EVERY !== 0) return;
  for (const { question, naives } of samples) {
    const naive = await read(site, 'naive', { question, consumer, name });
    if (round >= 0) naives.push(naive);
  }
}

function rotated<T>(values: readonly T[], by: number): readonly T[] {
  const first = by % values.length;
  return [...values.slice(first), ...values.slice(0, first)];
}

interface Asked {
  readonly sample: Samples;
  readonly consumer: LogicalClusterName;
  readonly name: string;
  readonly isCounted: boolean;
}

/** One question. */
async function review({ world }: Site, webhook: WebhookProcess, { sample, consumer, name, isCounted }: Asked): Promise<void> {
  const { question } = sample;
  const before = webhook.cpuMs;
  const answered = await webhook.review(`/validate/${world.guarded}`, reviewOf(question, name, consumer));
  // A kcp that is slower than the deadline of a review is told of, not hidden.
  if (answered.code === TO_BE_TRIED_AGAIN) sample.late += 1;
  else if (answered.allowed !== (name === 'nobody'))
    throw new Error(`${question.guarded}/${name}: the webhook said ${JSON.stringify(answered)}`);
  if (!isCounted) return;
  sample.ours.push(answered.ms);
  sample.cpus.push(webhook.cpuMs - before);
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
