// What consumers do with their workspaces. Whatever a teardown cannot delete because it is held is let go by the annotation: so each of these ends.
import { isBound, withoutObjects, type State } from './state.js';
import { anyOf, type Binding, type EndNamespace, type EndWorkspace, type StepKind } from './step.js';

export const bind: StepKind<Binding> = {
  weight: 5,
  choose(state, draws) {
    const missing = state.consumers.flatMap((consumer) =>
      state.topology.providers.filter((provider) => !isBound(state, { consumer, provider })).map((provider) => ({ consumer, provider })),
    );
    const topical = missing.filter(({ consumer }) => consumer === state.topology.topic.consumer);
    const binding = anyOf(draws, topical.length > 0 ? topical : missing);
    return binding === undefined ? undefined : { kind: 'bind', ...binding };
  },
  isPossible: (state, { consumer, provider }) => state.consumers.includes(consumer) && !isBound(state, { consumer, provider }),
  after: (state, { consumer, provider }) => ({ ...state, bound: [...state.bound, { consumer, provider }] }),
};

export const unbind: StepKind<Binding> = {
  weight: 4,
  choose(state, draws) {
    const topical = state.bound.filter(({ consumer }) => consumer === state.topology.topic.consumer);
    const binding = anyOf(draws, topical.length > 0 ? topical : state.bound);
    return binding === undefined ? undefined : { kind: 'unbind', ...binding };
  },
  isPossible: (state, binding) => isBound(state, binding),
  after: (state, { consumer, provider }) => {
    const going = state.objects.filter((object) => object.consumer === consumer && object.type.provider === provider);
    const bound = state.bound.filter((other) => other.consumer !== consumer || other.provider !== provider);
    return { ...withoutObjects(state, going), bound };
  },
};

export const endNamespace: StepKind<EndNamespace> = {
  weight: 3,
  choose(state, draws) {
    const object = anyOf(
      draws,
      state.objects.filter(({ namespace }) => namespace !== undefined),
    );
    if (object?.namespace === undefined) return undefined;
    return { kind: 'end-namespace', consumer: object.consumer, namespace: object.namespace };
  },
  isPossible: ({ objects }, step) => objects.some(({ consumer, namespace }) => consumer === step.consumer && namespace === step.namespace),
  after: (state, step) =>
    withoutObjects(
      state,
      state.objects.filter(({ consumer, namespace }) => consumer === step.consumer && namespace === step.namespace),
    ),
};

export const endWorkspace: StepKind<EndWorkspace> = {
  weight: 1,
  choose(state, draws) {
    const consumer = anyOf(draws, state.consumers);
    return consumer === undefined ? undefined : { kind: 'end-workspace', consumer };
  },
  isPossible: ({ consumers }, { consumer }) => consumers.includes(consumer),
  after: (state, step): State => {
    const going = state.objects.filter(({ consumer }) => consumer === step.consumer);
    return {
      ...withoutObjects(state, going),
      consumers: state.consumers.filter((consumer) => consumer !== step.consumer),
      bound: state.bound.filter(({ consumer }) => consumer !== step.consumer),
    };
  },
};
