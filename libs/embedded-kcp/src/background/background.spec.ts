import { describe, expect, it } from '@jest/globals';
import { Background } from './background.js';

/** Keeps the process busy, as work does that reads many objects. */
function work(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

describe(Background, () => {
  it('given work that always comes again, then what waits for a socket gets its turn between two rounds of it', async () => {
    const background = new Background(0, () => undefined);
    let rounds = 0;
    const again = async (): Promise<void> => {
      rounds += 1;
      work(1);
      await Promise.resolve();
      work(1);
      // Ends by itself: what gets no turn could not end it.
      if (rounds < 300) background.afterMs(1, 'again', again);
    };

    for (let each = 0; each < 5; each += 1) background.afterMs(1, 'again', again);
    // Node runs an immediate right after it has looked at its sockets.
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    const before = rounds;
    background.stop();

    expect(before).toBeLessThan(100);
  });
});
