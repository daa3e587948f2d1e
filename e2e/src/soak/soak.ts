// A long run: deletes, creates, rule edits, rotations and faults without end, while memory, handles, lag and latency are sampled. It
// fails on a wrong answer and on growth.
import { notEqual } from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Authority } from '../backends/pki.js';
import { writePair } from '../backends/work-dir.js';
import { literal } from '../faults/fault.js';
import { steadyLoad } from '../faults/steady-load.js';
import type { Answer } from '../https/answer.js';
import { network } from '../scenarios/cloud-types.js';
import { RULES, rule } from '../scenarios/rules.js';
import { servedCertificate } from '../scenarios/served-certificate.js';
import type { Cloud, Tenant, World } from '../scenarios/world.js';
import { eventually } from '../stage/eventually.js';
import { growthIn, type Growth } from './growth.js';
import { median, sampleOf, type Sample } from './sample.js';

const PER_SECOND = 20;
const SAMPLE_MS = 1_000;
// What happens how often, in seconds: often enough to meet each other, rarely enough to let each be worked off.
const EDIT_EVERY_S = 4;
const ROTATE_EVERY_S = 13;
const FAULT_EVERY_S = 7;
const FAULT_MS = 500;
const MOST_TURNED_AWAY = 30;

/** What a soak found. */
export interface SoakResult {
  readonly samples: readonly Sample[];
  readonly deletes: number;
  readonly growth: Growth;
  /** Wrong answers and growth; empty when all is well. */
  readonly problems: readonly string[];
}

/** Runs for so long with an installation of its own. */
export async function soak(world: World, forMs: number): Promise<SoakResult> {
  const own = await world.second({ breakable: true });
  try {
    const { cloud, tenant, vpc } = await own.guardedPair();
    const run = new SoakRun(own, { cloud, tenant, vpc });
    await run.during(forMs);
    return run.result();
  } finally {
    await own.product.stop();
  }
}

class SoakRun {
  readonly #own: World;
  readonly #stage: { readonly cloud: Cloud; readonly tenant: Tenant; readonly vpc: string };
  readonly #samples: Sample[] = [];
  readonly #wrong: string[] = [];
  #latencies: number[] = [];
  #deletes = 0;
  /** Reads that a fault has met. */
  #broken = 0;

  constructor(own: World, stage: { readonly cloud: Cloud; readonly tenant: Tenant; readonly vpc: string }) {
    this.#own = own;
    this.#stage = stage;
  }

  async during(forMs: number): Promise<void> {
    const untilMs = Date.now() + forMs;
    const { failures } = await steadyLoad({ perSecond: PER_SECOND, act: (number) => this.#act(number) }, async () => {
      await Promise.all([
        this.#sampling(untilMs),
        this.#every(EDIT_EVERY_S, untilMs, (round) => this.#editRules(round)),
        this.#every(ROTATE_EVERY_S, untilMs, () => this.#rotate()),
        this.#every(FAULT_EVERY_S, untilMs, (round) => this.#breakReads(round)),
      ]);
    });
    this.#wrong.push(...failures);
  }

  result(): SoakResult {
    const growth = growthIn(this.#samples);
    const harmless = this.#broken === 0 ? ['no fault met a read'] : [];
    return { samples: this.#samples, deletes: this.#deletes, growth, problems: [...new Set(this.#wrong), ...harmless, ...growth.problems] };
  }

  /** What is referred to is never to go; what is not may be refused while reads are broken, but goes in the end. */
  async #act(number: number): Promise<void> {
    const { admin } = this.#own.kcp;
    const { tenant, vpc } = this.#stage;
    const begunMs = Date.now();
    if (number % 2 === 0) {
      const { status, text } = await admin.delete(`${vpc}?dryRun=All`);
      this.#latencies.push(Date.now() - begunMs);
      if (status < 400) this.#wrong.push(`a delete of what is referred to was allowed: ${text.slice(0, 200)}`);
      return;
    }
    const name = `free-${number}`;
    (await taken(() => admin.post(tenant.vpcs, network('VPC', name)))).expect(201);
    for (let attempt = 0; ; attempt += 1) {
      const { status, text } = await admin.delete(`${tenant.vpcs}/${name}`);
      if (attempt === 0) this.#latencies.push(Date.now() - begunMs);
      if (status === 200) return;
      if (attempt > 20) throw new Error(`what nobody refers to was never let go: ${text.slice(0, 300)}`);
      await sleep(250);
    }
  }

  async #sampling(untilMs: number): Promise<void> {
    const { webhook, webhookPort, controller } = this.#own.product;
    const startMs = Date.now();
    while (Date.now() < untilMs) {
      await sleep(SAMPLE_MS);
      const latencies = this.#latencies;
      this.#latencies = [];
      this.#deletes += latencies.length;
      this.#samples.push({
        second: Math.round((Date.now() - startMs) / 1_000),
        webhook: await sampleOf(webhook, webhookPort),
        controller: await sampleOf(controller),
        deletes: latencies.length,
        medianMs: median(latencies),
        slowestMs: Math.max(0, ...latencies),
      });
    }
  }

  async #every(seconds: number, untilMs: number, act: (round: number) => Promise<void>): Promise<void> {
    for (let round = 0; Date.now() + seconds * 1_000 < untilMs; round += 1) {
      await sleep(seconds * 1_000);
      await act(round);
    }
  }

  /** A second rule comes, changes and goes; the first one stays in force. */
  async #editRules(round: number): Promise<void> {
    const { cloud } = this.#stage;
    const { admin } = this.#own.kcp;
    const path = `${cloud.compute.workspace.at}${RULES}/extra`;
    const extra = rule(cloud, 'extra', 'Host', [{ resource: 'zones', path: round % 2 === 0 ? '.spec.zoneRef.name' : '.spec.vpcRef.name' }]);
    if (round % 3 === 0) await this.#own.addRule(cloud, extra);
    else if (round % 3 === 1) (await taken(() => admin.patch('merge', path, { spec: extra['spec'] }))).expect(200);
    else (await taken(() => admin.delete(path))).expect(200);
  }

  /** One is served before the next one comes. */
  async #rotate(): Promise<void> {
    const { product } = this.#own;
    const before = await servedCertificate(product.webhookPort);
    const next = await Authority.create(`soak ${Date.now()}`);
    writePair(product.tlsDir, 'tls', await next.server());
    writeFileSync(product.caFile, next.pair.cert);
    await eventually('the new certificate is served', async () => notEqual(await servedCertificate(product.webhookPort), before));
  }

  /** A reset is over before the webhook has given up; a refusal is final. */
  async #breakReads(round: number): Promise<void> {
    const path = new RegExp(`^${literal(this.#stage.tenant.workspace.at)}/.*/(?:apibindings|vms)(?:/[^/]+)?$`);
    const broken = await this.#own.product.faults.breakWhere(
      { caller: 'webhook', path },
      round % 2 === 0 ? { kind: 'answer', status: 403 } : { kind: 'reset' },
    );
    await sleep(FAULT_MS);
    await broken.mend();
    this.#broken += await broken.hits();
  }
}

/** A write that a busy kcp turns away unread (429) is sent again, as kubectl sends it: in hours that happens, and it says nothing about dep-ctrl. */
async function taken(write: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await write();
    if (answer.status !== 429 || attempt === MOST_TURNED_AWAY) return answer;
    await sleep(1_000);
  }
}
