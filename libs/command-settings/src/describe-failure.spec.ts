import { describe, expect, it } from '@jest/globals';
import { describeFailure } from './describe-failure.js';

describe(describeFailure, () => {
  it.each([
    { given: 'an error', thrown: new Error('no such file'), expected: 'no such file' },
    { given: 'an error of several lines', thrown: new Error('first\n  second'), expected: 'first second' },
    {
      given: 'an error and its cause',
      thrown: new Error('cannot read x', { cause: new Error('EACCES') }),
      expected: 'cannot read x: EACCES',
    },
    {
      given: 'a cause that the message tells already',
      thrown: new Error('cannot read x: EACCES', { cause: new Error('EACCES') }),
      expected: 'cannot read x: EACCES',
    },
    { given: 'several errors', thrown: new AggregateError([new Error('a'), new Error('b')], 'both'), expected: 'a; b' },
    { given: 'what an AbortSignal throws', thrown: AbortSignal.abort().reason as unknown, expected: 'This operation was aborted' },
    { given: 'a text', thrown: 'just so', expected: 'just so' },
    { given: 'nothing', thrown: undefined, expected: 'failed without a message' },
    { given: 'what is no error', thrown: 7, expected: 'a value that is no error was thrown' },
  ])('given $given, then it says what happened in one line', ({ thrown, expected }) => {
    expect(describeFailure(thrown)).toBe(expected);
  });
});
