// What must happen when an object is deleted, as a function of what users have written.
import { isSameType, referrersOf, type ModelObject } from './referenced.js';
import { objectOf, type ObjectKey, type State, type WrittenRule } from './state.js';

/** What a delete must be answered. */
export type Expectation =
  | { readonly verdict: 'refused'; readonly because: readonly ModelObject[] }
  | { readonly verdict: 'allowed' }
  | { readonly verdict: 'allowed with a warning'; readonly because: readonly ModelObject[] }
  /** It cannot be told; but a refusal that names referrers names some of these. */
  | { readonly verdict: 'either'; readonly why: string; readonly because: readonly ModelObject[] };

/** The state that the only target of a rule is in, once the controller has seen everything. */
export type TargetState = 'Installed' | 'Refused' | 'Missing';

/** What the status of a rule must come to say. */
export function targetStateOf({ members, consents }: State, { dependent, dependency }: WrittenRule): TargetState {
  const [author, target] = [dependent.provider, dependency.provider];
  if (!members.includes(target)) return 'Missing';
  const consent = consents.find(({ provider }) => provider === target);
  return author === target || consent === undefined || consent.admits.includes(author) ? 'Installed' : 'Refused';
}

/** The rules that hold something. */
export function rulesInForce(state: State): readonly WrittenRule[] {
  return state.rules.filter((rule) => targetStateOf(state, rule) === 'Installed');
}

/** Those that keep an object from being deleted. */
export function holdersOf(state: State, subject: ModelObject): readonly ModelObject[] {
  return referrersOf(subject, state.objects, rulesInForce(state));
}

/** What a delete must be answered once everything that was written is in force. */
export function expectedOf(state: State, subject: ModelObject): Expectation {
  const holders = holdersOf(state, subject);
  if (holders.length > 0) return { verdict: 'refused', because: holders };
  const warners = referrersOf(subject, state.objects, rulesInForce(state), 'Warn');
  return warners.length > 0 ? { verdict: 'allowed with a warning', because: warners } : { verdict: 'allowed' };
}

/**
 * What a delete must be answered while what was written is not in force yet. `states` are those since all was in force, the present one last. Only what
 * one and the same rule has held all the time is held for sure: another one may be seen later than the end of the first.
 */
export function expectedWhile(states: readonly State[], key: ObjectKey): Expectation {
  const seen = states.flatMap((state) => {
    const subject = objectOf(state, key);
    return subject === undefined ? [] : [{ state, subject }];
  });
  const now = seen.at(-1);
  if (now === undefined) throw new Error(`there is no ${JSON.stringify(key)}`);
  if (states.length === 1) return expectedOf(now.state, now.subject);
  const because = referrersOf(now.subject, now.state.objects, rulesOfAny(states));
  const isHeldBy = (lasting: WrittenRule): boolean =>
    seen.every(({ state, subject }) => {
      const rule = denyingRules(state).filter(({ name }) => name === lasting.name);
      return referrersOf(subject, state.objects, rule).length > 0;
    });
  if (lastingRules(states).some(isHeldBy)) return { verdict: 'refused', because };
  const verdicts = new Set(seen.map(({ state, subject }) => expectedOf(state, subject).verdict));
  if (verdicts.size === 1 && verdicts.has('allowed') && because.length === 0) return { verdict: 'allowed' };
  return { verdict: 'either', why: 'what holds it has changed and need not be in force yet', because };
}

/** The rules that deny and were in force in every state, each about one type all the time. */
export function lastingRules(states: readonly State[]): readonly WrittenRule[] {
  const [first, ...others] = states;
  if (first === undefined) return [];
  const isIn = (state: State, lasting: WrittenRule): boolean =>
    denyingRules(state).some(({ name, dependency }) => name === lasting.name && isSameType(dependency, lasting.dependency));
  return denyingRules(first).filter((rule) => others.every((state) => isIn(state, rule)));
}

/** All rules that were in force in any of the states. */
export function rulesOfAny(states: readonly State[]): readonly WrittenRule[] {
  return states.flatMap(rulesInForce);
}

/** What a delete must be answered while something is broken: never an allow of what is held. */
export function expectedUnderFault(states: readonly State[], key: ObjectKey, broken: string): Expectation {
  const expected = expectedWhile(states, key);
  if (expected.verdict === 'refused') return expected;
  return { verdict: 'either', why: broken, because: 'because' in expected ? expected.because : [] };
}

function denyingRules(state: State): readonly WrittenRule[] {
  return rulesInForce(state).filter(({ enforcement }) => enforcement === 'Deny');
}
