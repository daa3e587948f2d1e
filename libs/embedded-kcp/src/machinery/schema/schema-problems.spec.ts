import { describe, expect, it } from '@jest/globals';
import { printProblem } from '../../http/api-status.js';
import { schemaProblems } from './schema-problems.js';

const field = (a: object): Readonly<Record<string, unknown>> => ({ type: 'object', properties: { a } });
const list = (more: object, item: object = {}): object => ({
  type: 'array',
  items: { type: 'object', properties: { k: { type: 'string' } }, ...item },
  ...more,
});
const ruled = (rule: object, type = 'string'): object => ({ type, 'x-kubernetes-validations': [rule] });
const choice = [{ type: 'integer' }, { type: 'string' }];

describe(schemaProblems, () => {
  it.each([
    { given: 'an array of strings', schema: field({ type: 'array', items: { type: 'string', pattern: '^a' } }) },
    { given: 'a field of any type', schema: field({ 'x-kubernetes-preserve-unknown-fields': true }) },
    { given: 'a number or a string', schema: field({ anyOf: choice, 'x-kubernetes-int-or-string': true }) },
    { given: 'a default that fits', schema: field({ type: 'object', properties: { b: { type: 'string' } }, default: { b: 'c' } }) },
    {
      given: 'names of its own',
      schema: { type: 'object', properties: { metadata: { type: 'object', properties: { name: { type: 'string', maxLength: 9 } } } } },
    },
    {
      given: 'a list with keys',
      schema: field(list({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] }, { required: ['k'] })),
    },
    { given: 'a rule of a string', schema: field(ruled({ rule: "self.startsWith('a') && size(self) > 1" })) },
    {
      given: 'further conditions',
      schema: field({ type: 'object', anyOf: [{ required: ['b'] }, { properties: { b: { minLength: 1 } } }] }),
    },
  ])('given $given, then nothing is wrong', ({ schema }) => {
    expect(schemaProblems(schema, 's').map(printProblem)).toEqual([]);
  });

  it.each([
    { given: 'no type at the root', schema: { properties: {} }, expected: 's.type: Required value: must not be empty at the root' },
    { given: 'a string at the root', schema: { type: 'string' }, expected: 's.type: Invalid value: "string": must be object at the root' },
    {
      given: 'no type of a field',
      schema: field({ description: 'x' }),
      expected: 's.properties[a].type: Required value: must not be empty for specified object fields',
    },
    {
      given: 'no type of an item',
      schema: field({ type: 'array', items: {} }),
      expected: 's.properties[a].items.type: Required value: must not be empty for specified array items',
    },
    { given: 'no items', schema: field({ type: 'array' }), expected: 's.properties[a].items: Required value: must be specified' },
    {
      given: 'labels of its own',
      schema: { type: 'object', properties: { metadata: { type: 'object', properties: { labels: { type: 'object' } } } } },
      expected: /^s\.properties\[metadata\]: Forbidden: must not specify anything other than name and generateName/,
    },
    {
      given: 'an apiVersion that is a number',
      schema: { type: 'object', properties: { apiVersion: { type: 'integer' } } },
      expected: 's.properties[apiVersion].type: Invalid value: "integer": must be string',
    },
    {
      given: 'an embedded object without anything',
      schema: field({ type: 'object', 'x-kubernetes-embedded-resource': true }),
      expected: /^s\.properties\[a\]\.properties: Required value: must not be empty if x-kubernetes-embedded-resource is true/,
    },
    {
      given: 'a type among conditions',
      schema: field({ type: 'object', anyOf: [{ type: 'object' }] }),
      expected: 's.properties[a].anyOf[0].type: Forbidden: must be empty to be structural',
    },
    {
      given: 'a default among conditions',
      schema: field({ type: 'string', not: { default: 'x' } }),
      expected: 's.properties[a].not.default: Forbidden: must be undefined to be structural',
    },
    {
      given: 'a default of another type',
      schema: field({ type: 'string', default: 3 }),
      expected: 's.properties[a].default: Invalid value: "integer":  in body must be of type string: "integer"',
    },
    {
      given: 'a default with fields that nobody knows',
      schema: field({ type: 'object', properties: { b: { type: 'string' } }, default: { c: 1 } }),
      expected: 's.properties[a].default: Invalid value: {"c":1}: must not have unknown fields',
    },
    {
      given: 'an odd type',
      schema: field({ type: 'text' }),
      expected:
        's.properties[a].type: Unsupported value: "text": supported values: "array", "boolean", "integer", "number", "object", "string"',
    },
    { given: 'a reference', schema: field({ $ref: '#/x' }), expected: 's.properties[a].$ref: Forbidden: $ref is not supported' },
    {
      given: 'properties and further ones',
      schema: field({ type: 'object', properties: { x: { type: 'string' } }, additionalProperties: { type: 'string' } }),
      expected: 's.properties[a].additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive',
    },
    {
      given: 'unique items',
      schema: field({ type: 'array', uniqueItems: true, items: { type: 'string' } }),
      expected: /uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic$/,
    },
    {
      given: 'a map of an odd kind',
      schema: field({ type: 'object', 'x-kubernetes-map-type': 'bag' }),
      expected: 's.properties[a].x-kubernetes-map-type: Unsupported value: "bag": supported values: "atomic", "granular"',
    },
    {
      given: 'a list that is a map without keys',
      schema: field(list({ 'x-kubernetes-list-type': 'map' })),
      expected: 's.properties[a].x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map',
    },
    {
      given: 'a key that items do not have',
      schema: field(list({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['q'] })),
      expected: 's.properties[a].x-kubernetes-list-map-keys: Invalid value: ["q"]: entries must all be names of item properties',
    },
    {
      given: 'a key that may be missing',
      schema: field(list({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] })),
      expected: /items\.properties\[k\]\.default: Required value: this property is in x-kubernetes-list-map-keys/,
    },
    {
      given: 'a string that is a list',
      schema: field({ type: 'string', 'x-kubernetes-list-type': 'set' }),
      expected: 's.properties[a].type: Invalid value: "string": must be array if x-kubernetes-list-type is specified',
    },
    {
      given: 'a set of objects',
      schema: field(list({ 'x-kubernetes-list-type': 'set' })),
      expected: /items\.x-kubernetes-map-type: Invalid value: null: must be atomic as item of a list with x-kubernetes-list-type=set$/,
    },
    {
      given: 'an open bracket',
      schema: field({ type: 'string', pattern: '[' }),
      expected: /pattern: Invalid value: "\[": must be a valid regular expression, but isn't: error parsing regexp: /,
    },
    {
      given: 'an expression that looks ahead',
      schema: field({ type: 'string', pattern: '(?=a)' }),
      expected: /but isn't: error parsing regexp: invalid or unsupported Perl syntax: `\(\?=`$/,
    },
    {
      given: 'a rule that is no CEL',
      schema: field(ruled({ rule: 'self ==' })),
      expected:
        /x-kubernetes-validations\[0\]\.rule: Invalid value: \{"Rule":"self ==","Message":"",.*"OptionalOldSelf":null\}: compilation failed: /,
    },
    { given: 'a rule for another type', schema: field(ruled({ rule: 'self > 3' })), expected: /: compilation failed: / },
    { given: 'a rule that says a word', schema: field(ruled({ rule: 'self' })), expected: /: cel expression must evaluate to a bool$/ },
    { given: 'an empty rule', schema: field(ruled({ rule: '' })), expected: /\[0\]\.rule: Required value: rule is not specified$/ },
    {
      given: 'an old value that may be missing and is not asked for',
      schema: field(ruled({ rule: "self == 'a'", optionalOldSelf: true })),
      expected: /\[0\]\.optionalOldSelf: Invalid value: true: may not be set if oldSelf is not used in rule$/,
    },
    {
      given: 'a comparison of items that have no former self',
      schema: field({ type: 'array', items: ruled({ rule: 'self == oldSelf' }) }),
      expected: /: oldSelf cannot be used on the uncorrelatable portion of the schema within s\.properties\[a\]$/,
    },
  ])('given $given, then that is all it says', ({ schema, expected }) => {
    expect(schemaProblems(schema, 's').map(printProblem)).toEqual([
      typeof expected === 'string' ? expected : expect.stringMatching(expected),
    ]);
  });
});
