import { describe, expect, it } from '@jest/globals';
import { commands } from '../commands.js';
import { PRECONDITIONS } from './preconditions.js';

describe('the commands that preconditions show', () => {
  it('given the commands of dep-ctrl that they show, then each command and each flag is there', () => {
    for (const { fix } of PRECONDITIONS) {
      const [program, name, ...more] = fix.split(' ');
      if (program !== 'dep-ctrl') continue;
      const command = commands.find((each) => each.name === name);
      const flags = Object.values(command?.settings ?? {}).map(({ flag }) => flag);
      expect({ fix, flags }).toEqual({ fix, flags: expect.arrayContaining(more.filter((each) => each.startsWith('--'))) });
    }
  });
});
