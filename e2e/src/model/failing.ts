// What is told about a script that fails: the few steps that fail by themselves, and the commands that play them again.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Played } from './play.js';
import { printScript, printSteps } from './script/script.js';
import { shrink } from './script/shrink.js';
import type { Entry, Script } from './script/step.js';

/** A script that failed, and how it is played again. */
export interface Failing {
  readonly script: Script;
  readonly played: Played;
  /** The seed that the script was drawn from; absent: it was read from a file. */
  readonly seed: number | undefined;
  readonly backend: { readonly name: string; readonly workDir: string };
  /** How long the search for the steps may take. */
  readonly withinMs: number;
  again(script: Script): Promise<Played>;
}

/** Finds the steps, writes them to a file and tells all of it. */
export async function describeFailing({ script, played, seed, backend, withinMs, again }: Failing): Promise<string> {
  const untilMs = Date.now() + withinMs;
  let replays = 0;
  let last = played;
  const fails = async (entries: readonly Entry[]): Promise<boolean> => {
    replays += 1;
    const result = await again({ ...script, entries });
    if (result.failure !== undefined) last = result;
    return result.failure !== undefined;
  };
  const isRepeatable = withinMs > 0 && (await fails(script.entries));
  const entries = isRepeatable ? await shrink(script.entries, { fails, goesOn: () => Date.now() < untilMs }) : script.entries;
  const shrunk = { ...script, entries };
  const file = join(backend.workDir, `failing-${seed ?? 'replay'}.json`);
  writeFileSync(file, printScript(shrunk));
  const command = `node e2e/run.mjs model --backend ${backend.name}`;
  return [
    `${seed === undefined ? 'the script' : `seed ${seed}`}: ${last.failure?.message ?? ''}`,
    isRepeatable
      ? `${entries.length} of ${script.entries.length} steps fail by themselves (found in ${replays} replays). Play them again:`
      : `${withinMs > 0 ? 'played again it passed: it does not fail each time' : 'not played again'}. All of its steps:`,
    ...(seed === undefined ? [] : [`  ${command} --seed ${seed} --steps ${printSteps(script, entries)}`]),
    `  ${command} --replay ${file}`,
    printScript(shrunk),
    'What happened:',
    ...last.story.map((line) => `  ${line}`),
  ].join('\n');
}
