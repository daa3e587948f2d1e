// What providers do with rules.
import type { Field, ModelType } from './referenced.js';
import type { State, WrittenRule } from './state.js';
import { anyOf, type RemoveRule, type StepKind, type WriteRule } from './step.js';
import { shapeOf, typesOf, type Draws } from './topology.js';

const FIELDS: readonly Field[] = ['ref', 'refs', 'peer'];
const NAMES = ['r0', 'r1', 'r2', 'r3', 'r4'];
const ON_TOPIC_IN_HUNDRED = 90;
// Only Deny refuses, so most deny; a rule that only warns is alone with its object often enough all the same.
const DENY_IN_HUNDRED = 60;

export const addRule: StepKind<WriteRule> = {
  weight: 6,
  choose(state, draws) {
    const name = NAMES.find((each) => !state.rules.some((rule) => rule.name === each));
    const dependents = typesOf(state.members);
    if (name === undefined || dependents.length === 0) return undefined;
    return { kind: 'add-rule', rule: { name, ...drawRule(state, draws, drawType(state, draws, dependents)) } };
  },
  isPossible: (state, { rule }) => state.members.includes(rule.dependent.provider) && !state.rules.some(({ name }) => name === rule.name),
  after: (state, { rule }) => ({ ...state, rules: [...state.rules, rule] }),
};

export const editRule: StepKind<WriteRule> = {
  weight: 6,
  choose(state, draws) {
    const old = anyOf(draws, state.rules);
    if (old === undefined) return undefined;
    return { kind: 'edit-rule', rule: { name: old.name, ...drawRule(state, draws, old.dependent) } };
  },
  // A rule stays in the workspace that it was written in.
  isPossible: (state, { rule }) =>
    state.rules.some(({ name, dependent }) => name === rule.name && dependent.provider === rule.dependent.provider),
  after: (state, { rule }) => ({ ...state, rules: state.rules.map((other) => (other.name === rule.name ? rule : other)) }),
};

export const removeRule: StepKind<RemoveRule> = {
  weight: 4,
  choose(state, draws) {
    const rule = anyOf(draws, state.rules);
    return rule === undefined ? undefined : { kind: 'remove-rule', name: rule.name };
  },
  isPossible: ({ rules }, step) => rules.some(({ name }) => name === step.name),
  after: (state, { name }) => ({ ...state, rules: state.rules.filter((rule) => rule.name !== name) }),
};

function drawType({ topology }: State, draws: Draws, types: readonly ModelType[]): ModelType {
  const topical = topology.topic.types.filter(({ provider, resource }) =>
    types.some((type) => type.provider === provider && type.resource === resource),
  );
  return draws.pick(topical.length > 0 && draws.percent(ON_TOPIC_IN_HUNDRED) ? topical : types);
}

function drawRule(state: State, draws: Draws, dependent: ModelType): Omit<WrittenRule, 'name'> {
  const dependency = drawType(state, draws, typesOf(state.topology.providers));
  const field = draws.pick(FIELDS);
  // A namespace means nothing for what has none, and `peer` has no field for one.
  const mayReadNamespace = dependency.resource === 'things' && field !== 'peer';
  return {
    dependent,
    dependency,
    field,
    readsNamespace: mayReadNamespace && draws.percent(50),
    enforcement: draws.percent(DENY_IN_HUNDRED) ? 'Deny' : draws.pick(['Warn', 'Warn', 'Audit'] as const),
    versions: { dependent: draws.pick(shapeOf(dependent).served), dependency: draws.pick(shapeOf(dependency).served) },
  };
}
