import { describe, expect, it } from '@jest/globals';
import { parseFeed } from './read-feed.js';
import { manyDecisions } from './spec-support/many-types.js';

describe(parseFeed, () => {
  const decisions = manyDecisions(2);

  it('given what a webhook answers, then all of it is there', () => {
    expect(parseFeed(JSON.parse(JSON.stringify({ process: 'a', decisions })))).toEqual({ process: 'a', decisions });
  });

  it.each([
    { given: 'a decision that lacks a field', odd: { ...decisions[0], at: undefined } },
    { given: 'a field of another type', odd: { ...decisions[0], number: '1' } },
    { given: 'what is no object', odd: 'text' },
  ])('given $given, then it is left out', ({ odd }) => {
    expect(parseFeed({ process: 'a', decisions: [odd, decisions[1]] })).toEqual({ process: 'a', decisions: [decisions[1]] });
  });

  it.each([undefined, [], { process: 'a' }, { decisions: [] }])('given %j, then it is no feed', (body) => {
    expect(parseFeed(body)).toBeUndefined();
  });
});
