// Objects that refer to each other in a circle: kcp deletes none of them, however often it tries. Pure.

/** An object whose delete is refused, and the objects that refer to it; each by a text that no other has. */
export interface RefusedObject {
  readonly object: string;
  readonly holders: readonly string[];
}

/** One circle among these, from an object to the one that refers to it, and so on; undefined: there is none. */
export function circleAmong(refused: readonly RefusedObject[]): readonly string[] | undefined {
  const holdersOf = new Map(refused.map(({ object, holders }) => [object, holders]));
  for (const { object } of refused) {
    const circle = circleAbove(object, [], holdersOf);
    if (circle !== undefined) return circle;
  }
  return undefined;
}

/** The circle to which the holders of an object lead. Objects that lead to none are taken out: each is looked at once. */
function circleAbove(object: string, path: readonly string[], holdersOf: Map<string, readonly string[]>): readonly string[] | undefined {
  const seenAt = path.indexOf(object);
  if (seenAt !== -1) return path.slice(seenAt);
  for (const holder of holdersOf.get(object) ?? []) {
    const circle = circleAbove(holder, [...path, object], holdersOf);
    if (circle !== undefined) return circle;
  }
  holdersOf.delete(object);
  return undefined;
}
