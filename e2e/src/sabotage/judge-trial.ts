import type { BackendResult, Outcome } from '../running/outcome.js';
import type { Trial } from './saboteur.js';

/** What a trial showed. `noticed`: the scenario failed, and said what it was to say. `not run`: this machine lacks something. */
export type Verdict =
  | { readonly state: 'noticed'; readonly seconds: number; readonly text: string }
  | { readonly state: 'not noticed' }
  | { readonly state: 'failed otherwise'; readonly text: string }
  | { readonly state: 'not run'; readonly text: string };

/** Judges one run of a scenario with a sabotaged program. */
export function judgeTrial({ scenario, says }: Pick<Trial, 'scenario' | 'says'>, { outcomes, notExercised }: BackendResult): Verdict {
  const outcome = outcomes.get(scenario.id);
  switch (outcome?.state) {
    case undefined:
      return { state: 'failed otherwise', text: `it never ran: ${notExercised?.why ?? 'no outcome'}` };
    case 'passed':
      return { state: 'not noticed' };
    case 'skipped':
      return { state: 'not run', text: outcome.why };
    case 'failed':
      return says.some((text) => outcome.problem.includes(text))
        ? { state: 'noticed', seconds: outcome.ms / 1_000, text: outcome.problem }
        : { state: 'failed otherwise', text: outcome.problem };
    default:
      return outcome satisfies never;
  }
}

/** The same as the outcome of a case: to have noticed is to have passed. */
export function outcomeOf(verdict: Verdict): Outcome {
  switch (verdict.state) {
    case 'noticed':
      return { state: 'passed', ms: verdict.seconds * 1_000 };
    case 'not run':
      return { state: 'skipped', why: verdict.text };
    case 'not noticed':
    case 'failed otherwise':
      return { state: 'failed', ms: 0, problem: verdict.state };
    default:
      return verdict satisfies never;
  }
}

/** One line about it. */
export function verdictLine({ saboteur, scenario, says }: Trial, verdict: Verdict): string {
  const trial = `${scenario.id} with ${saboteur.name}`;
  switch (verdict.state) {
    case 'noticed':
      return `noticed ${trial} after ${verdict.seconds.toFixed(1)} s: ${oneLine(verdict.text)}`;
    case 'not noticed':
      return `NOT NOTICED ${trial}: it passed although the program ${saboteur.does}`;
    case 'failed otherwise':
      return `FAILED OTHERWISE ${trial}: it was to say "${says.join('" or "')}" and said: ${oneLine(verdict.text)}`;
    case 'not run':
      return `not run ${trial}: ${verdict.text}`;
    default:
      return verdict satisfies never;
  }
}

const MOST_TEXT = 600;

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > MOST_TEXT ? `${line.slice(0, MOST_TEXT)}...` : line;
}
