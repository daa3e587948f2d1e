import { describe, expect, it } from '@jest/globals';
import { canonicalText, canonicalWebhooks } from './canonical-webhooks.js';

const rule = { operations: ['DELETE', 'CREATE'], apiGroups: ['a.io', 'b.io'], apiVersions: ['v1', 'v2'], resources: ['xs', 'ys'] };
const condition = { name: 'not-skipped', expression: 'true' };
const entry = {
  name: 'guard.example.com',
  clientConfig: { url: 'https://example.com', caBundle: 'Y2E=' },
  sideEffects: 'None',
  rules: [rule],
};
const full = {
  ...entry,
  rules: [{ ...rule, scope: '*' }],
  matchConditions: [],
  failurePolicy: 'Fail',
  matchPolicy: 'Equivalent',
  timeoutSeconds: 10,
  namespaceSelector: {},
  objectSelector: {},
};

describe(canonicalText, () => {
  it.each([
    { given: 'nothing, and an empty list', one: undefined, other: [] },
    { given: 'null, and an empty list', one: null, other: [] },
    { given: 'an entry, and what the server makes of it', one: [entry], other: [full] },
    { given: 'an entry without rules, and with none', one: [{ ...entry, rules: undefined }], other: [{ ...entry, rules: [] }] },
    { given: 'no condition, and null', one: [entry], other: [{ ...entry, matchConditions: null }] },
    { given: 'fields in another order', one: [entry], other: [Object.fromEntries(Object.entries(entry).toReversed())] },
    {
      given: 'lists of a rule in another order',
      one: [entry],
      other: [{ ...entry, rules: [Object.fromEntries(Object.entries(rule).map(([key, all]) => [key, all.toReversed()]))] }],
    },
    { given: 'a rule, and the same rule twice', one: [entry], other: [{ ...entry, rules: [rule, rule] }] },
  ])('given $given, then the text is the same', ({ one, other }) => {
    expect(canonicalText(other)).toBe(canonicalText(one));
  });

  it.each([
    { given: 'no entry', other: [] },
    { given: 'what is no list', other: 'none' },
    { given: 'an item that is no entry', other: [entry, 7] },
    { given: 'another policy', other: [{ ...entry, failurePolicy: 'Ignore' }] },
    { given: 'a field that nobody knows', other: [{ ...entry, newer: true }] },
    { given: 'a condition', other: [{ ...entry, matchConditions: [condition] }] },
    { given: 'no rule', other: [{ ...entry, rules: [] }] },
    { given: 'another scope', other: [{ ...entry, rules: [{ ...rule, scope: 'Cluster' }] }] },
    { given: 'an operation less', other: [{ ...entry, rules: [{ ...rule, operations: ['DELETE'] }] }] },
  ])('given $given, then the text is another one', ({ other }) => {
    expect(canonicalText(other)).not.toBe(canonicalText([entry]));
  });

  it('given another condition, then the text is another one', () => {
    const other = { ...condition, expression: 'false' };

    expect(canonicalText([{ ...entry, matchConditions: [other] }])).not.toBe(canonicalText([{ ...entry, matchConditions: [condition] }]));
  });
});

describe(canonicalWebhooks, () => {
  it('sorts by name, whatever else the entries say', () => {
    const [first, second] = [
      { ...full, clientConfig: { url: 'https://z' }, name: 'a' },
      { ...full, clientConfig: { url: 'https://a' }, name: 'b' },
    ];

    expect(canonicalWebhooks([second, first])).toEqual([first, second].map((each) => ({ ...each, rules: [sorted] })));
  });
});

const sorted = { ...rule, operations: ['CREATE', 'DELETE'], scope: '*' };
