import { describe, expect, it } from '@jest/globals';
import { ManualClock, settled } from '@dep-ctrl/kcp-client/testing';
import { KcpAsks, type Ask } from './kcp-asks.js';

const forever = new AbortController().signal;

describe(KcpAsks, () => {
  it('given one workspace that asks for more than its share, then the rest of it waits, and others do not', async () => {
    const { asked, take, answer } = make();
    await answer('one', 0.1);
    for (let count = 0; count < 4; count += 1) take('one');
    take('other');

    await settled();

    expect(asked).toEqual(['one', 'one', 'one', 'other']);
  });

  it('given a workspace of which no answer was seen in the last minute, then it asks two things at a time', async () => {
    const { asked, take, answer, clock } = make();
    for (let count = 0; count < 3; count += 1) take('new');
    await settled();
    expect(asked).toEqual(['new', 'new']);
    await answer('rare', 0.1);
    await clock.advance(60_001);

    for (let count = 0; count < 3; count += 1) take('rare');
    await settled();

    expect(asked).toEqual(['rare', 'rare']);
  });

  it.each<{ given: string; answers: readonly number[]; present: readonly string[]; expected: readonly string[] }>([
    { given: 'a large answer while one of small answers is there', answers: [3], present: ['small'], expected: ['large'] },
    { given: 'pages that are large together', answers: [1.5, 1.5], present: ['small'], expected: ['large'] },
    { given: 'a large answer while only such are there', answers: [3], present: ['large'], expected: ['large', 'large', 'large'] },
    { given: 'a large answer while nobody is there', answers: [3], present: [], expected: ['large', 'large', 'large'] },
    { given: 'a small answer', answers: [1.5], present: ['small'], expected: ['large', 'large', 'large'] },
  ])('given $given, then so many things are asked at a time from the first one on', async ({ answers, present, expected }) => {
    const { asked, take, answer } = make([], present);
    await answer('small', 0.1);
    await answer('large', ...answers);
    await answer('large', 0.1);

    for (let count = 0; count < 3; count += 1) take('large');
    await settled();

    expect(asked).toEqual(expected);
  });

  it('given lists that turn out to be large while one of small answers is there, then they go on one at a time', async () => {
    const { asks, answer, clock } = make([], ['small']);
    await answer('small', 0.1);
    const lists = await Promise.all(['one', 'other'].map((workspace) => asks.take(workspace, forever)));
    for (const list of lists) list.answered(3 * 1024 * 1024);
    const wentOn: number[] = [];

    for (const [index, list] of lists.entries()) void list.goOn().then(() => wentOn.push(index));
    await settled();
    expect(wentOn).toEqual([0]);
    lists[0]?.end();
    await clock.advance(0);

    expect(wentOn).toEqual([0, 1]);
  });

  it('given a list that has waited for long enough to go on, then it does not wait again', async () => {
    const { asks, take, answer, clock } = make(['busy'], ['small']);
    await answer('small', 0.1);
    take('busy');
    const asking = asks.take('busy', forever);
    await clock.advance(3_000);
    const list = await asking;
    let wentOn = false;

    void list.goOn().then(() => (wentOn = true));
    await settled();

    expect(wentOn).toBe(true);
  });

  it('given a large answer, then single objects are asked for all the same', async () => {
    const { asks, answer } = make([], ['small']);
    await answer('small', 0.1);
    await answer('large', 3);
    let asked = 0;

    for (let count = 0; count < 3; count += 1) void asks.take('large', forever, { isList: false }).then(() => (asked += 1));
    await settled();

    expect(asked).toBe(3);
  });

  it('given busy ones that are held, then they ask one thing at a time together, in turn, and others go ahead', async () => {
    const { asked, take, giveBack, clock } = make(['busy', 'greedy']);
    for (const workspace of ['busy', 'busy', 'busy', 'greedy', 'other']) take(workspace);
    await settled();
    expect(asked).toEqual(['other', 'busy']);

    for (let count = 0; count < 2; count += 1) {
      giveBack('busy');
      await clock.advance(0);
    }

    expect(asked).toEqual(['other', 'busy', 'busy', 'greedy']);
  });

  it('given a busy one that is held and was answered after 0.2 s, then the next one asks 0.2 s later', async () => {
    const { asked, take, giveBack, clock } = make(['busy']);
    take('busy');
    take('busy');
    await clock.advance(200);
    giveBack('busy');

    await clock.advance(199);
    expect(asked).toEqual(['busy']);
    await clock.advance(1);

    expect(asked).toEqual(['busy', 'busy']);
  });

  it('given a busy one that is held for 3 s, then it goes ahead', async () => {
    const { asked, take, clock } = make(['busy']);
    take('busy');
    take('busy');
    await settled();
    expect(asked).toEqual(['busy']);

    await clock.advance(3_000);
    await settled();

    expect(asked).toEqual(['busy', 'busy']);
  });

  it('given a held one that gives up, then it is told why, and the next one has its turn', async () => {
    const { asked, take, giveBack, asks, clock } = make(['busy', 'greedy']);
    take('busy');
    const quitter = new AbortController();
    const quitting = asks.take('busy', quitter.signal);
    take('greedy');
    quitter.abort(new Error('no time'));

    await expect(quitting).rejects.toThrow('no time');
    giveBack('busy');
    await clock.advance(0);

    expect(asked).toEqual(['busy', 'greedy']);
  });
});

/** Who is busy, and who else is there. */
function make(held: readonly string[] = [], present: readonly string[] = []) {
  const clock = new ManualClock();
  const turns = {
    isHeld: (workspace: string | undefined) => held.includes(workspace ?? ''),
    isAnybody: (isSuch: (workspace: string) => boolean) => present.some(isSuch),
  };
  const asks = new KcpAsks({ limits: { asks: 12, asksOfOne: 3 }, clock, turns });
  const asked: string[] = [];
  const given = new Map<string, Ask>();
  const take = (workspace: string): void => {
    void asks.take(workspace, forever).then((ask) => {
      asked.push(workspace);
      given.set(workspace, ask);
    });
  };
  const giveBack = (workspace: string): void => given.get(workspace)?.end();
  const answer = async (workspace: string, ...mib: readonly number[]): Promise<void> => {
    take(workspace);
    await settled();
    for (const each of mib) given.get(workspace)?.answered(each * 1024 * 1024);
    giveBack(workspace);
    await clock.advance(0);
    asked.length = 0;
  };
  return { asks, asked, take, clock, giveBack, answer };
}
