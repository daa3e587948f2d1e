import { describe, expect, it } from '@jest/globals';
import { gapIn } from './not-covered.js';
import { structuralProblems } from './schema-rules.js';

const object = (schema: object, version: object = {}): { readonly metadata: Record<string, never> } => ({
  metadata: {},
  ...{ spec: { versions: [{ name: 'v1', schema, ...version }] } },
});
const field = (a: object): object => ({ type: 'object', properties: { a } });
const at = 'spec.versions[0].schema.openAPIV3Schema';

describe(structuralProblems, () => {
  it.each([
    { given: 'a structural schema', schema: field({ type: 'array', items: { type: 'string', pattern: '^a' } }), expected: [] },
    { given: 'no type at the root', schema: { properties: {} }, expected: [`${at}.type: Required value: must not be empty at the root`] },
    {
      given: 'no type of a field',
      schema: field({ description: 'x' }),
      expected: [`${at}.properties[a].type: Required value: must not be empty for specified object fields`],
    },
    {
      given: 'no type of an item',
      schema: field({ type: 'array', items: {} }),
      expected: [`${at}.properties[a].items.type: Required value: must not be empty for specified array items`],
    },
    { given: 'a field of any type', schema: field({ 'x-kubernetes-preserve-unknown-fields': true }), expected: [] },
    {
      given: 'an odd type',
      schema: field({ type: 'text' }),
      expected: [expect.stringMatching(/^spec\.versions\[0\].*: Unsupported value: "text": supported values: "array", "boolean"/)],
    },
    { given: 'a reference', schema: field({ $ref: '#/x' }), expected: [`${at}.properties[a].$ref: Forbidden: $ref is not supported`] },
    { given: 'an open bracket', schema: field({ type: 'string', pattern: '[' }), expected: [expect.stringContaining('must be a valid')] },
    {
      given: 'a rule that is no CEL',
      schema: field({ type: 'string', 'x-kubernetes-validations': [{ rule: 'self.nope(' }] }),
      expected: [expect.stringMatching(/x-kubernetes-validations\[0\]\.rule: Invalid value: .*: compilation failed: /)],
    },
  ])('given $given, then it says so', ({ schema, expected }) => {
    expect(structuralProblems(object(schema))).toEqual(expected);
  });
});

describe(gapIn, () => {
  const rule = (one: object): object => field({ type: 'string', 'x-kubernetes-validations': [one] });
  it.each([
    { given: 'a plain rule', schema: rule({ rule: "self.startsWith('a')" }), expected: undefined },
    {
      given: 'a function of Kubernetes',
      schema: rule({ rule: "isURL(self) || url(self).getHost() == ''" }),
      expected: /functions that Kubernetes adds/,
    },
    { given: 'a message that is computed', schema: rule({ rule: 'true', messageExpression: '"a"' }), expected: /messageExpression/ },
    { given: 'a format that is checked', schema: field({ type: 'string', format: 'ipv4' }), expected: undefined },
    { given: 'a format that nobody knows', schema: field({ type: 'string', format: 'nonsense' }), expected: undefined },
    { given: 'a format that is not checked', schema: field({ type: 'string', format: 'email' }), expected: /^the formats / },
    { given: 'a selectable field', schema: field({}), version: { selectableFields: [{ jsonPath: '.a' }] }, expected: /selectable/ },
    {
      given: 'a column of anything below',
      schema: field({}),
      version: { additionalPrinterColumns: [{ jsonPath: '..a' }] },
      expected: /printer columns/,
    },
    {
      given: 'a column of a condition',
      schema: field({}),
      version: { additionalPrinterColumns: [{ jsonPath: '.status.conditions[?(@.type=="Ready")].status' }] },
      expected: undefined,
    },
  ])('given a schema with $given, then the gap is $expected', ({ schema, version, expected }) => {
    const gap = gapIn('apis.kcp.io', 'apiresourceschemas', object(schema, version));

    if (expected === undefined) expect(gap).toBeUndefined();
    else expect(gap).toMatch(expected);
  });
});
