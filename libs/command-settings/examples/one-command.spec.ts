import { it } from '@jest/globals';

// The program asserts by itself.
it('given flags and variables, then the command of the program gets typed values, or says what is wrong', async () => {
  await import('./one-command.js');
});
