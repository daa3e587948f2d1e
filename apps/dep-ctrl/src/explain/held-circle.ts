// Objects that refer to each other in a circle: kcp deletes none of them, however often it tries. Pure.

/** An object whose delete is refused, and the objects that refer to it; each by a text that no other has. */
export interface RefusedObject {
  readonly object: string;
  readonly holders: readonly string[];
}

/** One circle among these, from an object to the one that refers to it, and so on; undefined: there is none. */
export function circleAmong(refused: readonly RefusedObject[]): readonly string[] | undefined {
  const stuck = new Map(refused.map(({ object, holders }) => [object, holders]));
  const isStuck = (object: string): boolean => stuck.has(object);
  // What is held by nothing that is stuck goes in the end, and then holds nothing itself.
  for (let going = ['']; going.length > 0;) {
    going = [...stuck].flatMap(([object, holders]) => (holders.some(isStuck) ? [] : [object]));
    for (const object of going) stuck.delete(object);
  }
  const walked: string[] = [];
  let [at] = stuck.keys();
  while (at !== undefined && !walked.includes(at)) {
    walked.push(at);
    at = stuck.get(at)?.find(isStuck);
  }
  return at === undefined ? undefined : walked.slice(walked.indexOf(at));
}
