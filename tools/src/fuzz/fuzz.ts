// `npm run fuzz -- [--seconds 60] [--seed N] [--only NAME]`: bad input for everything that parses what others wrote. Each input has a
// seed; a broken promise prints it with the command that repeats it.

import { parseArgs } from 'node:util';
import { Chance } from './chance.js';
import { fuzzReview, fuzzUrl } from './review-fuzz.js';
import { fuzzPath, fuzzReport, fuzzRule } from './rule-fuzz.js';

/** Tries one input; throws or rejects when a promise is broken. */
export type FuzzTarget = (chance: Chance) => void | Promise<void>;

/** What is fuzzed. */
export const TARGETS: Readonly<Record<string, FuzzTarget>> = {
  review: fuzzReview,
  url: fuzzUrl,
  rule: fuzzRule,
  report: fuzzReport,
  path: fuzzPath,
};

/** What to fuzz, from which seed, for how long. */
export interface FuzzRun {
  readonly names: readonly string[];
  readonly seed: number;
  /** At least one round is made, however short the time. */
  readonly seconds: number;
  readonly targets?: Readonly<Record<string, FuzzTarget>>;
}

const ROUND = 500;

/** Fuzzes every target in turn until the time is over. Answers how many inputs each got; rejects at the first broken promise. */
export async function fuzz({ names, seed, seconds, targets = TARGETS }: FuzzRun): Promise<ReadonlyMap<string, number>> {
  const counts = new Map(names.map((name) => [name, 0]));
  const untilMs = performance.now() + seconds * 1_000;
  for (let next = seed; ; next += ROUND) {
    for (const name of names) {
      for (let input = next; input < next + ROUND; input++) await tryOne(name, targets[name], input);
      counts.set(name, (counts.get(name) ?? 0) + ROUND);
    }
    if (performance.now() >= untilMs) return counts;
  }
}

async function tryOne(name: string, target: FuzzTarget | undefined, seed: number): Promise<void> {
  try {
    await target?.(new Chance(seed));
  } catch (cause) {
    const repeat = `npm run fuzz -- --only ${name} --seed ${seed} --seconds 0`;
    throw new Error(
      `${name} broke its promise, repeat it by: ${repeat}\n${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}`,
      { cause },
    );
  }
}

/** The command. */
export async function runFuzz(args: readonly string[]): Promise<void> {
  const options = { seconds: { type: 'string', default: '60' }, seed: { type: 'string' }, only: { type: 'string' } } as const;
  const { values } = parseArgs({ args: [...args], options });
  const names = values.only === undefined ? Object.keys(TARGETS) : values.only.split(',');
  const unknown = names.filter((name) => !(name in TARGETS));
  if (unknown.length > 0) throw new Error(`nothing to fuzz is called ${unknown.join(', ')}; there are: ${Object.keys(TARGETS).join(', ')}`);
  const seed = Number(values.seed ?? Date.now() % 2 ** 31);
  const counts = await fuzz({ names, seed, seconds: Number(values.seconds) });
  for (const [name, count] of counts) process.stdout.write(`${name}: ${count} inputs from seed ${seed}, every promise kept\n`);
}
