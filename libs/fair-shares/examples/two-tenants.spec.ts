import { expect, it } from '@jest/globals';
import { FairSlots, inTurns } from '@dep-ctrl/fair-shares';

it('given two tenants, when one wants everything, then the other is served as well', async () => {
  const options = { signal: AbortSignal.timeout(5_000) };
  const slots = new FairSlots({ count: 2 });

  const giveBack = await slots.take('busy', options);
  expect(slots.takeAtOnce('busy')).toBeUndefined(); // one is left, and it is for the next sharer
  expect(slots.takeAtOnce('modest')).toBeDefined();
  giveBack();

  // Long work in pieces: after 2 ms it is the next sharer's turn.
  const pieces = function* (): Generator<void, number> {
    let sum = 0;
    for (let piece = 1; piece <= 1_000; piece += 1) {
      sum += piece;
      yield;
    }
    return sum;
  };
  expect(await inTurns(pieces(), { sharer: 'busy' })).toBe(500_500);
});
