// All preconditions judged, and what is wrong: those that are broken, and those that could not be checked. Pure.
import type { Unread } from '../installation/reading.js';
import { GRANTED_PRECONDITIONS } from './granted-preconditions.js';
import { HOME_PRECONDITIONS } from './home-preconditions.js';
import type { DoctorFacts, Examined, Precondition } from './precondition.js';
import { PROVIDER_PRECONDITIONS } from './provider-preconditions.js';
import { RIGHTS_PRECONDITIONS } from './rights-preconditions.js';
import { ROLE_PRECONDITIONS } from './role-preconditions.js';
import { RULE_PRECONDITIONS } from './rule-preconditions.js';
import { SHARD_PRECONDITIONS } from './shard-preconditions.js';
import { SERVER_PRECONDITIONS } from './server-preconditions.js';
import { TEARDOWN_PRECONDITIONS } from './teardown-preconditions.js';

/** All preconditions, in the order in which one takes those before it. */
export const PRECONDITIONS: readonly Precondition[] = [
  ...SERVER_PRECONDITIONS,
  ...HOME_PRECONDITIONS,
  ...GRANTED_PRECONDITIONS,
  ...ROLE_PRECONDITIONS,
  ...PROVIDER_PRECONDITIONS,
  ...RULE_PRECONDITIONS,
  ...SHARD_PRECONDITIONS,
  ...RIGHTS_PRECONDITIONS,
  ...TEARDOWN_PRECONDITIONS,
];

/** Judges all of them; what follows from something that is broken is not judged. Pure. */
export function examine(facts: DoctorFacts): readonly Examined[] {
  const examined = PRECONDITIONS.map((precondition) => ({ precondition, judgements: precondition.judge(facts) }));
  const broken = new Set(
    examined.filter(({ judgements }) => judgements.some(({ state }) => state === 'broken')).map(({ precondition: { id } }) => id),
  );
  return examined.map(({ precondition, judgements }) => {
    const isExplained = precondition.follows?.some((id) => broken.has(id)) ?? false;
    return { precondition, judgements: isExplained ? judgements.filter(({ state }) => state === 'met') : judgements };
  });
}

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
