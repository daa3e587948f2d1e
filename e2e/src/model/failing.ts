// What is told about a script that fails: the few steps that fail by themselves, and the commands that play them again.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Played } from './play.js';
import { narrowed, printScript, printSteps } from './script/script.js';
import { shrink } from './script/shrink.js';
import type { Script } from './script/step.js';

/** A script that failed, and how it is played again. */
export interface Failing {
  readonly script: Script;
  readonly played: Played;
  /** The seed that the script was drawn from; absent: it was read from a file. */
  readonly seed: number | undefined;
  readonly backend: { readonly name: string; readonly workDir: string };
  /** How long the search for the steps may take. */
  readonly withinMs: number;
  readonly again: (script: Script) => Promise<Played>;
}

/** Finds the steps, writes them to a file and tells all of it. */
export async function describeFailing(failing: Failing): Promise<string> {
  const { script, seed, backend } = failing;
  const { smallest, played, said } = await search(failing);
  const file = join(backend.workDir, `failing-${seed ?? 'replay'}.json`);
  writeFileSync(file, printScript(smallest));
  const command = `node e2e/run.mjs model --backend ${backend.name}`;
  const positions = seed === undefined ? undefined : printSteps(script, smallest.entries);
  return [
    `${seed === undefined ? 'the script' : `seed ${seed}`}: ${played.failure?.message ?? ''}`,
    said,
    ...(positions === undefined ? [] : [`  ${command} --seed ${seed ?? ''} --steps ${positions}`]),
    `  ${command} --replay ${file}`,
    printScript(smallest),
    'What happened:',
    ...played.story.map((line) => `  ${line}`),
  ].join('\n');
}

interface Found {
  readonly smallest: Script;
  /** How it went when it failed last. */
  readonly played: Played;
  readonly said: string;
}

async function search({ script, played, withinMs, again }: Failing): Promise<Found> {
  const all = { smallest: script, played };
  if (withinMs <= 0) return { ...all, said: 'Not played again. All of its steps:' };
  const untilMs = Date.now() + withinMs;
  let replays = 0;
  let last = played;
  const fails = async (part: Script): Promise<boolean> => {
    replays += 1;
    const result = await again(part);
    if (result.failure !== undefined) last = result;
    return result.failure !== undefined;
  };
  if (!(await fails(script))) return { ...all, said: 'Played again it passed: it does not fail each time. All of its steps:' };
  // Most failures have nothing to do with who else is there.
  const quiet = narrowed({ ...script, entries: script.entries.map(({ step, at }) => ({ step, at })) });
  const base = (await fails(quiet)) ? quiet : script;
  const entries = await shrink(base.entries, {
    fails: (some) => fails({ ...base, entries: some }),
    goesOn: () => Date.now() < untilMs,
  });
  const smallest = narrowed({ ...base, entries });
  const found = `${entries.length} of ${script.entries.length} steps fail by themselves`;
  return { smallest, played: last, said: `${found} (found in ${replays} replays). Play them again:` };
}
