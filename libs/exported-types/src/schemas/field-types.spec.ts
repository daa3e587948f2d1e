import { describe, expect, it } from '@jest/globals';
import { countFields, leadsToString, readFieldTypes } from './field-types.js';
import { path } from '../testing/index.js';

describe(readFieldTypes, () => {
  it('given descriptions and validations, then only the types are kept', () => {
    const schema = {
      type: 'object',
      description: 'a machine',
      required: ['spec'],
      properties: {
        spec: { type: 'object', properties: { size: { type: 'string', enum: ['s', 'm'], description: 'how large' } } },
        free: { description: 'whatever fits' },
        odd: 'no schema',
      },
      'x-kubernetes-validations': [{ rule: 'has(self.spec)' }],
    };

    expect(readFieldTypes(schema)).toStrictEqual({
      type: 'object',
      properties: { spec: { type: 'object', properties: { size: { type: 'string' } } }, free: {} },
    });
  });

  it.each([[undefined], ['text'], [[]]])('given %j, then nothing is known', (schema) => {
    expect(readFieldTypes(schema)).toBeUndefined();
  });

  it('given a schema deeper than any path, then it is read as deep as a path can lead', () => {
    const deep = Array.from({ length: 20_000 }).reduce<object>((inner) => ({ properties: { a: inner } }), { type: 'string' });

    expect(countFields(readFieldTypes(deep))).toBe(257);
  });
});

describe(leadsToString, () => {
  const types = readFieldTypes({
    properties: {
      spec: {
        properties: { nics: { items: { properties: { net: { type: 'string' } } } }, byRole: { additionalProperties: { type: 'string' } } },
      },
    },
  });

  it.each([
    ['.spec.nics[*].net', true],
    [".spec.byRole['main.db']", true],
    ['.metadata.name', true],
    ['.spec.nics.net', false],
    ['.spec.nics', false],
    ['.spec.nowhere[*]', false],
    ['.spec.nowhere', false],
    ['.spec.constructor', false],
  ])('given %s, then %s', (text, expected) => {
    expect(leadsToString(types, path(text).steps)).toBe(expected);
  });
});

describe(countFields, () => {
  it('given arrays, maps and fields, then each counts once', () => {
    expect(countFields({ properties: { a: { items: { type: 'string' } }, b: { additionalProperties: {} } } })).toBe(5);
  });
});
