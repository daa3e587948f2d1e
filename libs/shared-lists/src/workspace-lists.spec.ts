import { describe, expect, it } from '@jest/globals';
import { longLists } from './workspace-lists.js';

describe(longLists, () => {
  const long = longLists(1_000);

  it.each([
    ['one page', [{ remainingItemCount: undefined }], []],
    ['ten pages', pages(10), []],
    ['eleven pages', pages(11), [[1, 1 / 11]]],
    ['twenty pages', pages(20), [[2, 0.1]]],
    ['two hundred pages', pages(200), [[20, 0.1]]],
  ])('given %s, then it is decided after a tenth of a long list, once', (_given, list, expected) => {
    expect(
      list.flatMap((page, index) => {
        const share = long.shareToDecide({ restarted: false, ...page }, index + 1);
        return share === undefined ? [] : [[index + 1, share]];
      }),
    ).toEqual(expected);
  });

  it('given a list that begins anew, then its first page says that earlier ones are void', () => {
    expect(long.anew({ restarted: false, remainingItemCount: 7 })).toEqual({ restarted: true, remainingItemCount: 7 });
  });
});

/** So many pages of which the last is half full. */
function pages(count: number): readonly { readonly remainingItemCount: number | undefined }[] {
  return Array.from({ length: count }, (_, index) => ({
    remainingItemCount: index === count - 1 ? undefined : (count - index - 1) * 1_000 - 500,
  }));
}
