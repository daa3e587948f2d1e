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
    { given: 'several errors of which there is none', thrown: new AggregateError([], 'none of them'), expected: 'none of them' },
    { given: 'an error without a message', thrown: new TypeError(''), expected: 'TypeError' },
    {
      given: 'a cause of an error without a message and a name',
      thrown: Object.assign(new Error('', { cause: new Error('no such file') }), { name: '' }),
      expected: 'no such file',
    },
    { given: 'an empty text', thrown: '', expected: 'failed without a message' },
    { given: 'an error that ends in line breaks', thrown: new Error(' \n first \n\n second '), expected: 'first second' },
    {
      given: 'a cause that is a part of what another one told',
      thrown: new Error('a', { cause: new Error('no such file', { cause: 'such' }) }),
      expected: 'a: no such file',
    },
    {
      given: 'a chain of six causes',
      thrown: ['5', '4', '3', '2', '1'].reduce((cause, message) => new Error(message, { cause }), new Error('6')),
      expected: '1: 2: 3: 4: 5',
    },
    { given: 'null', thrown: null, expected: 'a value that is no error was thrown' },
    {
      given: 'a function with a message',
      thrown: Object.assign(() => 0, { message: 'm' }),
      expected: 'a value that is no error was thrown',
    },
    { given: 'an object without a message', thrown: { name: 'n' }, expected: 'a value that is no error was thrown' },
    { given: 'an object whose message is no text', thrown: { name: 'n', message: 7 }, expected: 'a value that is no error was thrown' },
    { given: 'an object without a name', thrown: { message: 'm' }, expected: 'a value that is no error was thrown' },
    { given: 'a text', thrown: 'just so', expected: 'just so' },
    { given: 'nothing', thrown: undefined, expected: 'failed without a message' },
    { given: 'what is no error', thrown: 7, expected: 'a value that is no error was thrown' },
  ])('given $given, then it says what happened in one line', ({ thrown, expected }) => {
    expect(describeFailure(thrown)).toBe(expected);
  });
});
