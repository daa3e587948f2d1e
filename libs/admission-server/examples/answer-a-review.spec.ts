import { it } from '@jest/globals';

// The program asserts by itself.
it('given a server, when a review is posted with its token, then the program answers it', async () => {
  await import('./answer-a-review.js');
});
