import { describe, expect, it } from '@jest/globals';
import { ManualClock, settled } from '@dep-ctrl/kcp-client/testing';
import { KcpAsks } from './kcp-asks.js';

const forever = new AbortController().signal;

describe(KcpAsks, () => {
  it('given one workspace that asks for more than its share, then the rest of it waits, and others do not', async () => {
    const { asked, take } = make();
    for (let count = 0; count < 3; count += 1) take('one');
    take('other');

    await settled();

    expect(asked).toEqual(['one', 'one', 'other']);
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

function make(held: readonly string[] = []) {
  const clock = new ManualClock();
  const turns = { isHeld: (workspace: string | undefined) => held.includes(workspace ?? '') };
  const asks = new KcpAsks({ limits: { asks: 6, asksOfOne: 2 }, clock, turns });
  const asked: string[] = [];
  const given = new Map<string, () => void>();
  const take = (workspace: string): void => {
    void asks.take(workspace, forever).then((giveBack) => {
      asked.push(workspace);
      given.set(workspace, giveBack);
    });
  };
  return { asks, asked, take, clock, giveBack: (workspace: string) => given.get(workspace)?.() };
}
