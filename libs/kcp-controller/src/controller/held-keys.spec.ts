import { describe, expect, it } from '@jest/globals';
import { endpointOf } from '../spec-support/widgets.js';
import { HeldKeys } from './held-keys.js';

const [here, there] = [endpointOf('a'), endpointOf('b')];

describe(HeldKeys, () => {
  it('given keys of two endpoints, then the first of each is told, each counts once, and those of one are released', () => {
    const held = new HeldKeys();
    expect(held.size).toBe(0);

    expect([held.hold(here, 'x'), held.hold(here, 'y'), held.hold(here, 'x'), held.hold(there, 'x')]).toEqual([true, false, false, true]);
    expect(held.size).toBe(3);

    expect([...held.release(here)]).toEqual(['x', 'y']);
    expect(held.size).toBe(1);
    expect([...held.release(there)]).toEqual(['x']);
  });

  it('given an endpoint whose keys were released, then there are none any more, and the next one is the first', () => {
    const held = new HeldKeys();
    held.hold(here, 'x');
    held.release(here);

    expect([...held.release(here)]).toEqual([]);
    expect(held.hold(here, 'x')).toBe(true);
  });
});
