import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { EACH, JsonProjection, type PathStep } from './index.js';

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

const key = fc.constantFrom('a', 'b', 'c', '__proto__', 'a"b', 'ż', '');
const step: fc.Arbitrary<PathStep> = fc.oneof(key, fc.constant<PathStep>(EACH));
const paths = fc.array(fc.array(step, { maxLength: 5 }), { maxLength: 5 });
const { json } = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'medium' },
    fc.oneof(fc.string({ unit: fc.constantFrom('a', '{', '}', '[', ']', '"', '\\', ',', '\n', 'ż', '\u2028') }), fc.string()),
    fc.integer(),
    fc.double({ noDefaultInfinity: true, noNaN: true }),
    fc.constantFrom(null, true, false),
    fc.array(tie('json'), { maxLength: 4 }),
    fc.array(fc.tuple(key, tie('json')), { maxLength: 4 }).map((members) => objectOf(members)),
  ),
}));

describe('laws of the projection', () => {
  it('given any JSON and any paths, then it gives what a parse gives, without what stands on no path', () => {
    fc.assert(
      fc.property(json, paths, fc.constantFrom(undefined, 1, '\t'), (value, wanted, space) => {
        const text = JSON.stringify(value, undefined, space);

        expect(projected(text, wanted)).toStrictEqual(pruned(JSON.parse(text) as Json, wanted));
      }),
      { numRuns: 1_000 },
    );
  });

  it('given paths that are wanted with everything below, then it stands there as a parse gives it', () => {
    fc.assert(
      fc.property(json, paths, paths, (value, some, whole) => {
        const text = JSON.stringify(value);

        expect(projected(text, some, whole)).toStrictEqual(pruned(JSON.parse(text) as Json, some, whole));
      }),
      { numRuns: 1_000 },
    );
  });

  it('given any JSON of which everything is wanted, then it gives what a parse gives', () => {
    fc.assert(
      fc.property(json, (value) => {
        const text = JSON.stringify(value);

        expect(projected(text, 'everything')).toStrictEqual(JSON.parse(text));
      }),
    );
  });

  it('given members that stand twice, then the last counts, as in a parse', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(key, json), { maxLength: 6 }), paths, (members, wanted) => {
        const text = `{${members.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join()}}`;

        expect(projected(text, wanted)).toStrictEqual(pruned(JSON.parse(text) as Json, wanted));
      }),
      { numRuns: 500 },
    );
  });

  it('given a text that was cut, then it is no JSON', () => {
    fc.assert(
      fc.property(json, paths, fc.nat(), (value, wanted, cut) => {
        const text = JSON.stringify([value, 'end']);

        expect(() => projected(text.slice(0, cut % (text.length - 1)), wanted)).toThrow(SyntaxError);
      }),
    );
  });
});

describe(JsonProjection, () => {
  it.each(['', '  ', '{,}', '{"a":1,}', '[1,]', '[,1]', '{"a" 1}', '{a:1}', '[1 2]', '{"a":1}x', '["\n"]', '[tru]', '{"a":}'])(
    'given %j on whose paths everything stands, then it is no JSON',
    (text) => {
      expect(() => projected(text, [['a', 'b'], [EACH]])).toThrow(SyntaxError);
    },
  );

  it.each(['["a":"b"]', '["a""b"]', '{"a":{"b":1}:"c":2}'])(
    'given %j, where no comma stands between values, then it is no JSON',
    (text) => {
      expect(() => projected(text, [['a', 'b'], [EACH]])).toThrow(SyntaxError);
    },
  );

  it.each(['{"x":}', '{"x":', '{"x":,"a":1}', '{"x":1 "a":2}', '{"x":1', '{"x":[', '{"x":"'])(
    'given %j, where a value that is left out is missing or does not end, then it is no JSON',
    (text) => {
      expect(() => projected(text, [['a']])).toThrow(SyntaxError);
    },
  );

  it.each<{ given: string; text: string; paths: Paths }>([
    { given: 'at the end of a path', text: '{"a":{not JSON}}', paths: [['a']] },
    { given: 'where elements are wanted', text: '{"a":{not JSON}}', paths: [['a', EACH]] },
  ])('given an object $given, then nobody looks into it', ({ text, paths: wanted }) => {
    expect(projected(text, wanted)).toStrictEqual({ a: {} });
  });

  it('given every kind of white space around everything, then it is read as without', () => {
    const space = ' \r\n\t';
    const text = ['', '{', '"a"', ':', '[', '1', ',', 'true', ']', ',', '"x"', ':', '2', '}', ''].join(space);

    expect(projected(text, [['a', EACH]])).toStrictEqual({ a: [1, true] });
  });

  it('given the prototype twice among members, then the last counts, as a member', () => {
    const value = projected('{"__proto__":1,"__proto__":"x"}', [['__proto__']]) as object;

    expect(Object.entries(value)).toEqual([['__proto__', 'x']]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  it('given what is no JSON, then the message says where', () => {
    expect(() => projected('{"a" 1}', [['a']])).toThrow('no JSON at byte 5');
  });

  it('given a small text, then it is read at one go; given a large value that is left out, then it is gone through in pieces', () => {
    const piecesOf = (text: string): number => [...new JsonProjection([['a']]).parse(Buffer.from(text))].length;
    const many = JSON.stringify({ x: Array.from({ length: 100_000 }, () => []), a: 1 });

    expect(piecesOf('{"x":[[],[]],"a":1}')).toBe(0);
    expect(piecesOf(many)).toBeGreaterThan(many.length / 17_000);
  });

  it('given a large text, then it is read in pieces of some 16 KiB, long strings and what is left out included', () => {
    const text = JSON.stringify({
      a: Array.from({ length: 50_000 }, (_, index) => ({ b: String(index) })),
      c: '['.repeat(200_000),
      d: [[[]]],
    });
    const pieces = [...new JsonProjection([['a', EACH, 'b']]).parse(Buffer.from(text))];

    // Of a string no part is read alone.
    expect(pieces.length).toBeGreaterThan((text.length - 200_000) / 17_000);
  });

  it('given nesting that is deeper than any stack, then what stands beside it is read', () => {
    const deep = `${'['.repeat(700_000)}${']'.repeat(700_000)}`;

    expect(projected(`{"a":${deep},"b":"x"}`, [['b'], ['a', EACH, EACH]])).toStrictEqual({ a: [[[]]], b: 'x' });
  });
});

type Paths = readonly (readonly PathStep[])[];

function projected(text: string, paths: Paths | 'everything', whole: Paths = []): unknown {
  const reading = new JsonProjection(paths, { whole }).parse(Buffer.from(text));
  for (;;) {
    const { done, value } = reading.next();
    if (done === true) return value;
  }
}

/** What the projection promises, written as it is meant. */
function pruned(value: Json, paths: Paths, whole: Paths = []): unknown {
  if (typeof value !== 'object' || value === null || whole.some((path) => path.length === 0)) return value;
  const below = (step: PathStep, of: Paths): Paths => of.filter(([first]) => first === step).map((path) => path.slice(1));
  const isWanted = (step: PathStep): boolean => [...paths, ...whole].some(([first]) => first === step);
  const member = (step: PathStep, held: Json): unknown => pruned(held, below(step, paths), below(step, whole));
  if (Array.isArray(value)) return isWanted(EACH) ? (value as readonly Json[]).map((element) => member(EACH, element)) : [];
  return objectOf(
    Object.entries(value).flatMap(([name, held]): [string, unknown][] => (isWanted(name) ? [[name, member(name, held)]] : [])),
  );
}

/** `__proto__` included. */
function objectOf<T>(members: readonly (readonly [string, T])[]): Record<string, T> {
  return Object.fromEntries(members);
}
