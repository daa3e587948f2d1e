import { it } from '@jest/globals';

// The program asserts by itself.
it('given a page and a path, then the program finds who refers to a VPC without parsing what cannot', async () => {
  await import('./references.js');
});
