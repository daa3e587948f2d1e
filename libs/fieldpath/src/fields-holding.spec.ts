import { describe, expect, it } from '@jest/globals';
import { fieldsHolding } from './index.js';

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

  it('given more depth than a call stack has, then it is walked all the same', () => {
    let object: unknown = 'a';
    for (let depth = 0; depth < 20_000; depth += 1) object = [object];

    expect(fieldsHolding(object, 'a').size).toBe(1);
  });
});
