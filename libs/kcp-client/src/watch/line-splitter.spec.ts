import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { LineSplitter } from './line-splitter.js';

describe(LineSplitter, () => {
  it('given lines cut into chunks anywhere, also inside a character, then the same lines come out', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\n', ''))),
        fc.array(fc.nat(20)),
        (lines, sizes) => {
          const splitter = new LineSplitter();
          let rest = Buffer.from(lines.map((line) => `${line}\n`).join(''));
          const out: Buffer[] = [];

          for (const size of sizes) {
            out.push(...splitter.push(rest.subarray(0, size)));
            rest = rest.subarray(size);
          }
          out.push(...splitter.push(rest));

          expect(out.map(String)).toEqual(lines.filter((line) => line !== ''));
          expect(splitter.pendingBytes).toBe(0);
        },
      ),
    );
  });

  it('given a line that does not end, then it says how much it holds', () => {
    const splitter = new LineSplitter();

    expect(splitter.push(Buffer.from('abc'))).toEqual([]);
    expect(splitter.pendingBytes).toBe(3);
    expect(splitter.push(Buffer.from('d\nef')).map(String)).toEqual(['abcd']);
    expect(splitter.pendingBytes).toBe(2);
  });
});
