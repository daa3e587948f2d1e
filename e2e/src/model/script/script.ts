// The script of a seed: drawn beforehand, from the model alone, so that it can be told, cut and played again.
import { addRule } from './rule-steps.js';
import { create } from './object-steps.js';
import { opening, type State } from './state.js';
import { after, choose, STEP_KINDS } from './step-kinds.js';
import type { Entry, Script, Step, StepKind } from './step.js';
import { drawTopology, type Draws } from './topology.js';

const OBJECTS = 10;
const RULES_AT_FIRST = [2, 3, 4];
const STEPS = 12;
const HOSTILE_IN_HUNDRED = 60;
const HOSTILE_ACTS = 1_000_000;

/** Any script. */
export function drawScript(draws: Draws): Script {
  const topology = drawTopology(draws);
  const entries: Entry[] = [];
  let state: State = opening(topology);
  const add = (step: Step | undefined): void => {
    if (step === undefined) return;
    const hostile = draws.percent(HOSTILE_IN_HUNDRED) ? { hostile: draws.below(HOSTILE_ACTS) } : {};
    entries.push({ at: entries.length + 1, step, ...hostile });
    state = after(state, step);
  };
  const addSome = (count: number, kind: Pick<StepKind<Step>, 'choose'>): void => {
    for (let n = 0; n < count; n += 1) add(kind.choose(state, draws));
  };
  addSome(OBJECTS, create);
  addSome(draws.pick(RULES_AT_FIRST), addRule);
  for (let n = 0; n < STEPS; n += 1) add(choose(state, draws));
  return { topology, entries };
}

/** A script as text: one step a line, so that lines can be taken out by hand. */
export function printScript({ topology, entries }: Script): string {
  const lines = entries.map((entry) => `    ${JSON.stringify(entry)}`).join(',\n');
  return `{\n  "topology": ${JSON.stringify(topology)},\n  "entries": [\n${lines}\n  ]\n}\n`;
}

/** Reads what `printScript` wrote. Throws on anything else. */
export function parseScript(text: string): Script {
  const read = JSON.parse(text) as Partial<Script>;
  const isScript = Array.isArray(read.entries) && read.entries.every((entry: Partial<Entry>) => isKnown(entry.step));
  if (!isScript || read.topology?.consumers === undefined) throw new Error('this is no script of the model test');
  return read as Script;
}

/** The script with some of its steps only, by their positions from 1: `3,7-9`. */
export function pickSteps(script: Script, text: string): Script {
  const wanted = new Set(
    text.split(',').flatMap((part) => {
      const [, first, last] = /^(\d+)(?:-(\d+))?$/.exec(part) ?? [];
      if (first === undefined) throw new Error(`"${part}" names no steps: write 3,7-9`);
      return Array.from({ length: Number(last ?? first) - Number(first) + 1 }, (_, n) => Number(first) + n);
    }),
  );
  return { ...script, entries: script.entries.filter(({ at }) => wanted.has(at)) };
}

/** The positions of some steps of a script, as `pickSteps` reads them; nothing where that would be other steps. */
export function printSteps(script: Script, some: readonly Entry[]): string | undefined {
  const runs: [number, number][] = [];
  for (const { at } of some) {
    const last = runs.at(-1);
    if (last?.[1] === at - 1) last[1] = at;
    else runs.push([at, at]);
  }
  const text = runs.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(',');
  const isTheSame = JSON.stringify(pickSteps(script, text || '0').entries) === JSON.stringify(some);
  return isTheSame ? text : undefined;
}

/** The script without consumers that no step speaks of. */
export function narrowed({ topology, entries }: Script): Script {
  const text = JSON.stringify(entries);
  const consumers = topology.consumers.filter(({ consumer }) => text.includes(`"consumer":${consumer}`));
  return { topology: { ...topology, consumers }, entries };
}

function isKnown(step: Step | undefined): boolean {
  return step !== undefined && STEP_KINDS.includes(step.kind);
}
