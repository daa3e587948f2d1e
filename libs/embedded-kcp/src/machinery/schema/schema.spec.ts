import { describe, expect, it } from '@jest/globals';
import { applyDefaults } from './apply-defaults.js';
import { prune } from './prune.js';
import { checkRules, hasRules } from './validation-rules.js';
import { validate } from './validate.js';

const schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      required: ['cidr'],
      properties: {
        cidr: { type: 'string', minLength: 3, maxLength: 8, pattern: '^[0-9./]+$' },
        size: { type: 'integer', minimum: 1, maximum: 10, default: 3 },
        mode: { type: 'string', enum: ['a', 'b'] },
        port: { 'x-kubernetes-int-or-string': true },
        note: { type: 'string', nullable: true },
        tags: { type: 'array', maxItems: 3, items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
        ports: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: { type: 'object', required: ['name'], properties: { name: { type: 'string' }, number: { type: 'integer', default: 80 } } },
        },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        byName: { type: 'object', additionalProperties: { type: 'integer' } },
      },
    },
  },
} as const;

describe(validate, () => {
  it.each([
    { given: 'nothing wrong', spec: { cidr: '10.0' }, expected: [] },
    { given: 'a missing field', spec: {}, expected: ['spec.cidr: Required value'] },
    {
      given: 'another type',
      spec: { cidr: 5 },
      expected: ['spec.cidr: Invalid value: "integer": spec.cidr in body must be of type string: "integer"'],
    },
    {
      given: 'too short',
      spec: { cidr: '1' },
      expected: ['spec.cidr: Invalid value: "1": spec.cidr in body should be at least 3 chars long'],
    },
    { given: 'too long', spec: { cidr: '111111111' }, expected: ['spec.cidr: Too long: may not be more than 8 bytes'] },
    {
      given: 'another pattern',
      spec: { cidr: 'abc' },
      expected: [`spec.cidr: Invalid value: "abc": spec.cidr in body should match '^[0-9./]+$'`],
    },
    {
      given: 'an unknown word',
      spec: { cidr: '1.1', mode: 'c' },
      expected: ['spec.mode: Unsupported value: "c": supported values: "a", "b"'],
    },
    {
      given: 'too large a number',
      spec: { cidr: '1.1', size: 11 },
      expected: ['spec.size: Invalid value: 11: spec.size in body should be less than or equal to 10'],
    },
    { given: 'a number or a string', spec: { cidr: '1.1', port: 'http' }, expected: [] },
    { given: 'null where null may be', spec: { cidr: '1.1', note: null }, expected: [] },
    { given: 'a value twice in a set', spec: { cidr: '1.1', tags: ['1', '1'] }, expected: ['spec.tags[1]: Duplicate value: "1"'] },
    {
      given: 'a key twice in a map',
      spec: { cidr: '1.1', ports: [{ name: 'a' }, { name: 'a' }] },
      expected: ['spec.ports[1]: Duplicate value: {"name":"a"}'],
    },
    {
      given: 'too many items',
      spec: { cidr: '1.1', tags: ['1', '2', '3', '4'] },
      expected: ['spec.tags: Too many: 4: must have at most 3 items'],
    },
    {
      given: 'a value of a map',
      spec: { cidr: '1.1', byName: { x: 'y' } },
      expected: ['spec.byName.x: Invalid value: "string": spec.byName.x in body must be of type integer: "string"'],
    },
  ])('given $given, then $expected', ({ spec, expected }) => {
    expect(validate(schema, { spec }).map(({ field, message }) => `${field ?? ''}: ${message}`)).toEqual(expected);
  });
});

describe(prune, () => {
  it('given unknown fields, then they go and are named, but for those that stay by themselves', () => {
    const given = {
      kind: 'X',
      metadata: { name: 'x', any: 1 },
      other: 1,
      spec: { odd: 1, free: { any: 1 }, ports: [{ name: 'a', odd: 1 }] },
    };

    expect(prune(schema, given)).toEqual({
      value: { kind: 'X', metadata: { name: 'x' }, spec: { free: { any: 1 }, ports: [{ name: 'a' }] } },
      unknown: ['metadata.any', 'other', 'spec.odd', 'spec.ports[0].odd'],
    });
  });

  it('given nothing unknown, then the very same object comes back', () => {
    const given = { spec: { cidr: '1.1', ports: [{ name: 'a' }] } };

    expect(prune(schema, given).value).toBe(given);
  });
});

describe(applyDefaults, () => {
  it('given missing fields and nulls, then defaults are filled in, in lists too', () => {
    expect(applyDefaults(schema, { spec: { size: null, ports: [{ name: 'a' }] } })).toEqual({
      spec: { size: 3, ports: [{ name: 'a', number: 80 }] },
    });
  });
});

describe(checkRules, () => {
  const ruled = {
    type: 'object',
    properties: { size: { type: 'integer' }, name: { type: 'string' } },
    'x-kubernetes-validations': [
      { rule: '!has(self.size) || self.size % 2 == 0', message: 'must be even' },
      { rule: 'self.name == oldSelf.name', message: 'name is immutable' },
    ],
  };

  it.each([
    { given: 'an even size', value: { size: 4, name: 'a' }, previous: undefined, expected: [] },
    { given: 'an odd size', value: { size: 5, name: 'a' }, previous: undefined, expected: ['Invalid value: must be even'] },
    { given: 'the same name', value: { name: 'a' }, previous: { name: 'a' }, expected: [] },
    { given: 'another name', value: { name: 'a' }, previous: { name: 'b' }, expected: ['Invalid value: name is immutable'] },
  ])('given $given, then $expected', ({ value, previous, expected }) => {
    expect(checkRules(ruled, value, previous, 'spec').map(({ message }) => message)).toEqual(expected);
  });

  it('knows whether there are any', () => {
    expect([hasRules(schema), hasRules({ properties: { spec: ruled } })]).toEqual([false, true]);
  });

  const field = (schema: object, ...rules: readonly object[]): Readonly<Record<string, unknown>> => ({
    type: 'object',
    properties: { f: { ...schema, 'x-kubernetes-validations': rules } },
  });
  const optional = { rule: "oldSelf.hasValue() ? self == oldSelf.value() : self != 'no'", optionalOldSelf: true, message: 'm' };

  it.each([
    {
      given: 'a scalar, which is shown',
      schema: field({ type: 'integer' }, { rule: 'self != 3', message: 'm' }),
      f: 3,
      expected: ['spec.f: Invalid value: 3: m'],
    },
    {
      given: 'a reason that has its own words',
      schema: field({ type: 'string' }, { rule: 'false', message: 'm', reason: 'FieldValueRequired' }),
      f: 'a',
      expected: ['spec.f: Required value: m'],
    },
    {
      given: 'a value of a map, under its key',
      schema: field({
        type: 'object',
        additionalProperties: { type: 'string', 'x-kubernetes-validations': [{ rule: 'false', message: 'm' }] },
      }),
      f: { 'a.b/c': 'x' },
      expected: ['spec.f[a.b/c]: Invalid value: "x": m'],
    },
    {
      given: 'a field that CEL cannot name',
      schema: field({ type: 'object', properties: { 'a-b': { type: 'string' } } }, { rule: "self.a__dash__b != 'no'", message: 'm' }),
      f: { 'a-b': 'no' },
      expected: ['spec.f: Invalid value: m'],
    },
    {
      given: 'a rule that cannot be evaluated',
      schema: field({ type: 'object' }, { rule: 'self.q == 1', message: 'm' }),
      f: {},
      expected: ['spec.f: Invalid value: "object": no such key: q evaluating rule: m'],
    },
    {
      given: 'an optional old value that is not there',
      schema: field({ type: 'string' }, optional),
      f: 'no',
      expected: ['spec.f: Invalid value: "no": m'],
    },
    {
      given: 'another value than before',
      schema: field({ type: 'string' }, optional),
      f: 'x',
      before: 'y',
      expected: ['spec.f: Invalid value: "x": m'],
    },
    { given: 'the same value as before', schema: field({ type: 'string' }, optional), f: 'no', before: 'no', expected: [] },
  ])('given $given, then $expected', ({ schema: ofField, f, before, expected }) => {
    const previous = before === undefined ? undefined : { f: before };

    expect(checkRules(ofField, { f }, previous, 'spec').map(({ field: at, message }) => `${at ?? ''}: ${message}`)).toEqual(expected);
  });
});
