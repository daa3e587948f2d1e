/** The value of a key in a map, made and kept where there is none yet. */
export function entryOf<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/** Takes something out of the entry of a key, and the entry out of the map when nothing is left in it. Does nothing without an entry. */
export function pruneEntry<K, V extends { readonly size: number }>(map: Map<K, V>, key: K, take: (entry: V) => void): void {
  const entry = map.get(key);
  if (entry === undefined) return;
  take(entry);
  if (entry.size === 0) map.delete(key);
}
