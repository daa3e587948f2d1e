// Random rules and objects of one seed. Names are few, so that references meet, and carry the seed, so that seeds do not.
import type { Cast } from './cast.js';
import type { Chance } from './chance.js';
import type { Field, ModelObject, ModelReference, ModelRule, ModelType } from './referenced.js';

const FIELDS: readonly Field[] = ['ref', 'refs', 'peer'];
const LETTERS = ['a', 'b'];
// Most of what a seed does is about two types in one consumer: otherwise references would hardly ever meet a rule.
const ON_TOPIC_IN_HUNDRED = 90;
const TYPES_OF_A_TOPIC = 2;
const DENY_IN_HUNDRED = 55;

/** What a seed is mostly about. */
export interface Topic {
  readonly consumer: number;
  readonly types: readonly ModelType[];
}

/** Any topic. */
export function inventTopic(chance: Chance, cast: Cast): Topic {
  const consumer = chance.below(cast.consumers.length);
  const types = Array.from({ length: TYPES_OF_A_TOPIC }, () => chance.pick(cast.typesOf(consumer)));
  return { consumer, types };
}
const NAMESPACES = ['x', 'y'];

/** Namespaces of a seed, the same in each consumer. */
export function namespacesOf(seed: number): readonly string[] {
  return NAMESPACES.map((letter) => `${letter}-${seed}`);
}

/** Any rule. */
export function inventRule(chance: Chance, cast: Cast, { types }: Topic): ModelRule {
  const anyType = (): ModelType => chance.pick(chance.percent(ON_TOPIC_IN_HUNDRED) ? types : cast.types);
  const dependency = anyType();
  const field = chance.pick(FIELDS);
  // A namespace means nothing for what has none, and `peer` has no field for one.
  const mayReadNamespace = dependency.resource === 'things' && field !== 'peer';
  return {
    dependent: anyType(),
    dependency,
    field,
    readsNamespace: mayReadNamespace && chance.percent(50),
    // Only Deny refuses, so most deny; a rule that only warns is alone with its object often enough all the same.
    enforcement: chance.percent(DENY_IN_HUNDRED) ? 'Deny' : chance.pick(['Warn', 'Warn', 'Audit']),
  };
}

/** Any object that a consumer can make. */
export function inventObject(chance: Chance, cast: Cast, { seed, topic }: { readonly seed: number; readonly topic: Topic }): ModelObject {
  const isOnTopic = chance.percent(ON_TOPIC_IN_HUNDRED);
  const consumer = isOnTopic ? topic.consumer : chance.below(cast.consumers.length);
  const type = chance.pick(isOnTopic ? topic.types : cast.typesOf(consumer));
  return {
    consumer,
    type,
    ...(type.resource === 'things' ? { namespace: chance.pick(namespacesOf(seed)) } : {}),
    name: `${chance.pick(LETTERS)}-${seed}`,
    references: inventReferences(chance, seed),
  };
}

/** Any references. */
export function inventReferences(chance: Chance, seed: number): ModelObject['references'] {
  const some = (most: number): readonly ModelReference[] =>
    Array.from({ length: chance.below(most + 1) }, () => inventReference(chance, seed));
  return { ref: some(1), refs: some(3), peer: some(1).map(({ name }) => ({ name })) };
}

function inventReference(chance: Chance, seed: number): ModelReference {
  const name = `${chance.pick(LETTERS)}-${seed}`;
  return chance.percent(40) ? { name, namespace: chance.pick(namespacesOf(seed)) } : { name };
}
