import { describe, expect, it } from '@jest/globals';
import { referrersOf, type ModelObject, type ModelRule } from './referenced.js';

const none = { ref: [], refs: [], peer: [] };
const things = { provider: 0, resource: 'things' } as const;
const places = { provider: 0, resource: 'places' } as const;
const subject: ModelObject = { consumer: 0, type: things, namespace: 'x', name: 'a', references: none };
const rule: ModelRule = { dependent: things, dependency: things, field: 'ref', readsNamespace: false, enforcement: 'Deny' };

describe(referrersOf, () => {
  it.each<{ given: string; other: Partial<ModelObject>; change?: Partial<ModelRule>; held: boolean }>([
    { given: 'a reference in the same namespace', other: { namespace: 'x' }, held: true },
    { given: 'one in another namespace', other: { namespace: 'y' }, held: false },
    { given: 'one in another consumer', other: { namespace: 'x', consumer: 1 }, held: false },
    { given: 'one that names a namespace that is read', other: { references: named('x') }, change: { readsNamespace: true }, held: true },
    { given: 'one that names another', other: { namespace: 'x', references: named('y') }, change: { readsNamespace: true }, held: false },
    { given: 'a namespace that no rule reads', other: { namespace: 'x', references: named('y') }, held: true },
    { given: 'a rule that only warns', other: { namespace: 'x' }, change: { enforcement: 'Warn' }, held: false },
    { given: 'a rule about another field', other: { namespace: 'x' }, change: { field: 'peer' }, held: false },
  ])('given $given, then held: $held', ({ other, change, held }) => {
    const referrer = { ...subject, namespace: 'y', name: 'b', references: named(undefined), ...other };

    expect(referrersOf(subject, [subject, referrer], [{ ...rule, ...change }])).toEqual(held ? [referrer] : []);
  });

  it('given one without a namespace that names none, then it holds that name in every namespace', () => {
    const { namespace: _, ...place } = { ...subject, type: places, name: 'p', references: named(undefined) };

    expect(referrersOf(subject, [subject, place], [{ ...rule, dependent: places }])).toEqual([place]);
  });

  it.each<ModelRule['enforcement']>(['Warn', 'Audit'])(
    'given a rule that says %s, then they refer under that and under nothing else',
    (enforcement) => {
      const referrer = { ...subject, name: 'b', references: named(undefined) };
      const under = (asked: ModelRule['enforcement']) =>
        referrersOf(subject, [subject, referrer], [{ ...rule, enforcement }], asked).length;

      expect((['Deny', 'Warn', 'Audit'] as const).filter((asked) => under(asked) > 0)).toEqual([enforcement]);
    },
  );

  it('given an object that refers to itself, then nothing holds it', () => {
    const own = { ...subject, references: named('x') };

    expect(referrersOf(own, [own], [rule])).toEqual([]);
  });
});

function named(namespace: string | undefined) {
  return { ...none, ref: [{ name: 'a', ...(namespace === undefined ? {} : { namespace }) }] };
}
