import { describe, expect, it } from '@jest/globals';
import type { JsonSchema } from '@dep-ctrl/rule-registry';
import { unknownFields } from './unknown-fields.js';

const SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: { name: { type: 'string' }, list: { type: 'array', items: { type: 'object', properties: { a: { type: 'object' } } } } },
    },
    any: { type: 'object' },
    anyList: { type: 'array' },
  },
};

describe(unknownFields, () => {
  it.each<{ readonly given: string; readonly value: unknown; readonly paths: readonly string[] }>([
    { given: 'fields of the schema', value: { spec: { name: 'x', list: [{ a: 1 }, { a: { b: 1 } }] } }, paths: [] },
    { given: 'a field that there is not', value: { spce: {} }, paths: ['.spce'] },
    { given: 'one in another', value: { spec: { nam: 'x', name: 'x' } }, paths: ['.spec.nam'] },
    { given: 'one in an item', value: { spec: { list: [{ a: 1 }, { b: 1, c: 1 }] } }, paths: ['.spec.list[1].b', '.spec.list[1].c'] },
    { given: 'a name that every object inherits', value: { toString: 1 }, paths: ['.toString'] },
    { given: 'a text in place of an object', value: { spec: 'x' }, paths: [] },
    { given: 'a null', value: null, paths: [] },
    {
      given: 'names that are no words',
      value: { 'a.b': 1, 'c[0]': 1, "d'e\\f": 1, '': 1 },
      paths: ["['a.b']", "['c[0]']", "['d\\'e\\\\f']", "['']"],
    },
  ])('given $given, then $paths', ({ value, paths }) => {
    expect(unknownFields(value, SCHEMA).map(({ path }) => path)).toEqual(paths);
  });

  it('given fields where the schema admits any, then none is unknown', () => {
    expect(unknownFields({ any: { x: 1 }, anyList: [{ x: 1 }] }, SCHEMA)).toEqual([]);
  });

  it('given a field that there is not, then the message says what there is instead', () => {
    expect(unknownFields({ spce: 1, spec: { nam: 1 } }, SCHEMA).map(({ message }) => message)).toEqual([
      'there is no such field: the object has spec, any, anyList',
      'there is no such field: .spec has name, list',
    ]);
  });
});
