// Prints the result of `doctor`. The first broken precondition comes last, next to the prompt. Pure.
import type { Examined } from './precondition.js';
import { findingsOf, isWell, type Finding, type NotLookedAt } from './preconditions.js';

/** As data. */
export interface DoctorResult {
  readonly well: boolean;
  readonly preconditions: readonly {
    readonly id: string;
    readonly state: 'met' | 'broken' | 'not-checked' | 'nothing-to-check';
    readonly met: number;
  }[];
  readonly broken: readonly Finding[];
  readonly notLookedAt: readonly NotLookedAt[];
}

/** Sums up. */
export function doctorResult(examined: readonly Examined[]): DoctorResult {
  const findings = findingsOf(examined);
  return {
    well: isWell(findings),
    preconditions: examined.map(({ precondition: { id }, judgements }) => ({
      id,
      state: stateOf(judgements.map(({ state }) => state)),
      met: judgements.filter(({ state }) => state === 'met').length,
    })),
    ...findings,
  };
}

function stateOf(states: readonly ('met' | 'broken' | 'not-checked')[]): DoctorResult['preconditions'][number]['state'] {
  if (states.includes('broken')) return 'broken';
  if (states.includes('not-checked')) return 'not-checked';
  return states.length === 0 ? 'nothing-to-check' : 'met';
}

/** For people. */
export function asText({ well, preconditions, broken, notLookedAt }: DoctorResult, { all }: { readonly all: boolean }): string {
  const isMet = preconditions.filter(({ state }) => state === 'met');
  const idle = preconditions.filter(({ state }) => state === 'nothing-to-check');
  const lines = [
    ...(all ? isMet.map(({ id, met }) => `ok     ${id}${met > 1 ? ` (${met})` : ''}`) : []),
    ...(all ? idle.map(({ id }) => `-      ${id}: nothing to check yet`) : []),
    ...notLookedAt.map(({ id, where, why }) => `not looked at: ${id}, ${where}: ${why}`),
    ...broken.flatMap(({ id, where, says, run }) => [`WRONG  ${id}: ${where} ${says}`, `       run: ${run}`]),
    `${isMet.length} of ${preconditions.length} preconditions are met${well ? ', and none is broken' : ''}${idle.length === 0 ? '' : `; ${idle.length} have nothing to check yet`}`,
  ];
  return `${lines.join('\n')}\n`;
}
