// What providers do with their workspaces: whose rules they admit, and whether they bind dep-ctrl at all.
import { anyOf, type GiveConsent, type Membership, type StepKind } from './step.js';
import type { State } from './state.js';

export const consent: StepKind<GiveConsent> = {
  weight: 7,
  choose(state, draws) {
    const { topology, members } = state;
    const topical = topology.topic.types.map(({ provider }) => provider).filter((provider) => members.includes(provider));
    const provider = anyOf(draws, topical.length > 0 ? topical : members);
    if (provider === undefined) return undefined;
    if (draws.percent(35)) return { kind: 'consent', provider };
    const admits = topology.providers.filter(() => draws.percent(50));
    return { kind: 'consent', provider, consent: { provider, admits } };
  },
  isPossible: ({ members }, { provider }) => members.includes(provider),
  after: (state, { provider, consent: given }) => ({
    ...state,
    consents: [...consentsWithout(state, provider), ...(given === undefined ? [] : [given])],
  }),
};

export const leave: StepKind<Membership> = {
  weight: 2,
  choose(state, draws) {
    const provider = anyOf(draws, state.members);
    return provider === undefined ? undefined : { kind: 'leave', provider };
  },
  isPossible: ({ members }, { provider }) => members.includes(provider),
  // Its rules and its guard are objects of the binding, and go with it.
  after: (state, { provider }) => ({
    ...state,
    members: state.members.filter((other) => other !== provider),
    consents: consentsWithout(state, provider),
    rules: state.rules.filter(({ dependent }) => dependent.provider !== provider),
  }),
};

export const join: StepKind<Membership> = {
  weight: 6,
  choose(state, draws) {
    const provider = anyOf(draws, strangers(state));
    return provider === undefined ? undefined : { kind: 'join', provider };
  },
  isPossible: (state, { provider }) => strangers(state).includes(provider),
  after: (state, { provider }) => ({ ...state, members: [...state.members, provider] }),
};

function strangers({ topology, members }: State): readonly number[] {
  return topology.providers.filter((provider) => !members.includes(provider));
}

function consentsWithout({ consents }: State, provider: number): State['consents'] {
  return consents.filter((other) => other.provider !== provider);
}
