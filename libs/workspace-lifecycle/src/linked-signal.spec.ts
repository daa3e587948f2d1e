import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { linkedSignal } from './linked-signal.js';

describe(linkedSignal, () => {
  it.each([
    { which: 'made', listen: (_: AbortSignal, made: AbortSignal) => made.addEventListener('abort', () => undefined) },
    { which: 'given', listen: (given: AbortSignal) => void linkedSignal(given) },
  ])('given more listeners to the signal that is $which than Node is used to, then it warns of no leak', async ({ listen }) => {
    const given = new AbortController().signal;
    const { signal } = linkedSignal(given);
    const warned = once(process, 'warning');

    for (let listener = 0; listener < 11; listener += 1) listen(given, signal);
    process.emitWarning('the last one');

    await expect(warned).resolves.toEqual([expect.objectContaining({ message: 'the last one' })]);
  });
});
