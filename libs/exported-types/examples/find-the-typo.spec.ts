import { it } from '@jest/globals';

// The program asserts by itself.
it('given an APIResourceSchema and a path with a typo, then the program says what there is', async () => {
  await import('./find-the-typo.js');
});
