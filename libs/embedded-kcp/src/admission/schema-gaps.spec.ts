import { describe, expect, it } from '@jest/globals';
import { gapIn } from './not-covered.js';

const object = (schema: object, version: object = {}): { readonly metadata: Record<string, never> } => ({
  metadata: {},
  ...{ spec: { versions: [{ name: 'v1', schema, ...version }] } },
});
const field = (a: object): object => ({ type: 'object', properties: { a } });

describe(gapIn, () => {
  const rule = (one: object): object => field({ type: 'string', 'x-kubernetes-validations': [one] });
  it.each([
    { given: 'a plain rule', schema: rule({ rule: "self.startsWith('a')" }), expected: undefined },
    {
      given: 'a function of Kubernetes',
      schema: rule({ rule: "isURL(self) || url(self).getHost() == ''" }),
      expected: /functions that Kubernetes adds/,
    },
    {
      given: 'a has() that this library does not understand',
      schema: rule({ rule: 'has(oldSelf.value().a)' }),
      expected: /functions that Kubernetes adds/,
    },
    { given: 'a message that is computed', schema: rule({ rule: 'true', messageExpression: '"a"' }), expected: undefined },
    {
      given: 'a message that is computed by a function of Kubernetes',
      schema: rule({ rule: 'true', messageExpression: 'url(self).getHost()' }),
      expected: /functions that Kubernetes adds/,
    },
    { given: 'a format that is checked', schema: field({ type: 'string', format: 'ipv4' }), expected: undefined },
    { given: 'a format that nobody knows', schema: field({ type: 'string', format: 'nonsense' }), expected: undefined },
    { given: 'a format that is not checked', schema: field({ type: 'string', format: 'email' }), expected: /^the formats / },
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
