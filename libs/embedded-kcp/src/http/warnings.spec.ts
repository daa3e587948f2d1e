import { describe, expect, it } from '@jest/globals';
import { warningHeaders } from './warnings.js';

function sent(warnings: readonly string[]): readonly string[] {
  const { warning = [] } = warningHeaders(warnings);
  return [warning].flat().map((header) => Buffer.from(header, 'latin1').toString('utf8'));
}

describe(warningHeaders, () => {
  it('given texts twice, empty or with a line break, when sent, then each sendable one is there once', () => {
    expect(sent(['a', '', 'two\nlines', 'b', 'a'])).toEqual(['299 - "a"', '299 - "b"']);
  });

  it('given quotes and characters beyond ASCII, when sent, then the former are escaped and the latter are UTF-8', () => {
    expect(sent(['say "no" \\', 'grün … 🙂'])).toEqual(['299 - "say \\"no\\" \\\\"', '299 - "grün … 🙂"']);
  });

  // Seen on kcp v0.32.3: conformance cases D27.7 to D27.11.
  it.each([
    { given: 'one of 4096 characters', count: 1, length: 4096, kept: 1, cut: 4096 },
    { given: 'one of 4097 characters', count: 1, length: 4097, kept: 1, cut: 256 },
    { given: '20 of 300 characters', count: 20, length: 300, kept: 16, cut: 256 },
    { given: '50 of 200 characters', count: 50, length: 200, kept: 21, cut: 200 },
    { given: '3 of 4000 characters', count: 3, length: 4000, kept: 3, cut: 256 },
    { given: '200 of 20 characters', count: 200, length: 20, kept: 200, cut: 20 },
  ])('given $given, when sent, then there are $kept of $cut', ({ count, length, kept, cut }) => {
    const texts = Array.from({ length: count }, (_, index) => `${index}-`.padEnd(length, 'x'));

    expect(sent(texts)).toEqual(texts.slice(0, kept).map((text) => `299 - "${text.slice(0, cut)}"`));
  });

  it('given nothing that can be sent, when asked, then there is no header', () => {
    expect(warningHeaders(['', '\n'])).toEqual({});
  });
});
