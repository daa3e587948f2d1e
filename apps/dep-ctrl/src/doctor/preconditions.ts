import { GRANTED_PRECONDITIONS } from './granted-preconditions.js';
import { HOME_PRECONDITIONS } from './home-preconditions.js';
import type { DoctorFacts, Examined, Precondition } from './precondition.js';
import { PROVIDER_PRECONDITIONS } from './provider-preconditions.js';
import { RIGHTS_PRECONDITIONS } from './rights-preconditions.js';
import { ROLE_PRECONDITIONS } from './role-preconditions.js';
import { RULE_PRECONDITIONS } from './rule-preconditions.js';
import { SHARD_PRECONDITIONS } from './shard-preconditions.js';
import { SERVER_PRECONDITIONS } from './server-preconditions.js';

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
