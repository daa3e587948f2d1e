import { describe, expect, it } from '@jest/globals';
import { ReadingTurns } from './reading-turns.js';

describe(ReadingTurns, () => {
  it('given an author who takes all that one may, then there are turns for others, and for that one once a turn is given back', () => {
    const turns = new ReadingTurns({ most: 3, mostOfOne: 2 });
    const [greedy, other, late] = ['greedy', 'other', 'late'];

    const first = turns.take(greedy);
    const taken = [turns.take(greedy), turns.take(greedy), turns.take(other), turns.take(late)].map((turn) => turn !== undefined);
    first?.();

    expect([first !== undefined, ...taken]).toEqual([true, true, false, true, false]);
    expect(turns.take(late)).toBeDefined();
    expect(turns.take(other)).toBeUndefined();
  });

  it('given an author who takes all that one may, when some are given back, then that many can be taken again', () => {
    const turns = new ReadingTurns({ most: 9, mostOfOne: 3 });
    const given = [1, 2, 3].map(() => turns.take('greedy'));

    for (const giveBack of given.slice(1)) giveBack?.();

    expect([1, 2, 3].map(() => turns.take('greedy') !== undefined)).toEqual([true, true, false]);
  });
});
