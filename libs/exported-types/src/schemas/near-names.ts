/*
 * Finds the existing names that are most similar to a wrong one. Pure.
 */
import { printFirst } from './first-names.js';

const MOST_NAMES = 5;
// Beyond that a name is no typo of anything, and every comparison costs its square.
const MOST_COMPARED = 64;
// A schema may have tens of thousands of fields in one place: comparing them all would hold up the event loop.
const MOST_CANDIDATES = 64;
// A typo leaves out or puts in that much.
const TYPO_LENGTH = 3;

/** Up to five of these names for people, those first that differ least from the wanted one; `nothing` where there are none. */
export function printNear(names: readonly string[], wanted: string): string {
  if (names.length > MOST_CANDIDATES) return printNearest(names, wanted);
  const all = [...new Set(names)];
  return printFirst(nearest(all, wanted), { most: MOST_NAMES });
}

/** Of very many names only some that are about as long are compared. */
function printNearest(names: readonly string[], wanted: string): string {
  const candidates = new Set<string>();
  for (const name of names) {
    if (candidates.size === MOST_CANDIDATES) break;
    if (Math.abs(name.length - wanted.length) <= TYPO_LENGTH) candidates.add(name);
  }
  const others = names.slice(0, MOST_NAMES).filter((name) => !candidates.has(name));
  return printFirst([...nearest([...candidates], wanted), ...others], { most: MOST_NAMES, of: names.length });
}

function nearest(names: readonly string[], wanted: string): readonly string[] {
  const distances = new Map(names.map((name) => [name, distance(name, wanted)]));
  const far = (name: string): number => distances.get(name) ?? 0;
  return names.toSorted((a, b) => far(a) - far(b) || (a < b ? -1 : 1));
}

/** How many characters have to be put in, left out or replaced to make one name of the other, whatever their case. */
function distance(a: string, b: string): number {
  const [from, to] = [a, b].map((text) => text.slice(0, MOST_COMPARED).toLowerCase()) as [string, string];
  let above = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [row, character] of Array.from(from).entries()) {
    const here = [row + 1];
    for (const [column, other] of Array.from(to).entries()) {
      const replaced = (above[column] ?? 0) + (character === other ? 0 : 1);
      here.push(Math.min(replaced, (above[column + 1] ?? 0) + 1, (here[column] ?? 0) + 1));
    }
    above = here;
  }
  return above.at(-1) ?? 0;
}
