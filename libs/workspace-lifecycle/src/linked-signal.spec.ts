import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { linkedSignal } from './linked-signal.js';

describe(linkedSignal, () => {
  it('given more listeners than Node is used to, then it warns of no leak', async () => {
    const { signal } = linkedSignal();
    const warned = once(process, 'warning');

    for (let listener = 0; listener < 11; listener += 1) signal.addEventListener('abort', () => undefined);
    process.emitWarning('the last one');

    await expect(warned).resolves.toEqual([expect.objectContaining({ message: 'the last one' })]);
  });
});
