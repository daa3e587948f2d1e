import { describe, expect, it } from '@jest/globals';
import { expectedOf, expectedUnderFault, expectedWhile, targetStateOf } from './expected.js';
import type { ModelObject } from './referenced.js';
import { opening, type State, type WrittenRule } from './state.js';

const things = { provider: 0, resource: 'things' } as const;
const others = { provider: 1, resource: 'things' } as const;
const none = { ref: [], refs: [], peer: [] };
const subject: ModelObject = { consumer: 0, type: things, namespace: 'x', name: 'a', references: none };
const holder: ModelObject = { ...subject, type: others, name: 'b', references: { ...none, ref: [{ name: 'a' }] } };
const rule: WrittenRule = {
  name: 'r0',
  dependent: others,
  dependency: things,
  field: 'ref',
  readsNamespace: false,
  enforcement: 'Deny',
  versions: { dependent: 'v1', dependency: 'v1' },
};
const topology = { providers: [0, 1], consumers: [{ consumer: 0, binds: [0, 1] }], topic: { consumer: 0, types: [things] } };
const empty = opening(topology);
const held: State = { ...empty, objects: [subject, holder], rules: [rule] };

describe(targetStateOf, () => {
  it.each<{ given: string; state: Partial<State>; change?: Partial<WrittenRule>; expected: string }>([
    { given: 'no consent', state: {}, expected: 'Installed' },
    { given: 'a consent that names the author', state: { consents: [{ provider: 0, admits: [1] }] }, expected: 'Installed' },
    { given: 'a consent that names nobody', state: { consents: [{ provider: 0, admits: [] }] }, expected: 'Refused' },
    { given: 'a consent of somebody else', state: { consents: [{ provider: 1, admits: [] }] }, expected: 'Installed' },
    {
      given: 'a rule of the provider itself and a consent that names nobody',
      state: { consents: [{ provider: 0, admits: [] }] },
      change: { dependent: things },
      expected: 'Installed',
    },
    { given: 'a target that has let go of dep-ctrl', state: { members: [1] }, expected: 'Missing' },
  ])('given $given, then it is $expected', ({ state, change, expected }) => {
    expect(targetStateOf({ ...held, ...state }, { ...rule, ...change })).toBe(expected);
  });
});

describe(expectedOf, () => {
  it.each<{ given: string; state: Partial<State>; expected: string }>([
    { given: 'a rule that denies', state: {}, expected: 'refused' },
    { given: 'no rule', state: { rules: [] }, expected: 'allowed' },
    { given: 'nobody who refers to it', state: { objects: [subject] }, expected: 'allowed' },
    { given: 'a rule that warns', state: { rules: [{ ...rule, enforcement: 'Warn' }] }, expected: 'allowed with a warning' },
    { given: 'a rule for the audit log', state: { rules: [{ ...rule, enforcement: 'Audit' }] }, expected: 'allowed' },
    { given: 'a rule that is not admitted', state: { consents: [{ provider: 0, admits: [] }] }, expected: 'allowed' },
  ])('given $given, then it is $expected', ({ state, expected }) => {
    expect(expectedOf({ ...held, ...state }, subject).verdict).toBe(expected);
  });

  it('given two that refer to it, then both are the reason', () => {
    const second = { ...holder, name: 'c' };

    expect(expectedOf({ ...held, objects: [subject, holder, second] }, subject)).toEqual({ verdict: 'refused', because: [holder, second] });
  });
});

describe(expectedWhile, () => {
  const free: State = { ...held, rules: [] };
  const edited: State = { ...held, rules: [{ ...rule, readsNamespace: true }] };
  const renamed: State = { ...held, rules: [{ ...rule, name: 'r1' }] };
  it.each<{ given: string; states: readonly State[]; expected: string }>([
    { given: 'a rule that stays', states: [held, held], expected: 'refused' },
    { given: 'a rule that is edited and holds the same', states: [held, edited], expected: 'refused' },
    { given: 'a rule that comes', states: [free, held], expected: 'either' },
    { given: 'a rule that goes', states: [held, free], expected: 'either' },
    { given: 'a rule that goes and comes back', states: [held, free, held], expected: 'either' },
    { given: 'a rule in place of another', states: [held, renamed], expected: 'either' },
    { given: 'no rule at any time', states: [free, free], expected: 'allowed' },
    { given: 'an object that came after the rule', states: [{ ...held, objects: [] }, held], expected: 'refused' },
    { given: 'an object that came with the rule', states: [{ ...empty }, held], expected: 'either' },
    { given: 'a referrer that comes', states: [{ ...held, objects: [subject] }, held], expected: 'either' },
    { given: 'a consent that is withdrawn', states: [held, { ...held, consents: [{ provider: 0, admits: [] }] }], expected: 'either' },
  ])('given $given, then it is $expected', ({ states, expected }) => {
    expect(expectedWhile(states, subject).verdict).toBe(expected);
  });

  it('given one state, then it is what that state says', () => {
    expect(expectedWhile([held], subject)).toEqual(expectedOf(held, subject));
  });

  it('given a rule that goes, then a refusal may name whom it held for', () => {
    expect(expectedWhile([held, free], subject)).toMatchObject({ because: [holder] });
  });
});

describe(expectedUnderFault, () => {
  it('given what is held, then it is refused all the same', () => {
    expect(expectedUnderFault([held], subject, 'a reset').verdict).toBe('refused');
  });

  it('given what is free, then it is either, for that reason', () => {
    expect(expectedUnderFault([{ ...held, rules: [] }], subject, 'a reset')).toEqual({ verdict: 'either', why: 'a reset', because: [] });
  });
});
