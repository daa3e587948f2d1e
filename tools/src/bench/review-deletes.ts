// Deletes through kcp in a workspace of ten objects: dep-ctrl's beside those that the naive webhook is asked about, in turn.

import type { Measured } from './measure.js';
import type { DeleteClients, DeletedAll, Verdict } from './review-delete-clients.js';
import { REFERRED, TARGETS, type Side } from './review-deletes-objects.js';
import type { DeletesWorld } from './review-deletes-world.js';
import type { NaiveWebhook } from './review-naive-webhook.js';
import { median } from './review-site.js';

const ROUNDS = 6;
const WARM_UP = 1;
/** Clients of the throughput. */
export const MANY_CLIENTS = 20;

/** What is done in every round by both sides. */
interface Phase {
  readonly expected: Verdict;
  readonly clients: number;
  readonly deletes: number;
}

const PHASES: readonly Phase[] = [
  { expected: 'allowed', clients: 1, deletes: 15 },
  { expected: 'refused', clients: 1, deletes: 20 },
  { expected: 'allowed', clients: MANY_CLIENTS, deletes: 160 },
  { expected: 'refused', clients: MANY_CLIENTS, deletes: 240 },
];

const AT_LEAST: Readonly<Record<Verdict, number>> = { allowed: 1.1, refused: 1.5 };
const AT_MOST_MS_MORE = 2;

/** Where it is measured. */
export interface DeletesSite {
  readonly world: DeletesWorld;
  readonly clients: DeleteClients;
  /** The embedded kcp answers from memory: goals count on a real one. */
  readonly isEmbedded: boolean;
}

type Samples = Readonly<Record<Side, DeletedAll[]>>;

/** Deletes per second with many clients, and the latency of one delete. Each side's webhook is in force. */
export async function deletes(site: DeletesSite): Promise<readonly Measured[]> {
  const measured = PHASES.map((phase): { readonly phase: Phase; readonly samples: Samples } => ({
    phase,
    samples: { ours: [], naive: [] },
  }));
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    for (const { phase, samples } of measured) await play(site, { phase, round, samples });
  }
  return measured.flatMap(({ phase, samples }) => (phase.clients === 1 ? latency : throughput)(phase, samples, site));
}

/** What kcp answers at most: deletes refused by a webhook that reads nothing. */
export async function floor({ world, clients }: DeletesSite, naive: NaiveWebhook): Promise<readonly Measured[]> {
  const phase: Phase = { expected: 'refused', clients: MANY_CLIENTS, deletes: 240 };
  const configuration = naive.configuration(TARGETS.naive, 'refuse');
  await world.install(configuration);
  const [refused = ''] = REFERRED;
  await clients.until('refused', TARGETS.naive, refused);
  const rates: number[] = [];
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    const { perSecond } = await clients.deleteAll(TARGETS.naive, namesFor(phase, round), phase);
    if (round >= 0) rates.push(perSecond);
  }
  await world.withdraw(configuration);
  return [
    {
      what: `through kcp, N=10, ${MANY_CLIENTS} clients, refused: a webhook that reads nothing`,
      value: median(rates),
      unit: 'deletes/s',
    },
  ];
}

interface Turn {
  readonly phase: Phase;
  /** Below 0 while everything is warmed up, which is not counted. */
  readonly round: number;
  readonly samples: Samples;
}

/** The same deletes on both sides, beginning with another side than the round before. Making the objects takes no part in the time. */
async function play({ world, clients }: DeletesSite, { phase, round, samples }: Turn): Promise<void> {
  const sides: readonly Side[] = round % 2 === 0 ? ['ours', 'naive'] : ['naive', 'ours'];
  const names = namesFor(phase, round);
  if (phase.expected === 'allowed') for (const side of sides) await world.writeTargets(TARGETS[side], names);
  for (const side of sides) {
    const all = await clients.deleteAll(TARGETS[side], names, phase);
    if (round >= 0) samples[side].push(all);
  }
}

/** What may be deleted is deleted once; what is refused is there for the next time. */
function namesFor({ expected, clients, deletes: count }: Phase, round: number): readonly string[] {
  return Array.from({ length: count }, (_, index) =>
    expected === 'allowed' ? `free-${round + WARM_UP}-${clients}-${index}` : (REFERRED[index % REFERRED.length] ?? ''),
  );
}

function latency({ expected }: Phase, samples: Samples, { isEmbedded }: DeletesSite): readonly Measured[] {
  const what = `through kcp, N=10, one delete ${expected}`;
  const [ours, naive] = both(samples, (all) => median(all.flatMap(({ times }) => times)));
  const goal = isEmbedded ? {} : { goal: { atMost: AT_MOST_MS_MORE } };
  return [
    { what: `${what}: ours`, value: ours, unit: 'ms' },
    { what: `${what}: naive`, value: naive, unit: 'ms' },
    { what: `${what}: ours longer than naive`, value: ours - naive, unit: 'ms', ...goal },
  ];
}

function throughput({ expected, clients }: Phase, samples: Samples, { isEmbedded }: DeletesSite): readonly Measured[] {
  const what = `through kcp, N=10, ${clients} clients, ${expected}`;
  const [ours, naive] = both(samples, (all) => median(all.map(({ perSecond }) => perSecond)));
  const goal = isEmbedded ? {} : { goal: { atLeast: AT_LEAST[expected] } };
  return [
    { what: `${what}: ours`, value: ours, unit: 'deletes/s' },
    { what: `${what}: naive`, value: naive, unit: 'deletes/s' },
    { what: `${what}: ours against naive`, value: ours / naive, unit: 'x', ...goal },
  ];
}

function both(samples: Samples, measure: (all: readonly DeletedAll[]) => number): readonly [ours: number, naive: number] {
  return [measure(samples.ours), measure(samples.naive)];
}
