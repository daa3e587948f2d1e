import assert from 'node:assert/strict';
import { systemClock } from '@dep-ctrl/kcp-client';
import { SharedLists } from '@dep-ctrl/shared-lists';

let opened = 0;
async function* open(): AsyncGenerator<readonly string[]> {
  opened += 1;
  await new Promise((resolve) => setImmediate(resolve)); // here the server is asked
  yield ['blue', 'green'];
}
const lists = new SharedLists<readonly string[]>({ clock: systemClock });
const signal = AbortSignal.timeout(5_000);

const read = async (): Promise<readonly string[]> => {
  const names: string[] = [];
  await lists.read('consumer/vpcs', {
    open,
    accept: (page) => {
      names.push(...page);
      return 'more';
    },
    signal,
    patienceMs: 1_000,
  });
  return names;
};
const answers = await Promise.all(Array.from({ length: 8 }, read));

assert.deepEqual(new Set(answers.map(String)), new Set(['blue,green']));
assert.equal(opened, 2); // the first one began alone; everybody else came too late for that, and shares the second
