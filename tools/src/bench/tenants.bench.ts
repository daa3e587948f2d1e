// What a hostile tenant costs an honest one: `npm run bench -- tenants [--against KUBECONFIG] [--rounds 5] [--apart] [--bundle FILE] [--profile DIR]`.
// The honest consumer's deletions are reviewed one after the other, in turns without and with a neighbour that is at every bound at once, so
// that both meet the same machine. Beside them, what kcp itself takes for the honest consumer's list: that is not ours to bound. With `--apart` the neighbour
// asks a webhook process of its own: what it costs then it takes from the machine and from kcp, where nobody holds it back.

import 'reflect-metadata';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { listAll } from '@dep-ctrl/kcp-client';
import { connectAdmin, KCP_ARGUMENT, onKcp, ownBundle, serveKcp } from './bench-kcp.js';
import { keep, print, type Measured } from './measure.js';
import type { KcpAdmin } from './review-kubeconfig.js';
import { WebhookProcess } from './review-process.js';
import { Attacker, serveAttacker, type Answers } from './tenants-attacker.js';
import { lookup } from './tenants-lookup.js';
import { REFERRED, reviewOf, TenantsWorld, TYPES, type Consumer } from './tenants-world.js';

const SELF = fileURLToPath(import.meta.url);
const WINDOW_MS = 5_000;
const SETTLED_MS = 1_000;
// Until the heap of a process that is only asked by the honest has stopped growing: what it takes then is no neighbour's doing.
const WARM_UP_MS = 30_000;
const { signal } = new AbortController();

if (process.argv[2] === 'attacker') serveAttacker();
else if (process.argv[2] === KCP_ARGUMENT) await serveKcp('fast');
else await measure();

async function measure(): Promise<void> {
  const { values } = parseArgs({
    options: {
      against: { type: 'string' },
      rounds: { type: 'string', default: '5' },
      apart: { type: 'boolean', default: false },
      bundle: { type: 'string' },
      profile: { type: 'string' },
    },
  });
  const nodeFlags = values.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${values.profile}`];
  const program = [...nodeFlags, values.bundle ?? (await ownBundle())];
  const rounds = Number(values.rounds);
  await onKcp({ self: SELF, against: values.against }, async (admin, isEmbedded) => {
    const [on, flag] = isEmbedded ? ['', ''] : ['-kcp', ' --against KUBECONFIG'];
    const [where, how] = values.apart ? ['-apart', ' --apart'] : ['', ''];
    const measured = await measureOn(admin, { program, rounds, isEmbedded, isApart: values.apart });
    keep(`tenants${on}${where}`, measured, `npm run bench -- tenants${flag}${how}`);
  });
}

interface Plan {
  readonly program: readonly string[];
  readonly rounds: number;
  readonly isEmbedded: boolean;
  /** Whether the neighbour asks a webhook of its own. */
  readonly isApart: boolean;
}

async function measureOn(admin: KcpAdmin, plan: Plan): Promise<readonly Measured[]> {
  const world = new TenantsWorld(connectAdmin(admin));
  const kubeconfig = admin.kubeconfigFor(world.depCtrl);
  const lines: Measured[] = [];
  const tell = (measured: readonly Measured[]): void => {
    measured.forEach(print);
    lines.push(...measured);
  };
  try {
    const { honest, hostile } = await world.make();
    tell(await neighbours({ world, kubeconfig, honest, hostile }, plan));
    if (plan.isEmbedded) {
      const count = await world.addMany();
      const webhook = await WebhookProcess.start(plan.program, kubeconfig, 1);
      await webhook.stop();
      tell([
        { what: `${count} rules of 100 providers: webhook, start to ready`, value: webhook.readyMs, unit: 'ms', goal: { atMost: 3_000 } },
      ]);
    }
    tell(lookup());
  } finally {
    // What was measured is told even where kcp takes longer than anybody waits to delete what it was measured on.
    if (!plan.isEmbedded) for (const problem of await world.remove()) process.stderr.write(`${problem}\n`);
    await world.connection.close();
  }
  return lines;
}

interface Site {
  readonly world: TenantsWorld;
  readonly kubeconfig: string;
  readonly honest: Consumer;
  readonly hostile: readonly Consumer[];
}

/** What was measured in all windows of a kind. */
interface Samples {
  readonly reviewsMs: number[];
  readonly listsMs: number[];
  /** Reviews that were not answered as they should. */
  wrong: number;
  lagMs: number;
  readonly peaksMiB: number[];
}

async function neighbours({ world, kubeconfig, honest, hostile }: Site, { program, rounds, isApart }: Plan): Promise<readonly Measured[]> {
  const webhook = await WebhookProcess.start(program, kubeconfig, 2);
  const attacked = isApart ? await WebhookProcess.start(program, kubeconfig, 2) : webhook;
  const attacker = await Attacker.start(SELF, { url: attacked.url, ca: attacked.ca, consumers: hostile });
  const [alone, beside] = [samples(), samples()];
  const answers: Record<string, number> = {};
  try {
    await play({ world, webhook, honest, samples: samples() }, WARM_UP_MS);
    for (let round = 0; round < rounds; round += 1) {
      await play({ world, webhook, honest, samples: alone }, WINDOW_MS);
      attacker.begin();
      await wait(SETTLED_MS);
      await play({ world, webhook, honest, samples: beside }, WINDOW_MS);
      add(answers, await attacker.end());
      await wait(SETTLED_MS);
    }
  } finally {
    attacker.stop();
    await webhook.stop();
    if (isApart) await attacked.stop();
  }
  process.stdout.write(`the neighbour was answered: ${JSON.stringify(answers)}\n`);
  return compare(alone, beside, answers);
}

interface Playing {
  readonly world: TenantsWorld;
  readonly webhook: WebhookProcess;
  readonly honest: Consumer;
  readonly samples: Samples;
}

/** One deletion after the other, and what kcp takes for the list that it needs. */
async function play({ world, webhook, honest, samples: into }: Playing, forMs: number): Promise<void> {
  const client = world.connection.cluster(honest.cluster);
  webhook.forgetPeak();
  await webhook.worstLagMs();
  const untilMs = performance.now() + forMs;
  for (let turn = 0; performance.now() < untilMs; turn += 1) {
    const name = turn % 4 === 0 ? REFERRED : `nobody-${turn}`;
    const begunMs = performance.now();
    const isRight = await webhook.review(`/validate/${honest.guarded}`, reviewOf('honest', name, honest)).then(
      ({ allowed, code }) => (name === REFERRED ? code === 403 : allowed),
      () => false,
    );
    into.reviewsMs.push(performance.now() - begunMs);
    if (!isRight) into.wrong += 1;
    const listMs = performance.now();
    await listAll(client, TYPES.honest.dependent, {}, { signal });
    into.listsMs.push(performance.now() - listMs);
  }
  into.lagMs = Math.max(into.lagMs, await webhook.worstLagMs());
  into.peaksMiB.push(webhook.peakMiB);
}

function compare(alone: Samples, beside: Samples, answers: Answers): readonly Measured[] {
  // What the neighbour has filled once stays with the process: before it came is what counts.
  const [aloneMiB = Number.NaN] = alone.peaksMiB;
  const besideMiB = Math.max(...beside.peaksMiB);
  const ratio = (of: 'reviewsMs' | 'listsMs', share: number): number => quantile(beside[of], share) / quantile(alone[of], share);
  const times = (
    [
      ['p50', 0.5, 1.3],
      ['p99', 0.99, 2],
    ] as const
  ).flatMap(([name, share, goal]): readonly Measured[] => [
    { what: `honest delete, ${name}, alone`, value: quantile(alone.reviewsMs, share), unit: 'ms' },
    { what: `honest delete, ${name}, beside the neighbour`, value: quantile(beside.reviewsMs, share), unit: 'ms' },
    { what: `honest delete, ${name}, beside against alone`, value: ratio('reviewsMs', share), unit: 'x', goal: { atMost: goal } },
    { what: `kcp's own list of the same objects, ${name}, beside against alone`, value: ratio('listsMs', share), unit: 'x' },
  ]);
  return [
    ...times,
    { what: 'honest deletes measured beside the neighbour', value: beside.reviewsMs.length, unit: '' },
    { what: 'honest deletes answered wrongly or not at all, alone', value: alone.wrong, unit: '', goal: { atMost: 0 } },
    { what: 'honest deletes answered wrongly or not at all, beside the neighbour', value: beside.wrong, unit: '', goal: { atMost: 0 } },
    { what: 'worst turn of the event loop, alone', value: alone.lagMs, unit: 'ms' },
    { what: 'worst turn of the event loop, beside the neighbour', value: beside.lagMs, unit: 'ms', goal: { atMost: 50 } },
    { what: 'peak memory of the process, alone', value: aloneMiB, unit: 'MiB' },
    {
      what: 'peak memory of the process, what the neighbour adds',
      value: besideMiB - aloneMiB,
      unit: 'MiB',
      goal: { atMost: 40 },
    },
    { what: "the neighbour's deletes that were answered", value: Object.values(answers).reduce((sum, each) => sum + each, 0), unit: '' },
  ];
}

function samples(): Samples {
  return { reviewsMs: [], listsMs: [], wrong: 0, lagMs: 0, peaksMiB: [] };
}

function add(sums: Record<string, number>, more: Answers): void {
  for (const [key, count] of Object.entries(more)) sums[key] = (sums[key] ?? 0) + count;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
