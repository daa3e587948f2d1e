import { describe, expect, it } from '@jest/globals';
import { matchesLabels, parseLabelSelector, readLabelSelector } from './label-selector.js';

const labels = { app: 'web', tier: 'front', n: '5' };

describe(parseLabelSelector, () => {
  it.each([
    ['', true],
    ['app', true],
    ['!app', false],
    ['!other', true],
    ['app=web', true],
    ['app==web', true],
    ['app=db', false],
    ['app!=db', true],
    ['other!=db', true],
    ['app in (web, db)', true],
    ['app notin (web,db)', false],
    ['other notin (web)', true],
    ['n>4', true],
    ['n<4', false],
    ['app=web,tier=front', true],
    ['app=web,tier=back', false],
    ['other=', false],
  ])('given %j, then it matches: %s', (text, expected) => {
    expect(matchesLabels(parseLabelSelector(text), labels)).toBe(expected);
  });

  it.each([
    ['a in (x', "unable to parse requirement: found '', expected: ',' or ')'"],
    ['a==,,b', "found ',', expected: identifier after ','"],
    ['a b', "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
  ])('given %j, then it is refused in the words of the API server', (text, message) => {
    expect(() => parseLabelSelector(text)).toThrow(message);
  });
});

describe(readLabelSelector, () => {
  it.each([
    [{}, true],
    [{ matchLabels: { app: 'web' } }, true],
    [{ matchLabels: { app: 'db' } }, false],
    [{ matchExpressions: [{ key: 'app', operator: 'In', values: ['web'] }] }, true],
    [{ matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['web'] }] }, false],
    [{ matchExpressions: [{ key: 'other', operator: 'DoesNotExist' }] }, true],
    [{ matchExpressions: [{ key: 'other', operator: 'Exists' }] }, false],
  ])('given %j, then it matches: %s', (selector, expected) => {
    expect(matchesLabels(readLabelSelector(selector), labels)).toBe(expected);
  });
});
