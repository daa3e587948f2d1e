import { it } from '@jest/globals';

// The program asserts by itself.
it('given a path and texts, then the program tells names from paths, and parses as this lib does', async () => {
  await import('./addresses.js');
});
