/*
 * Shares the room of one object among authors. The authors with the smallest demand come first, and an author gets all of its demand or nothing. So only an
 * author with a large demand loses. Pure, and stable: the same items give the same result.
 */

/** What each item is and takes. */
export interface Shares<T> {
  /** In the unit of `sizeOf`. */
  readonly room: number;
  readonly authorOf: (item: T) => string;
  readonly sizeOf: (item: T) => number;
}

/** The items of the authors that have room, in their order. */
export function shareRoom<T>(items: readonly T[], { room, authorOf, sizeOf }: Shares<T>): readonly T[] {
  const asked = new Map<string, number>();
  for (const item of items) asked.set(authorOf(item), (asked.get(authorOf(item)) ?? 0) + sizeOf(item));
  const admitted = new Set<string>();
  let left = room;
  for (const [author, size] of [...asked].sort(leastFirst)) {
    if (size > left) break;
    left -= size;
    admitted.add(author);
  }
  return items.filter((item) => admitted.has(authorOf(item)));
}

function leastFirst([a, sizeOfA]: readonly [string, number], [b, sizeOfB]: readonly [string, number]): number {
  return sizeOfA - sizeOfB || (a < b ? -1 : 1);
}
