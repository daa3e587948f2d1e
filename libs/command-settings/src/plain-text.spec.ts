import { describe, expect, it } from '@jest/globals';
import { plainText } from './plain-text.js';

describe(plainText, () => {
  it.each([
    { given: 'what a terminal obeys', text: 'a\u001b[2J\u0007b', expected: 'a\uFFFD[2J\uFFFDb' },
    { given: 'another line', text: 'fine\n run: sh\u2028', expected: 'fine\uFFFD run: sh\uFFFD' },
    { given: 'what turns text round', text: '\u202egnp', expected: '\uFFFDgnp' },
    { given: 'half a character', text: 'a\ud800', expected: 'a\uFFFD' },
    { given: 'no characters', text: '\uFFFE\uFFFF', expected: '\uFFFD\uFFFD' },
    { given: 'any other text', text: 'Größe 2 × é 漢 😀', expected: 'Größe 2 × é 漢 😀' },
  ])('given $given, then nothing of it is left but the text', ({ text, expected }) => {
    expect(plainText(text)).toBe(expected);
  });
});
