import { describe, expect, it } from '@jest/globals';
import { FIELD_PATH_MAX_LENGTH, fieldsHolding } from './index.js';

describe(fieldsHolding, () => {
  it.each<{ given: string; object: unknown; fields: string[] }>([
    { given: 'nothing that holds it', object: { spec: { vpc: 'other' } }, fields: [] },
    { given: 'one field', object: { spec: { vpc: 'a' } }, fields: ['.spec.vpc'] },
    {
      given: 'elements of an array',
      object: { spec: { vpcs: [{ name: 'a' }, { name: 'b' }, { name: 'a' }] } },
      fields: ['.spec.vpcs[*].name'],
    },
    { given: 'arrays in arrays', object: { spec: [['a']] }, fields: ['.spec[*][*]'] },
    { given: 'a key that needs quotes', object: { metadata: { labels: { 'a.b/c': 'a' } } }, fields: [".metadata.labels['a.b/c']"] },
    { given: 'a key, which is no value', object: { a: 1 }, fields: [] },
    { given: 'numbers, which are no names', object: { spec: 1 }, fields: [] },
    { given: 'a field named like a prototype', object: JSON.parse('{"__proto__":{"x":"a"}}'), fields: ['.__proto__.x'] },
    { given: 'no object at all', object: null, fields: [] },
  ])('given $given, then the fields are $fields', ({ object, fields }) => {
    expect([...fieldsHolding(object, 'a')]).toEqual(fields);
  });

  it('given more depth than any path can have, then what is deeper is no field that a rule could name', () => {
    expect([...fieldsHolding(nested('a', FIELD_PATH_MAX_LENGTH), 'a')]).toEqual(['[*]'.repeat(FIELD_PATH_MAX_LENGTH)]);
    expect([...fieldsHolding(nested('a', 20_000), 'a')]).toEqual([]);
  });

  it('given the name very often far down, then it is spelled once', () => {
    const object = nested(
      Array.from({ length: 100_000 }, () => 'a'),
      1_000,
    );

    expect([...fieldsHolding(object, 'a')]).toEqual(['[*]'.repeat(1_001)]);
  });

  it('given fields that lie side by side far down, then each has its own text', () => {
    expect([...fieldsHolding({ x: { b: 'a', c: ['a', { d: 'a' }], e: 'a' } }, 'a')].toSorted()).toEqual([
      '.x.b',
      '.x.c[*]',
      '.x.c[*].d',
      '.x.e',
    ]);
  });
});

function nested(inner: unknown, depth: number): unknown {
  return Array.from({ length: depth }).reduce((object: unknown) => [object], inner);
}
