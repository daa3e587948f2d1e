import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { elementsOf, type Elements } from './index.js';

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

// Short texts of the characters that matter, so that names meet, and brackets and quotes stand in strings.
const text = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'b', '{', '}', '[', ']', '"', '\\', ',', ':', 'ż'), maxLength: 4 }),
  fc.string(),
);
const { object } = fc.letrec<{ object: Record<string, Json>; json: Json }>((tie) => ({
  object: fc.dictionary(fc.oneof(fc.constantFrom('items', 'a'), text), tie('json'), { maxKeys: 4 }),
  json: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.integer(),
    fc.double({ noDefaultInfinity: true, noNaN: true }),
    fc.constantFrom(null, true, false),
    fc.array(tie('json'), { maxLength: 4 }),
    tie('object'),
  ),
}));
const list = fc.record({ before: object, items: fc.array(object, { maxLength: 6 }), after: object });
const choices = fc.array(fc.nat(7), { minLength: 1 });

describe('laws of the elements', () => {
  it('given any list, however it is written, then its elements are those that a parse gives, and none that holds a name is missed', () => {
    fc.assert(
      fc.property(list, choices, ({ before, items, after }, howWritten) => {
        const beside = (prefix: string, others: Record<string, Json>) =>
          Object.entries(others).map(([key, value]): [string, Json] => [`${prefix}${key.replace(/[^a-z]/g, '-')}`, value]);
        const write = writer(howWritten);
        const page = write.object([...beside('<', before), ['items', items], ...beside('>', after)], { plainKeys: true });

        const elements = atOnce(Buffer.from(page), 'items');

        const parsed = (JSON.parse(page) as { items: Json[] }).items;
        expect(elements).toBeDefined();
        expect(parsed.map((_, index) => JSON.parse(elements?.bytes(index).toString() ?? '') as Json)).toEqual(parsed);
        for (const name of ['a', 'ab', ...parsed.flatMap(stringsOf)]) {
          const holders = parsed.flatMap((item, index) => (stringsOf(item).includes(name) ? [index] : []));
          expect(elements?.holding(name)).toEqual(expect.arrayContaining(holders));
        }
      }),
      { numRuns: 500 },
    );
  });

  it('given a list in which anything was changed, then its elements are those that a parse gives, or are not told', () => {
    const change = fc.record({
      at: fc.nat(),
      length: fc.nat(3),
      put: fc.oneof(fc.constantFrom('"', '{', '}', '[', ']', ',', '\\'), fc.string()),
    });
    fc.assert(
      fc.property(list, fc.array(change, { minLength: 1, maxLength: 3 }), ({ before, items, after }, changes) => {
        let page = JSON.stringify({ ...before, items, ...after });
        for (const { at, length, put } of changes) {
          const begin = at % page.length;
          page = page.slice(0, begin) + put + page.slice(begin + length) + ' ';
        }
        const parsed = parse(page);

        const elements = atOnce(Buffer.from(page), 'items');

        if (parsed === undefined || elements === undefined) return;
        const all = elements.holding('a/b');
        expect(all.map((index) => JSON.parse(elements.bytes(index).toString()) as Json)).toEqual(parsed['items']);
      }),
      { numRuns: 1000 },
    );
  });
});

/** Every key and every value that is a string. */
function stringsOf(json: Json): readonly string[] {
  if (typeof json === 'string') return [json];
  if (typeof json !== 'object' || json === null) return [];
  if (Array.isArray(json)) return json.flatMap(stringsOf);
  return Object.entries(json).flatMap(([key, value]) => [key, ...stringsOf(value)]);
}

/** Writes JSON with white space and escapes where the choices say so. */
function writer(howWritten: readonly number[]) {
  let next = 0;
  const choose = () => howWritten[next++ % howWritten.length] ?? 0;
  const space = () => ['', '', '', '', ' ', '\n', '\t ', '\r\n'][choose()] ?? '';
  const string = (value: string) => `"${Array.from({ length: value.length }, (_, index) => unit(value.charAt(index))).join('')}"`;
  const unit = (value: string) => {
    if (choose() === 2) return `\\u${value.charCodeAt(0).toString(16).padStart(4, '0')}`;
    // Half a character cannot be written in UTF-8.
    return JSON.stringify(value).slice(1, -1);
  };
  const value = (json: Json): string => {
    if (typeof json === 'string') return string(json);
    if (typeof json !== 'object' || json === null) return JSON.stringify(json);
    if (Array.isArray(json)) return `[${space()}${json.map(value).join(`${space()},${space()}`)}${space()}]`;
    return writeObject(Object.entries(json));
  };
  const writeObject = (entries: readonly (readonly [string, Json])[], { plainKeys = false } = {}): string => {
    const members = entries.map(([key, member]) => `${plainKeys ? JSON.stringify(key) : string(key)}${space()}:${space()}${value(member)}`);
    return `{${space()}${members.join(`${space()},${space()}`)}${space()}}`;
  };
  return { object: writeObject };
}

function parse(page: string): Record<string, Json> | undefined {
  try {
    return JSON.parse(page) as Record<string, Json>;
  } catch {
    return undefined;
  }
}

function atOnce(page: Uint8Array, key: string): Elements | undefined {
  const walk = elementsOf(page, key);
  for (;;) {
    const { done, value } = walk.next();
    if (done === true) return value;
  }
}
