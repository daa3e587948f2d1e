// `npm run soak`: one soak per backend, its numbers and its picture.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BackendName } from '../backends/backend.js';
import { startBackend } from '../backends/catalogue.js';
import type { Stamp } from '../records/run-record.js';
import type { BackendResult, Outcome } from '../running/outcome.js';
import { World } from '../scenarios/world.js';
import { chartOf } from './chart.js';
import { interval } from './growth.js';
import { thinned } from './sample.js';
import { soak, type SoakResult } from './soak.js';

const MINUTE_MS = 60_000;
// As many as a chart can show.
const MOST_SAVED = 300;
// What is shorter shows nothing about growth, and would replace the record of a run that does.
const RECORDED_MINUTES = 30;

/** How to soak. */
export interface SoakOptions {
  readonly minutes: number;
  /** Where the numbers and the picture go; absent: nowhere. */
  readonly save?: string;
  /** Which code this is; undefined where git does not say. */
  readonly stamp: Stamp | undefined;
  readonly say: (text: string) => void;
  /** Notes a run, with what it consisted of. */
  readonly record: (result: BackendResult, extent: string) => void;
}

/** Soaks one backend after the other; answers the exit code. */
export async function runSoak(backends: readonly BackendName[], { minutes, save, stamp, say, record }: SoakOptions): Promise<0 | 1> {
  let [passed, failed, skipped] = [0, 0, 0];
  for (const name of backends) {
    const backend = await startBackend(name, process.env);
    if ('missing' in backend) {
      say(`${name}: NOT EXERCISED: ${backend.missing}`);
      skipped += 1;
      continue;
    }
    const { version } = backend;
    const result = await soakOn(backend, minutes * MINUTE_MS);
    const { deletes, growth, problems } = result;
    const made =
      stamp === undefined
        ? ''
        : `, ${stamp.on.slice(0, 10)}, commit ${stamp.commit.slice(0, 10)}${stamp.dirty === true ? ' with changes' : ''}`;
    const title = `dep-ctrl on ${name} (kcp ${version}): ${deletes} deletes in ${minutes} min${made}`;
    say([title, growth.shows, ...growth.rises.map(told), ...problems.map((problem) => `FAIL ${problem}`)].join('\n  '));
    if (save !== undefined) {
      mkdirSync(save, { recursive: true });
      const samples = thinned(result.samples, MOST_SAVED);
      const command = `npm run soak -- --backend ${name} --minutes ${minutes}`;
      const about = { command, backend: name, kcp: version, ...stamp, minutes };
      writeFileSync(join(save, 'soak.json'), `${JSON.stringify({ ...about, ...result, samples }, null, 2)}\n`);
      writeFileSync(join(save, 'soak.svg'), chartOf(samples, title));
    }
    if (problems.length === 0) passed += 1;
    else failed += 1;
    if (minutes < RECORDED_MINUTES) say(`  not noted as a record: that takes ${RECORDED_MINUTES} min`);
    else record({ backend: name, version, seconds: minutes * 60, outcomes: outcomeOf(result, minutes) }, `${deletes} deletes`);
  }
  say(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  return failed === 0 && passed > 0 ? 0 : 1;
}

function outcomeOf({ problems }: SoakResult, minutes: number): BackendResult['outcomes'] {
  const ms = minutes * MINUTE_MS;
  const outcome: Outcome = problems.length === 0 ? { state: 'passed', ms } : { state: 'failed', ms, problem: problems.join('; ') };
  return new Map([['soak', outcome]]);
}

function told({ role, measure, slope }: SoakResult['growth']['rises'][number]): string {
  return `${role}: ${measure} ${interval(slope)} an hour`;
}

async function soakOn(backend: Parameters<typeof World.open>[0], forMs: number): Promise<SoakResult> {
  let world: World | undefined;
  try {
    world = await World.open(backend);
    return await soak(world, forMs);
  } finally {
    await world?.close();
    await backend.stop();
  }
}
