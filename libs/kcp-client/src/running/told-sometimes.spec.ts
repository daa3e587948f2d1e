import { describe, expect, it } from '@jest/globals';
import { tellAgain, type Told } from './told-sometimes.js';

/** At which seconds something is said, when each reason is met every other second. */
function saidAt(reasons: readonly string[]): readonly number[] {
  const seconds: number[] = [];
  let last: Told | undefined;
  for (const [index, reason] of reasons.entries()) {
    const told = tellAgain(last, reason, index * 2_000);
    if (told === undefined) continue;
    last = told;
    seconds.push(index * 2);
  }
  return seconds;
}

describe(tellAgain, () => {
  it('given a kcp that stays dead for five minutes, then the line comes less and less often, down to once a minute', () => {
    expect(saidAt(Array.from({ length: 150 }, () => 'dead'))).toEqual([0, 4, 12, 28, 60, 120, 180, 240]);
  });

  it('given another reason, then it is said at once, and its pauses begin anew', () => {
    expect(saidAt(['dead', 'dead', 'dead', 'dead', 'refused', 'refused', 'refused', 'dead'])).toEqual([0, 4, 8, 12, 14]);
  });
});
