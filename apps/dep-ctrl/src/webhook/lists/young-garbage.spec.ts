import { describe, expect, it } from '@jest/globals';
import { makeCollectYoung, YoungGarbage } from './young-garbage.js';

const MIB = 1024 * 1024;

describe(YoungGarbage, () => {
  it('given pages of 2.5 MiB, then every second one is followed by a collection', () => {
    const collectedAfter: number[] = [];
    let page = 0;
    const garbage = new YoungGarbage(() => collectedAfter.push(page));

    for (page = 1; page <= 6; page += 1) garbage.add(2.5 * MIB);

    expect(collectedAfter).toEqual([2, 4, 6]);
  });
});

describe(makeCollectYoung, () => {
  it('given small buffers that nobody needs, then their memory is given back', () => {
    const collect = makeCollectYoung();
    for (let made = 0; made < 2_000; made += 1) Buffer.allocUnsafeSlow(4_096);
    const before = process.memoryUsage().arrayBuffers;

    collect();
    // V8 frees them on a thread of its own, and counts them at the next collection.
    collect();

    expect(before - process.memoryUsage().arrayBuffers).toBeGreaterThan(4 * MIB);
  });
});
