// The results of the preconditions: those that are broken, and those that could not be checked. Pure.
import type { Unread } from '../installation/reading.js';
import type { Examined } from './precondition.js';

/** A broken precondition. */
export interface Finding {
  readonly id: string;
  readonly where: string;
  readonly says: string;
  readonly run: string;
}

/** A precondition that was not checked. */
export interface NotLookedAt {
  readonly id: string;
  readonly where: string;
  readonly because: Unread['because'];
  readonly why: string;
}

/** Both. */
export interface Findings {
  readonly broken: readonly Finding[];
  readonly notLookedAt: readonly NotLookedAt[];
}

/** The findings, each once. */
export function findingsOf(examined: readonly Examined[]): Findings {
  const all = examined.flatMap(({ precondition: { id }, judgements }) => judgements.map((judgement) => ({ id, judgement })));
  return {
    broken: all.flatMap(({ id, judgement }) =>
      judgement.state === 'broken' ? [{ id, where: judgement.where, says: judgement.says, run: judgement.run }] : [],
    ),
    notLookedAt: all.flatMap(({ id, judgement }) =>
      judgement.state === 'not-checked' ? [{ id, where: judgement.where, because: judgement.because, why: judgement.why }] : [],
    ),
  };
}

/** Whether all is well: nothing is broken, and nothing was kept from view. What takes a flag that was not given is no shame. */
export function isWell({ broken, notLookedAt }: Findings): boolean {
  return broken.length === 0 && notLookedAt.every(({ because }) => because === 'not-asked');
}

/** Why not, in a line. */
export function summary({ broken, notLookedAt }: Findings): string {
  const hidden = notLookedAt.filter(({ because }) => because !== 'not-asked').length;
  const parts = [
    ...(broken.length === 0 ? [] : [`${broken.length} ${broken.length === 1 ? 'thing is' : 'things are'} wrong`]),
    ...(hidden === 0 ? [] : [`${hidden} ${hidden === 1 ? 'thing' : 'things'} could not be looked at`]),
  ];
  return parts.join(', ');
}
