/*
 * Prints a list of names for a condition: the first ones, and the number of the others. Pure.
 */

// A condition tells of ten targets, and may have 32 768 characters.
const MOST_CHARACTERS = 1_000;

/** The first of these names (`of` so many there are), at most so many and none that makes the text too long for a status; `nothing` where there are none. */
export function printFirst(names: readonly string[], { most, of = names.length }: { readonly most: number; readonly of?: number }): string {
  if (names.length === 0) return 'nothing';
  const shown = names.slice(0, most);
  while (shown.length > 1 && shown.join(', ').length > MOST_CHARACTERS) shown.pop();
  const more = of - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
