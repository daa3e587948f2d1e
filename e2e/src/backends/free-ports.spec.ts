import { describe, expect, it } from '@jest/globals';
import { freePorts } from './free-ports.js';

describe(freePorts, () => {
  it('given many who ask at once, then each has a port of its own, none of which an outgoing connection is given', async () => {
    const asked = await Promise.all(Array.from({ length: 50 }, () => freePorts('one', 'two')));
    const ports = asked.flatMap(({ one, two }) => [one, two]);

    expect(new Set(ports).size).toBe(100);
    expect(Math.max(...ports)).toBeLessThan(32_768);
  });
});
