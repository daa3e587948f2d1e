import { describe, expect, it } from '@jest/globals';
import { parseFeed, withAnswer } from './read-feed.js';
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

describe(withAnswer, () => {
  it('given a replica that is flooded again and again, then what another one told stays, and of its own what it still tells', () => {
    const quiet = withAnswer(new Map(), { process: 'quiet', decisions: manyDecisions(20) });

    const flooded = Array.from({ length: 10 }).reduce<typeof quiet>(
      (known) => withAnswer(known, { process: 'flooded', decisions: manyDecisions(500) }),
      quiet,
    );

    expect([...flooded].map(([process, decisions]) => [process, decisions.length])).toEqual([
      ['quiet', 20],
      ['flooded', 500],
    ]);
  });

  it('given a replica that starts again and again, then the eight that answered last are known', () => {
    const known = Array.from({ length: 20 }, (_, at) => `replica-${String(at)}`).reduce<ReturnType<typeof withAnswer>>(
      (before, process) => withAnswer(before, { process, decisions: [] }),
      new Map(),
    );

    expect([known.size, [...known.keys()][0]]).toEqual([8, 'replica-12']);
  });
});
