// Names in pictures. Authors of rules choose them, so they are made harmless text. Pure.

/** A text without what commands a reader: no control characters, nothing that turns text round, no halves of characters. */
export function plainText(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029\uFFFE\uFFFF]/gu, '\uFFFD');
}

/** The text, or its beginning where it is longer. */
export function shortened(text: string, most: number): string {
  const characters = Array.from(text);
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
}
