// One review at a time, in turn with the floor and the naive way, so that all three meet the same machine.

import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import type { Measured } from './measure.js';
import type { ReadAnswer } from './review-reader.js';
import { median, mean, startWebhook, type Site } from './review-site.js';
import { LAST, reviewOf, type Question } from './review-world.js';

const GOALS_AT = 5_000;
const TO_BE_TRIED_AGAIN = 503;
const WARM_UP = 3;
const WARM_UP_REVIEWS = 400;

/** What is asked, of whom. */
export interface Subject {
  readonly question: Question;
  readonly consumer: LogicalClusterName;
  /** Where to warm up: a process that has just started compiles more than it judges. */
  readonly small: LogicalClusterName;
  readonly size: number;
}

/** What one question took, in the middle. */
export interface Latency {
  readonly name: string;
  readonly oursMs: number;
  readonly naiveMs: number;
  readonly floorMs: number;
  readonly lines: readonly Measured[];
}

/** One review at a time, in turn with the floor and the naive way. */
export async function latency(site: Site, { question, consumer, small, size }: Subject): Promise<readonly Latency[]> {
  const { admin, world, reader } = site;
  const webhook = await startWebhook(site);
  const { group, version, resource } = question.dependent;
  const url = `${admin.baseUrl}/clusters/${consumer}/apis/${group}/${version}/namespaces/default/${resource}`;
  const rounds = size >= 20_000 ? 4 : 15;
  const latencies: Latency[] = [];
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
      latencies.push(compare({ site, question, size, name, floors, naives, ours, late, cpu: mean(cpus) }));
    }
  } finally {
    await webhook.stop();
  }
  return latencies;
}

/**
 * What a second path adds. The two questions are asked minutes apart, so each is taken against the floor of its own minutes: what the
 * machine did meanwhile is in both.
 */
export function secondPath(how: string, size: number, one: readonly Latency[], two: readonly Latency[]): readonly Measured[] {
  return two.flatMap((second) => {
    const first = one.find(({ name }) => name === second.name);
    if (first === undefined) return [];
    const grows = (of: 'oursMs' | 'naiveMs') => second[of] / second.floorMs / (first[of] / first.floorMs);
    const what = `N=${size}, ${how} column, ${asTold(second.name)}: a second path, against floors`;
    const goal = size === GOALS_AT ? { goal: { atMost: 1.1 } } : {};
    return [
      { what: `${what}, ours`, value: grows('oursMs'), unit: 'x', ...goal },
      { what: `${what}, naive`, value: grows('naiveMs'), unit: 'x' },
    ];
  });
}

interface Comparison {
  readonly site: Site;
  readonly question: Question;
  readonly size: number;
  readonly name: string;
  readonly floors: readonly ReadAnswer[];
  readonly naives: readonly ReadAnswer[];
  readonly ours: readonly number[];
  /** Reviews that were not answered in time. */
  readonly late: number;
  readonly cpu: number;
}

function compare({ site, question, size, name, floors, naives, ours, late, cpu }: Comparison): Latency {
  const hasColumn = question.guarded.startsWith('by-column');
  const what = `N=${size}, ${hasColumn ? 'with' : 'without'} column, ${question.paths.length} path(s), ${asTold(name)}`;
  const oursMs = median(ours);
  const floorMs = median(floors.map(({ ms }) => ms));
  const naiveMs = median(naives.map(({ ms }) => ms));
  const naiveCpu = mean(naives.map(({ cpuMs }) => cpuMs));
  const hasGoal = size === GOALS_AT && question.paths.length === 1;
  const latencyGoal = site.isEmbedded ? (hasColumn ? undefined : 2) : hasColumn ? 0.6 : 1.1;
  const lines: Measured[] = [
    ...(late > 0 ? [{ what: `${what}: not answered in time`, value: late, unit: '' }] : []),
    { what: `${what}: ours`, value: oursMs, unit: 'ms' },
    { what: `${what}: naive`, value: naiveMs, unit: 'ms' },
    { what: `${what}: floor`, value: floorMs, unit: 'ms' },
    {
      what: `${what}: ours against floor`,
      value: oursMs / floorMs,
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
  return { name, oursMs, naiveMs, floorMs, lines };
}

function asTold(name: string): string {
  return name === LAST ? 'last refers' : 'none refers';
}
