import { describe, expect, it } from '@jest/globals';
import { KcpError } from '@dep-ctrl/kcp-client';
import { outcomeOf, problemOf } from './run-outcome.js';

const conflict = new KcpError({ code: 'conflict', asked: 'patch', at: 'https://kcp', problem: 'somebody was faster' });
const taken = new KcpError({ code: 'already-exists', asked: 'create', at: 'https://kcp', problem: 'somebody was faster' });
const throttled = new KcpError({ code: 'throttled', asked: 'get', at: 'https://kcp', problem: 'later', retryAfterMs: 7_000 });
const again = { kind: 'again', afterMs: 5 } as const;

describe(outcomeOf, () => {
  it.each([
    { given: 'no answer', run: { kind: 'ended', value: undefined }, queue: { kind: 'done' }, outcome: 'done' },
    { given: 'an answer', run: { kind: 'ended', value: again }, queue: again, outcome: 'again' },
    { given: 'a failure', run: { kind: 'failed', error: 'bad' }, queue: { kind: 'retry' }, outcome: 'failed' },
    { given: 'a conflict', run: { kind: 'failed', error: conflict }, queue: { kind: 'retry' }, outcome: 'conflict' },
    { given: 'an object that exists already', run: { kind: 'failed', error: taken }, queue: { kind: 'retry' }, outcome: 'conflict' },
    { given: 'a time to wait', run: { kind: 'failed', error: throttled }, queue: { kind: 'retry', afterMs: 7_000 }, outcome: 'failed' },
    { given: 'a run that hangs', run: { kind: 'hung', ending: Promise.resolve() }, queue: { kind: 'done' }, outcome: 'hung' },
  ] as const)('given $given, then the queue does as it says', ({ run, queue, outcome }) => {
    const ended = outcomeOf(run, false);

    expect(ended.queue).toStrictEqual(queue);
    expect(ended.outcome).toBe(outcome);
  });

  it('given a failure at the end of the term, then nothing is tried again', () => {
    expect(outcomeOf({ kind: 'failed', error: 'bad' }, true)).toMatchObject({ queue: { kind: 'done' }, outcome: 'failed' });
  });
});

it.each([
  { given: 'an error', error: conflict, problem: conflict.message },
  { given: 'no error at all', error: 'bad', problem: 'bad' },
])('given $given, then its problem is a text', ({ error, problem }) => {
  expect(problemOf(error)).toBe(problem);
});
