import { it } from '@jest/globals';

// The program asserts by itself.
it('given many who need a list at once, then the program reads it twice at most', async () => {
  await import('./one-list-for-all.js');
});
