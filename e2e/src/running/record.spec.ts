import { describe, expect, it } from '@jest/globals';
import type { Outcome } from './outcome.js';
import { withResults } from './record.js';

describe(withResults, () => {
  it.each<{ given: string; outcome: Outcome; expected: object }>([
    { given: 'a pass', outcome: { state: 'passed', ms: 1 }, expected: { S1: { embedded: ['0.31.0'], kcp: ['0.30.0', '0.32.3'] } } },
    { given: 'a failure', outcome: { state: 'failed', ms: 1, problem: '' }, expected: { S1: { embedded: ['0.31.0'], kcp: ['0.30.0'] } } },
    { given: 'a skip', outcome: { state: 'skipped', why: '' }, expected: { S1: { embedded: ['0.31.0'], kcp: ['0.30.0', '0.32.3'] } } },
  ])('given $given on a version, then the file says $expected', ({ outcome, expected }) => {
    const kcp = outcome.state === 'passed' ? ['0.30.0'] : ['0.30.0', '0.32.3'];
    const before = { S1: { kcp, embedded: ['0.31.0'] } };

    expect(withResults(before, [{ backend: 'kcp', version: '0.32.3', outcomes: new Map([['S1', outcome]]) }])).toEqual(expected);
  });

  it('given the only pass that is followed by a failure, then the backend is struck out', () => {
    const outcomes = new Map<string, Outcome>([['S1', { state: 'failed', ms: 1, problem: '' }]]);

    expect(withResults({ S1: { kcp: ['0.32.3'] } }, [{ backend: 'kcp', version: '0.32.3', outcomes }])).toEqual({});
  });

  it('given many cases, then they are in the order of people', () => {
    const outcomes = new Map(['S10.1', 'S2.1', 'S2.10', 'S2.9'].map((id) => [id, { state: 'passed', ms: 1 } as const]));

    expect(Object.keys(withResults({}, [{ backend: 'kcp', version: '1', outcomes }]))).toEqual(['S2.1', 'S2.9', 'S2.10', 'S10.1']);
  });
});
