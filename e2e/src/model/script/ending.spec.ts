import { describe, expect, it } from '@jest/globals';
import { phasesOfWorkspace, sweep, teardown } from './ending.js';
import type { ModelObject, Resource } from './referenced.js';
import { opening, type State, type WrittenRule } from './state.js';

const none = { ref: [], refs: [], peer: [] };
const topology = { providers: [0, 1], consumers: [{ consumer: 0, binds: [0, 1] }], topic: { consumer: 0, types: [] } };

describe(sweep, () => {
  it('given an object in the middle that is held, then only those before it by name go', () => {
    const [a, b, c] = [thing('a'), thing('b'), thing('c')];
    const state = stateOf([c, b, a, thing('h', 'b', 1)]);

    expect(sweep(state, [c, b, a])).toEqual({ gone: [a], left: [b, c] });
  });

  it('given one that is held by another that goes before it, then both go', () => {
    const [a, b] = [thing('a', 'b'), thing('b')];

    expect(sweep(stateOf([a, b]), [a, b])).toEqual({ gone: [a, b], left: [] });
  });

  it('given one that is held by another that comes after it, then nothing goes', () => {
    const [a, b] = [thing('a'), thing('b', 'a')];

    expect(sweep(stateOf([a, b]), [a, b])).toEqual({ gone: [], left: [a, b] });
  });
});

describe(teardown, () => {
  it('given one that would free a held one, but comes after it in the same collection, then nothing goes', () => {
    const [a, b, c] = [thing('a'), thing('b', 'a', 1), thing('c', 'b')];

    expect(teardown(stateOf([a, b, c]), [[a, b, c]])).toEqual({ gone: [], left: [a, b, c] });
  });

  it('given one of another type that holds it, then it goes after that', () => {
    const [a, b] = [thing('a'), thing('b', 'a', 1)];

    expect(teardown(stateOf([a, b]), [[a, b]])).toEqual({ gone: [b, a], left: [] });
  });

  it('given a circle, then it stays', () => {
    const [a, b] = [thing('a', 'b'), thing('b', 'a', 1)];

    expect(teardown(stateOf([a, b]), [[a, b]]).left).toEqual([a, b]);
  });

  it('given one of the whole workspace that holds one in a namespace, then neither goes: namespaces come first', () => {
    const a = thing('a');
    const { namespace: _, ...p } = { ...thing('p', 'a', 1), type: { provider: 1, resource: 'places' as const } };
    const state = stateOf([a, p], 'places');

    expect(teardown(state, phasesOfWorkspace([a, p])).left).toEqual([a, p]);
    expect(teardown(state, [[a, p]]).left).toEqual([]);
  });
});

function thing(name: string, refersTo?: string, provider = 0): ModelObject {
  const references = refersTo === undefined ? none : { ...none, ref: [{ name: refersTo }] };
  return { consumer: 0, type: { provider, resource: 'things' }, namespace: 'x', name, references };
}

/** Rules by which everything may hold everything. */
function stateOf(objects: readonly ModelObject[], other: Resource = 'things'): State {
  const types = [
    { provider: 0, resource: 'things' },
    { provider: 1, resource: other },
  ] as const;
  const rules = types.flatMap((dependent) =>
    types.map((dependency): WrittenRule => ({
      name: `${dependent.provider}-${dependency.provider}`,
      dependent,
      dependency,
      field: 'ref',
      readsNamespace: false,
      enforcement: 'Deny',
      versions: { dependent: 'v1', dependency: 'v1' },
    })),
  );
  return { ...opening(topology), objects, rules };
}
