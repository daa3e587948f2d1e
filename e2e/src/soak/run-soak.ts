// `npm run soak`: one soak per backend, its numbers and its picture.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BackendName } from '../backends/backend.js';
import { startBackend } from '../backends/catalogue.js';
import { World } from '../scenarios/world.js';
import { chartOf } from './chart.js';
import { thinned } from './sample.js';
import { soak, type SoakResult } from './soak.js';

const MINUTE_MS = 60_000;
// As many as a chart can show.
const MOST_SAVED = 300;

/** How to soak. */
export interface SoakOptions {
  readonly minutes: string;
  /** Where the numbers and the picture go; absent: nowhere. */
  readonly save?: string;
  readonly say: (text: string) => void;
}

/** Soaks one backend after the other; answers the exit code. */
export async function runSoak(backends: readonly BackendName[], { minutes, save, say }: SoakOptions): Promise<0 | 1> {
  let [passed, failed, skipped] = [0, 0, 0];
  for (const name of backends) {
    const backend = await startBackend(name, process.env);
    if ('missing' in backend) {
      say(`${name}: NOT EXERCISED: ${backend.missing}`);
      skipped += 1;
      continue;
    }
    const begun = new Date().toISOString();
    const result = await soakOn(backend, Number(minutes) * MINUTE_MS);
    const title = `dep-ctrl on ${name} (kcp ${backend.version}): ${result.deletes} deletes in ${minutes} min`;
    say(`${title}${result.problems.map((problem) => `\n  ${problem}`).join('')}`);
    if (save !== undefined) {
      mkdirSync(save, { recursive: true });
      const samples = thinned(result.samples, MOST_SAVED);
      const command = `npm run soak -- --backend ${name} --minutes ${minutes}`;
      const about = { command, kcp: backend.version, begun, minutes: Number(minutes) };
      writeFileSync(join(save, 'soak.json'), `${JSON.stringify({ ...about, ...result, samples }, null, 1)}\n`);
      writeFileSync(join(save, 'soak.svg'), chartOf(samples, `${title}: ${command}`));
    }
    if (result.problems.length === 0) passed += 1;
    else failed += 1;
  }
  say(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  return failed === 0 && passed > 0 ? 0 : 1;
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
