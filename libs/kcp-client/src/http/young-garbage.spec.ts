import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { HEAP_GROWTH_FLAG, fitHeap, makeCollectYoung, YoungGarbage } from './young-garbage.js';

const MIB = 1024 * 1024;
const ON_ITS_OWN = ['--single-threaded-gc', '--min-semi-space-size=4', '--max-semi-space-size=4'];

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
    const held = (): number => process.memoryUsage().arrayBuffers;
    let before: number;
    // Until V8 has let it pile up: at times it collects in between on its own account.
    do {
      before = held();
      for (let made = 0; made < 2_000; made += 1) Buffer.allocUnsafeSlow(4_096);
    } while (held() - before < 7 * MIB);
    const most = held();

    collect();
    // V8 frees them on a thread of its own, and counts them at the next collection.
    collect();

    expect(most - held()).toBeGreaterThan(4 * MIB);
  });
});

describe(fitHeap, () => {
  // In processes of their own, as what the heap of this one has become is no measure; on one thread, as what V8 does beside depends on the machine's load; and
  // with a young space of one size, as V8 24 at times never lets it grow, and then has nothing old to collect.
  it('given what is kept for a while and then not needed any more, then much less of it piles up', () => {
    const mibOf = (flag: string): number =>
      Number(execFileSync(process.execPath, [...ON_ITS_OWN, '-e', workload(flag)], { env: {} }).toString());

    expect(mibOf(HEAP_GROWTH_FLAG) / mibOf('')).toBeLessThan(0.75);
  });
});

/** Keeps the last of what it makes, and tells how large the space of what is old became: how V8 sizes the young one differs from line to line. */
function workload(flag: string): string {
  return `
    const v8 = require('node:v8');
    if (${JSON.stringify(flag)} !== '') v8.setFlagsFromString(${JSON.stringify(flag)});
    const kept = [];
    let most = 0;
    for (let round = 0; round < 1_000; round += 1) {
      kept.push(Array.from({ length: 4_000 }, (_, index) => ({ name: round + '-' + index })));
      if (kept.length > 100) kept.shift();
      most = Math.max(most, v8.getHeapSpaceStatistics().find((space) => space.space_name === 'old_space').space_size);
    }
    console.log(most / 1024 / 1024);
  `;
}
