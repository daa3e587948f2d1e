import { describe, expect, it } from '@jest/globals';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { defaultServerLimits } from './admission-server.js';
import { Bodies } from './read-body.js';

describe(Bodies, () => {
  it('given small bodies that stall and leave no room, then the oldest of whoever holds most is cut, and whoever comes is read', async () => {
    const { begin } = makeBodies({ smallBodyBytesInAll: 240 });
    const evil = [await begin('evil', 60), await begin('evil', 60)];
    const other = await begin('other', 60);

    const honest = await begin('honest', 40);
    honest.end();

    expect(await honest.read).toEqual({ outcome: 'read', review: 40 });
    expect(await evil[0]?.read).toEqual({ outcome: 'cut-short' });
    expect([evil[1], other].map((each) => each?.request.destroyed)).toEqual([false, false]);
    for (const each of [evil[1], other]) each?.end();
    expect(await Promise.all([evil[1]?.read, other.read])).toEqual([60, 60].map((review) => ({ outcome: 'read', review })));
  });

  it('given one that would hold most itself, then nobody is cut for it', async () => {
    const { begin } = makeBodies({ smallBodyBytesInAll: 200 });
    const honest = await begin('honest', 60);

    const evil = await begin('evil', 90);

    expect(await evil.read).toEqual({ outcome: 'overloaded' });
    honest.end();
    expect(await honest.read).toEqual({ outcome: 'read', review: 60 });
  });
});

describe('large bodies', () => {
  it('given one that was read, then what is left of it is collected before it is parsed', async () => {
    const told: string[] = [];
    const bodies = new Bodies(defaultServerLimits, { add: (bytes) => told.push(`${bytes} bytes read`) });
    const request = new IncomingMessage(new Socket());
    request.headers['content-length'] = '100000';
    const read = bodies.read(request, { sharer: 'any', parse: (body) => Promise.resolve(told.push(`${body.length} bytes parsed`)) });
    request.push(Buffer.alloc(100_000));
    request.complete = true;
    request.push(null);

    await read;

    expect(told).toEqual(['100000 bytes read', '100000 bytes parsed']);
  });

  it('given one that is announced and does not come, and one of which much has come, then the first is cut, and the other is waited for', async () => {
    const { begin } = makeBodies({ ...LARGE, largeBodies: 2, largeBodyMsPerMiB: LONG_MS });
    const stalled = await begin('evil', 1);
    const coming = await begin('honest', 100_000);

    expect(await stalled.read).toEqual({ outcome: 'cut-short' });
    expect(coming.request.destroyed).toBe(false);
    coming.end();
    expect(await coming.read).toEqual({ outcome: 'read', review: 100_000 });
  });

  it('given ten sharers who stalled and go on like that, then another waits for two of them at most', async () => {
    const { begin } = makeBodies({ ...LARGE, largeBodies: 1 });
    const names = Array.from({ length: 10 }, (_, index) => `evil-${index}`);
    for (const name of names) await (await begin(name, 1)).read;
    const evil = await Promise.all([...names, ...names].map((name) => begin(name, 1)));
    const honest = await begin('honest', 100);
    honest.end();

    expect(await honest.read).toEqual({ outcome: 'read', review: 100 });

    expect(evil.filter(({ request }) => request.destroyed).length).toBeLessThanOrEqual(2);
    for (const { request } of evil) request.destroy();
    expect(await Promise.all(evil.map(({ read }) => read))).toEqual(evil.map(() => ({ outcome: 'cut-short' })));
  });

  it('given bodies of a sharer that wait while one of it stalls, then they have no turn of their own either', async () => {
    const { begin } = makeBodies({ ...LARGE, largeBodies: 1 });
    const names = Array.from({ length: 5 }, (_, index) => `evil-${index}`);
    const [first, ...evil] = await Promise.all(names.flatMap((name) => [begin(name, 1), begin(name, 1), begin(name, 1)]));
    const order: string[] = [];
    const honest = await Promise.all(Array.from({ length: 4 }, () => begin('honest', 100)));
    for (const each of honest) each.end();
    for (const each of evil) each.request.once('close', () => order.push('evil'));

    await first?.read;
    await Promise.all(honest.map(({ read }) => read.then(() => order.push('honest'))));

    // The first turn of each, and the turns that they have together.
    expect(order.filter((who) => who === 'evil').length).toBeLessThanOrEqual(names.length + honest.length);
    for (const { request } of evil) request.destroy();
  });

  it('given a sharer of whose bodies as many wait as may, then its next one is refused at once, and that of another waits', async () => {
    const { begin } = makeBodies({ ...LARGE, largeBodyMs: LONG_MS, largeBodies: 1, largeBodiesWaiting: 5 });
    const reading = await begin('evil', 1);
    const waiting = [await begin('evil', 1), await begin('evil', 1)];
    const excess = await begin('evil', 1);
    const honest = await begin('honest', 100);
    honest.end();

    expect(await excess.read).toEqual({ outcome: 'overloaded' });
    for (const { request } of waiting) request.destroy();
    reading.request.destroy();
    expect(await honest.read).toEqual({ outcome: 'read', review: 100 });
    expect(await Promise.all([reading, ...waiting].map(({ read }) => read))).toEqual(Array(3).fill({ outcome: 'cut-short' }));
  });

  it.each(['announced', 'chunked'])(
    'given one (%s) that waits, has come whole, and whose client goes away, then it is cut short',
    async (how) => {
      const bodies = new Bodies({ ...defaultServerLimits, largeBodies: 1 });
      const parse = (body: Buffer): Promise<number> => Promise.resolve(body.length);
      const first = new IncomingMessage(new Socket());
      first.headers['content-length'] = '100000';
      const reading = bodies.read(first, { sharer: 'any', parse });
      const waiting = new IncomingMessage(new Socket());
      if (how === 'announced') waiting.headers['content-length'] = '70000';
      const read = bodies.read(waiting, { sharer: 'any', parse });
      waiting.push(Buffer.alloc(70_000));
      waiting.complete = true;
      waiting.push(null);

      waiting.destroy();

      expect(await read).toEqual({ outcome: 'cut-short' });
      first.destroy();
      expect(await reading).toEqual({ outcome: 'cut-short' });
    },
  );
});

const LONG_MS = 10_000_000;
/** All are large, and are to come soon. */
const LARGE = { smallBodyBytes: 0, largeBodyMs: 20 };

function makeBodies(limits: Partial<typeof defaultServerLimits>) {
  const bodies = new Bodies({ ...defaultServerLimits, ...limits });
  /** A body of which so much has come. */
  const begin = async (sharer: string, bytes: number) => {
    const request = new IncomingMessage(new Socket());
    request.headers['content-length'] = '1000';
    const read = bodies.read(request, { sharer, parse: (body) => Promise.resolve(body.length) });
    request.push(Buffer.alloc(bytes));
    await setImmediate();
    const end = (): void => {
      request.complete = true;
      request.push(null);
    };
    return { request, read, end };
  };
  return { begin };
}
