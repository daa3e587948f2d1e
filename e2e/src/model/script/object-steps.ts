// What consumers do with objects.
import { sweep } from './ending.js';
import { holdersOf } from './expected.js';
import { isSameType, type ModelObject, type ModelReference } from './referenced.js';
import { isBound, isSameObject, keyOf, objectOf, withoutObjects, type ObjectKey, type State } from './state.js';
import { anyOf, type Create, type Delete, type DeleteCollection, type Repoint, type StepKind } from './step.js';
import { shapeOf, typesOf, type Draws } from './topology.js';

// Names are few, so that references meet.
const NAMES = ['a', 'b'];
const NAMESPACES = ['x', 'y'];
const ON_TOPIC_IN_HUNDRED = 85;
// Most deletes are of what is held: that is where a defect costs most.
const HELD_IN_HUNDRED = 60;

export const create: StepKind<Create> = {
  weight: 18,
  choose(state, draws) {
    const { topic } = state.topology;
    const isOnTopic = state.consumers.includes(topic.consumer) && draws.percent(ON_TOPIC_IN_HUNDRED);
    const consumer = isOnTopic ? topic.consumer : anyOf(draws, state.consumers);
    if (consumer === undefined) return undefined;
    const types = typesOf(state.topology.providers).filter(({ provider }) => isBound(state, { consumer, provider }));
    const topical = types.filter((type) => topic.types.some((other) => isSameType(type, other)));
    const type = anyOf(draws, isOnTopic && topical.length > 0 ? topical : types);
    if (type === undefined) return undefined;
    const namespace = type.resource === 'things' ? { namespace: draws.pick(NAMESPACES) } : {};
    const object = { consumer, type, ...namespace, name: draws.pick(NAMES), references: drawReferences(draws) };
    const step: Create = { kind: 'create', object, version: draws.pick(shapeOf(type).served) };
    return create.isPossible(state, step) ? step : undefined;
  },
  isPossible: (state, { object }) =>
    isBound(state, { consumer: object.consumer, provider: object.type.provider }) && objectOf(state, object) === undefined,
  after: (state, { object }) => ({ ...state, objects: [...state.objects, object] }),
};

export const repoint: StepKind<Repoint> = {
  weight: 12,
  choose(state, draws) {
    const object = anyOf(draws, state.objects);
    if (object === undefined) return undefined;
    const changed = { ...object, references: drawReferences(draws) };
    return { kind: 'repoint', object: changed, version: draws.pick(shapeOf(object.type).served) };
  },
  isPossible: (state, { object }) => objectOf(state, object) !== undefined,
  after: (state, { object }) => ({ ...state, objects: state.objects.map((other) => (isSameObject(other, object) ? object : other)) }),
};

export const ask: StepKind<Delete> = {
  weight: 14,
  choose: (state, draws) => drawDelete(state, draws, 'ask'),
  isPossible: (state, { object }) => objectOf(state, object) !== undefined,
  after: (state) => state,
};

export const deleteOne: StepKind<Delete> = {
  weight: 20,
  choose: (state, draws) => drawDelete(state, draws, 'delete'),
  isPossible: (state, { object }) => objectOf(state, object) !== undefined,
  after(state, { object }) {
    const subject = objectOf(state, object);
    return subject === undefined || holdersOf(state, subject).length > 0 ? state : withoutObjects(state, [subject]);
  },
};

export const deleteCollection: StepKind<DeleteCollection> = {
  weight: 6,
  choose(state, draws) {
    const object = anyOf(draws, state.objects);
    if (object === undefined) return undefined;
    const { name: _, ...collection } = keyOf(object);
    return { kind: 'delete-collection', collection, version: draws.pick(shapeOf(object.type).served) };
  },
  isPossible: (state, { collection }) => membersOf(state, collection).length > 0,
  after: (state, { collection }) => withoutObjects(state, sweep(state, membersOf(state, collection)).gone),
};

/** The objects of a type in a namespace, or in a workspace. */
export function membersOf({ objects }: State, { consumer, type, namespace }: Omit<ObjectKey, 'name'>): readonly ModelObject[] {
  return objects.filter((each) => each.consumer === consumer && each.namespace === namespace && isSameType(each.type, type));
}

function drawDelete(state: State, draws: Draws, kind: Delete['kind']): Delete | undefined {
  const held = draws.percent(HELD_IN_HUNDRED) ? state.objects.filter((object) => holdersOf(state, object).length > 0) : [];
  const object = anyOf(draws, held.length > 0 ? held : state.objects);
  return object === undefined ? undefined : { kind, object: keyOf(object), version: draws.pick(shapeOf(object.type).served) };
}

function drawReferences(draws: Draws): ModelObject['references'] {
  const some = (most: number): readonly ModelReference[] => Array.from({ length: draws.below(most + 1) }, () => drawReference(draws));
  return { ref: some(1), refs: some(3), peer: some(1).map(({ name }) => ({ name })) };
}

function drawReference(draws: Draws): ModelReference {
  const name = draws.pick(NAMES);
  return draws.percent(40) ? { name, namespace: draws.pick(NAMESPACES) } : { name };
}
