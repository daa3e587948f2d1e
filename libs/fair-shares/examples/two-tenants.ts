import assert from 'node:assert/strict';
import { FairSlots, inTurns } from '@dep-ctrl/fair-shares';

const options = { signal: AbortSignal.timeout(5_000) };
const slots = new FairSlots({ count: 2 });

const giveBack = await slots.take('busy', options);
assert.equal(slots.takeAtOnce('busy'), undefined); // one is left, and it is for the next sharer
assert.notEqual(slots.takeAtOnce('modest'), undefined);
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
assert.equal(await inTurns(pieces(), { sharer: 'busy' }), 500_500);
