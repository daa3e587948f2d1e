import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { duplicateFields, readJson } from './json-syntax.js';

describe(readJson, () => {
  it.each([
    ['', 'unexpected end of JSON input'],
    ['{', 'unexpected end of JSON input'],
    ['{"a"', 'unexpected end of JSON input'],
    ['{"a":1,', 'unexpected end of JSON input'],
    ['{a:1}', "invalid character 'a' looking for beginning of object key string"],
    ['nul', "invalid character ' ' in literal null (expecting 'l')"],
    ['{"a":tru}', "invalid character '}' in literal true (expecting 'e')"],
    ['{"a":1}}', "invalid character '}' after top-level value"],
    ['{"a":01}', "invalid character '1' after object key:value pair"],
    ['{"a":"\u0001"}', "invalid character '\\x01' in string literal"],
    ['{"a":"\\x"}', "invalid character 'x' in string escape code"],
    ['xyz', "invalid character 'x' looking for beginning of value"],
    ['[1 2]', "invalid character '2' after array element"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['[1.]', "invalid character ']' after decimal point in numeric literal"],
  ])('given %j, when read, then it is refused in the words of Go: %s', (text, problem) => {
    expect(readJson(text)).toEqual({ ok: false, problem });
  });

  it('every JSON value is read as it is, and has no field twice', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(readJson(text)).toEqual({ ok: true, value: JSON.parse(text) as unknown });
        expect(duplicateFields(JSON.stringify(JSON.parse(text)))).toEqual([]);
      }),
    );
  });

  it('a text that the platform refuses is always explained', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const read = readJson(text);
        expect(read.ok || /^(unexpected end of JSON input|invalid character '.{1,4}' [a-z])/u.test(read.problem)).toBe(true);
      }),
    );
  });
});

describe(duplicateFields, () => {
  it('given fields said twice at several depths, when looked for, then each is named once by its path', () => {
    const text = '{"metadata":{"name":"a","name":"b","name":"c"},"data":{"x":1},"list":[{"op":1,"op":2}],"data":{}}';

    expect(duplicateFields(text)).toEqual(['metadata.name', 'list[0].op', 'data']);
  });
});
