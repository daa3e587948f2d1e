import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { shareRoom, type Shares } from './share-room.js';

interface Item {
  readonly author: string;
  readonly size: number;
}

const item = (author: string, size: number): Item => ({ author, size });

describe(shareRoom, () => {
  it.each<{ given: string; items: readonly Item[]; expected: readonly string[] }>([
    { given: 'nothing', items: [], expected: [] },
    { given: 'as much as there is room for', items: [item('a', 4), item('b', 6)], expected: ['a', 'b'] },
    { given: 'one author who asks for more than there is', items: [item('a', 11)], expected: [] },
    { given: 'one author whose items together are more than there is', items: [item('a', 6), item('a', 5)], expected: [] },
    { given: 'a modest author after a greedy one', items: [item('greedy', 10), item('modest', 1)], expected: ['modest'] },
    {
      given: 'modest authors with many items and a greedy one with one item',
      items: [item('a', 2), item('greedy', 9), item('b', 3), item('a', 2)],
      expected: ['a', 'b', 'a'],
    },
    { given: 'two authors who ask for the same, of whom one fits', items: [item('b', 6), item('a', 6)], expected: ['a'] },
    { given: 'an author whose items take no room', items: [item('greedy', 11), item('a', 0)], expected: ['a'] },
  ])('given $given and room for ten, then it is shared by who asks for least', ({ items, expected }) => {
    expect(shareRoom(items, sharing(10)).map(({ author }) => author)).toEqual(expected);
  });
});

describe('laws of fair shares', () => {
  const anyItem = fc.record({ author: fc.constantFrom('a', 'b', 'c', 'd', 'e'), size: fc.nat(12) });
  const anyItems = fc.array(anyItem, { maxLength: 20 });
  const anyRoom = fc.nat(60);

  it('what is kept fits, and of each author it is everything or nothing', () => {
    fc.assert(
      fc.property(anyItems, anyRoom, (items, room) => {
        const kept = shareRoom(items, sharing(room));

        expect(sizeOf(kept)).toBeLessThanOrEqual(room);
        expect(kept).toEqual(items.filter(({ author }) => kept.some((other) => other.author === author)));
      }),
    );
  });

  it('whoever asks for least is never dropped for one who asks for more, nor without need', () => {
    fc.assert(
      fc.property(anyItems, anyRoom, (items, room) => {
        const kept = shareRoom(items, sharing(room));

        const asked = (author: string): number => sizeOf(items.filter((each) => each.author === author));
        const keptAuthors = new Set(kept.map(({ author }) => author));
        for (const { author } of items.filter((each) => !kept.includes(each))) {
          expect(sizeOf(kept) + asked(author)).toBeGreaterThan(room);
          for (const other of keptAuthors) expect(asked(other)).toBeLessThanOrEqual(asked(author));
        }
      }),
    );
  });

  it('the order of the items means nothing but their order', () => {
    const shuffled = anyItems.chain((items) => fc.tuple(fc.constant(items), fc.shuffledSubarray(items, { minLength: items.length })));
    fc.assert(
      fc.property(shuffled, anyRoom, ([items, others], room) => {
        const kept = new Set(shareRoom(items, sharing(room)));

        expect(shareRoom(others, sharing(room))).toEqual(others.filter((each) => kept.has(each)));
      }),
    );
  });

  it('what a greedier author adds takes nothing from whoever asks for no more than before', () => {
    fc.assert(
      fc.property(anyItems, anyRoom, fc.nat(60), (items, room, more) => {
        const honest = items.filter(({ author }) => author !== 'e');
        const alone = shareRoom(honest, sharing(room));
        const asked = Math.max(0, ...honest.map(({ author }) => sizeOf(honest.filter((each) => each.author === author))));

        const beside = shareRoom([...honest, item('e', asked + 1 + more)], sharing(room));

        expect(beside.filter(({ author }) => author !== 'e')).toEqual(alone);
      }),
    );
  });
});

function sharing(room: number): Shares<Item> {
  return { room, authorOf: ({ author }) => author, sizeOf: ({ size }) => size };
}

function sizeOf(items: readonly Item[]): number {
  return items.reduce((sum, { size }) => sum + size, 0);
}
