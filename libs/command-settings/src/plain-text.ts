/** A text without what commands a reader: no control characters, nothing that turns text round, no halves of characters. Others wrote it. */
export function plainText(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029\uFFFE\uFFFF]/gu, '\uFFFD');
}
