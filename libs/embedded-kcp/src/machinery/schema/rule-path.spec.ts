import { describe, expect, it } from '@jest/globals';
import { readRulePath } from './rule-path.js';

const text = { type: 'string' };
const schema = {
  type: 'object',
  properties: {
    spec: { type: 'object', properties: { 'a-b': text, list: { type: 'array', items: text } } },
    labels: { type: 'object', additionalProperties: text },
  },
};

describe(readRulePath, () => {
  it.each([
    { path: '.spec', expected: '.spec' },
    { path: ".spec['a-b']", expected: '.spec.a-b' },
    { path: '.spec.a-b', expected: '.spec.a-b' },
    { path: ".labels['example.com/x']", expected: '.labels[example.com/x]' },
    { path: '.spec.list', expected: '.spec.list' },
    { path: '.spec.list[0]', expected: undefined },
    { path: '.none', expected: undefined },
    { path: 'spec', expected: undefined },
    { path: ' .spec', expected: undefined },
    { path: '.constructor', expected: undefined },
    { path: '', expected: undefined },
  ])('given $path, then errors show $expected', ({ path, expected }) => {
    expect(readRulePath(path, schema)).toBe(expected);
  });

  it('given a key of the value itself, then a dot stands before it', () => {
    expect(readRulePath("['example.com/x']", schema.properties.labels)).toBe('.[example.com/x]');
  });
});
