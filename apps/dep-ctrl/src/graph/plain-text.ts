// Names in pictures. Whoever writes a rule chooses them: nothing in them may be more than a text. Pure.

/** A text without what commands a reader: no control characters, nothing that turns text round, no halves of characters. */
export function plainText(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029\uFFFE\uFFFF]/gu, '\uFFFD');
}

/** The text, or its beginning where it is longer. */
export function shortened(text: string, most: number): string {
  const characters = Array.from(text);
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
}
