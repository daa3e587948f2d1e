import { describe, expect, it } from '@jest/globals';
import { PageBuffer } from '@dep-ctrl/kcp-client';
import { PageBuffers } from './page-buffers.js';

describe(PageBuffers, () => {
  it('given lists that are read at a time, then none shares a buffer with another', () => {
    const buffers = new PageBuffers();
    const first = buffers.take();
    buffers.give(first);

    const taken = [buffers.take(), buffers.take(), buffers.take()];

    expect(first).toBeInstanceOf(PageBuffer);
    expect(taken[0]).toBe(first);
    expect(new Set(taken).size).toBe(3);
  });

  it('given a burst that is over, then as many are kept as large pages are read at a time, and the others given back to the system', () => {
    const buffers = new PageBuffers();
    const burst = Array.from({ length: 6 }, () => buffers.take());
    for (const buffer of burst) buffers.give(buffer);

    const next = Array.from({ length: 6 }, () => buffers.take());

    expect(next.filter((buffer) => burst.includes(buffer))).toHaveLength(3);
  });
});
