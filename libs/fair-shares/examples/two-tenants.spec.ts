import { it } from '@jest/globals';

// The program asserts by itself.
it('given two tenants, when one wants everything, then the program serves the other as well', async () => {
  await import('./two-tenants.js');
});
