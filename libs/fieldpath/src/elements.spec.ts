import { describe, expect, it } from '@jest/globals';
import { elementsOf, type Elements } from './index.js';

describe(elementsOf, () => {
  it.each([
    ['lists with sorted keys', '{"apiVersion":"v1","items":[{"a":1},{"b":"n"}],"kind":"L","metadata":{"continue":"n"}}', ['{"b":"n"}']],
    ['lists with their metadata in front', '{"kind":"L","metadata":{"a":["n"]},"items":[{"b":"n"}]}\n', ['{"b":"n"}']],
    ['odd white space', '\r\n{ "items"\t:\n[ {"a" : "n"} , { } ] , "b" : -1.5e+3 , "c" : null }  ', ['{"a" : "n"}']],
    ['no elements', '{"items":[]}', []],
    ['no elements, loosely written', '{ "items" : [ ] }', []],
    ['objects within objects', '{"items":[{"a":{"items":[{"b":"n"},{}]}},{"c":1}]}', ['{"a":{"items":[{"b":"n"},{}]}}']],
    ['brackets in strings', '{"items":[{"a":"}]","b":"n"},{"c":"{[\\"}"},{"n":0}]}', ['{"a":"}]","b":"n"}', '{"n":0}']],
    ['quotes in strings', '{"items":[{"a":"\\"},{\\"n\\""},{"b":"\\\\"},{"c":"n"}]}', ['{"c":"n"}']],
    ['the name twice in one object', '{"items":[{"n":"n"},{}]}', ['{"n":"n"}']],
    ['the name in escapes', '{"items":[{"a":"\\u006e"},{"a":"\\u006d"},{"a":"n"}]}', ['{"a":"\\u006e"}', '{"a":"n"}']],
    ['the name behind escapes', '{"items":[{"a":"n"},{"a":"\\u006e"},{"a":"n"}]}', ['{"a":"n"}', '{"a":"\\u006e"}', '{"a":"n"}']],
    ['the name beside the elements only', '{"n":"n","items":[{"a":1}],"z":["n"]}', []],
    ['the key in other objects', '{"a":{"items":[{"b":"n"}]},"items":[{"c":"n"}],"z":[{"items":[{}]}]}', ['{"c":"n"}']],
    ['letters beyond ASCII', '{"items":[{"ż":"ó"},{"🌍":"n"}]}', ['{"🌍":"n"}']],
  ])('given %s, then the elements that hold the name are found', (_given, page, expected) => {
    const elements = atOnce(Buffer.from(page), 'items');

    expect(elements?.holding('n').map((index) => elements.bytes(index).toString())).toEqual(expected);
  });

  it('given a name that can be written in many ways, then any element may hold it', () => {
    const elements = atOnce(Buffer.from('{"items":[{"a":1},{"b":2}]}'), 'items');

    expect(elements?.holding('a/b')).toEqual([0, 1]);
  });

  it('given a number that no element has, then its text is empty', () => {
    const elements = atOnce(Buffer.from('{"items":[{"a":1}]}'), 'items');

    expect([elements?.bytes(0).toString(), elements?.bytes(1).toString()]).toEqual(['{"a":1}', '']);
  });

  it('given a page full of escapes, then every element may hold the name', () => {
    const elements = atOnce(Buffer.from(`{"items":[{"a":"${'\\u003c'.repeat(50_001)}"},{"b":1}]}`), 'items');

    expect(elements?.holding('n')).toEqual([0, 1]);
  });

  it('given a view into a larger buffer, then only the view is looked at', () => {
    const whole = new TextEncoder().encode('{"items":[{"a":"n"}]}{"items":[{"b":"n"}]}{');

    const elements = atOnce(whole.subarray(21, 42), 'items');

    expect(elements?.holding('n').map((index) => elements.bytes(index).toString())).toEqual(['{"b":"n"}']);
  });

  it.each([
    ['nothing', ''],
    ['an array', '[{"items":[]}]'],
    ['an object without the key', '{"a":[]}'],
    ['no keys', '{}'],
    ['an array of what is no object', '{"items":[1]}'],
    ['an array of arrays', '{"items":[[]]}'],
    ['null instead of an array', '{"items":null}'],
    ['an object instead of an array', '{"items":{"a":{}}}'],
    ['the key twice', '{"items":[{"a":1}],"items":[{"b":1}]}'],
    ['the key twice, once in escapes', '{"items":[{"a":1}],"item\\u0073":[{"b":1}]}'],
    ['a page that is cut in an element', '{"items":[{"a":1},{"b":'],
    ['a page that is cut in a string', '{"items":[{"a":"b'],
    ['a page that is cut in an escape', '{"items":[{"a":"b\\'],
    ['a page that is cut between elements', '{"items":[{"a":1},'],
    ['a page that is cut behind the elements', '{"items":[{"a":1}]'],
    ['a page that is cut in a key', '{"items":[{"a":1}],"kin'],
    ['a page that is cut behind a key', '{"items":[{"a":1}],"kind"'],
    ['a page that is cut in a value', '{"items":[{"a":1}],"metadata":{"a":'],
    ['a page that is cut before a value', '{"items":[{"a":1}],"kind":'],
    ['a page that is cut and begun anew', '{"items":[{"a":1},{"items":[{"b":1}]}'],
    ['more behind the end', '{"items":[{"a":1}]}{}'],
    ['brackets that do not match', '{"items":[{"a":[1}],"b":2]}]}'],
    ['brackets that do not match beside the elements', '{"items":[{"a":1}],"b":[{]}}'],
    ['a comma too many among the elements', '{"items":[{"a":1},]}'],
    ['a comma too few among the elements', '{"items":[{"a":1}{"b":1}]}'],
    ['something else than a comma among the elements', '{"items":[{"a":1}x{"b":1}]}'],
    ['something else behind them, and the key again', '{"items":[{"a":1}x,"items":[{"b":1}]}'],
    ['no value before the elements', '{"kind":,"items":[{"a":1}]}'],
    ['a comma too many behind them', '{"items":[{"a":1}],}'],
    ['a comma too few behind them', '{"items":[{"a":1}]"b":1}'],
    ['no colon', '{"items"[{"a":1}]}'],
    ['a byte order mark', '\ufeff{"items":[{"a":1}]}'],
  ])('given %s, then a parse of the whole has to tell', (_given, page) => {
    expect(atOnce(Buffer.from(page), 'items')).toBeUndefined();
  });

  it('given a large page, then it is walked in pieces of some 64 KiB', () => {
    const page = Buffer.from(JSON.stringify({ items: Array.from({ length: 1_000 }, () => ({ a: 'x'.repeat(2_000) })) }));

    expect([...elementsOf(page, 'items')]).toHaveLength(30);
  });
});

function atOnce(page: Uint8Array, key: string): Elements | undefined {
  const walk = elementsOf(page, key);
  for (;;) {
    const { done, value } = walk.next();
    if (done === true) return value;
  }
}
