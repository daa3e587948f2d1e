import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  EACH,
  FIELD_PATH_MAX_LENGTH,
  FIELD_PATH_PATTERN,
  PageScan,
  canPair,
  columnPath,
  couldHold,
  parseFieldPath,
  printFieldPath,
  readFieldPath,
  readReferences,
  pathOfColumn,
  ReferenceTree,
  sameAsColumn,
  type FieldPath,
  type ReferencePaths,
  type WantedReference,
} from './index.js';

const key = fc.constantFrom('a', 'b', 'name', '__proto__', 'constructor', 'a.b', 'x y', 'ü');
const path = fc
  .tuple(key, fc.array(fc.oneof({ weight: 3, arbitrary: key }, fc.constant(EACH)), { minLength: 1, maxLength: 5 }))
  .map(([first, others]) => [first, ...others].map((step) => (step === EACH ? '[*]' : `['${step}']`)).join(''))
  .map(mustParse);

// Few keys and shallow trees, so that paths often lead somewhere.
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null)),
    fc.array(tie('json'), { maxLength: 4 }),
    fc.array(fc.tuple(key, tie('json')), { maxLength: 5 }).map((entries) => {
      // As JSON.parse does: __proto__ becomes an own property.
      return JSON.parse(`{${entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`) as unknown;
    }),
  ),
}));

// Few texts too, so that paths often lead to the one that is looked for.
const { json: referringJson } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    fc.constantFrom('a', 'b', 'c', '', null),
    fc.array(tie('json'), { maxLength: 4 }),
    fc.array(fc.tuple(fc.constantFrom('a', 'b', 'name'), tie('json')), { maxLength: 5 }).map((entries) => Object.fromEntries(entries)),
  ),
}));

const anyText = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('.', 'a', '_', '0', '[', ']', '*', "'", '\\', ' ', 'é', '🌍', '\n') }),
);

describe('laws of field paths', () => {
  it('parsing what was printed gives the same path', () => {
    fc.assert(fc.property(path, (given) => expect(parseFieldPath(printFieldPath(given))).toEqual({ ok: true, value: given })));
  });

  it('the pattern accepts exactly what the parser accepts', () => {
    const pattern = new RegExp(FIELD_PATH_PATTERN, 'u');
    const isShort = (text: string) => Array.from(text).length <= FIELD_PATH_MAX_LENGTH;

    fc.assert(
      fc.property(anyText, (text) => expect(parseFieldPath(text).ok).toBe(pattern.test(text) && isShort(text))),
      { numRuns: 1000 },
    );
  });

  it('a problem names a column of the text or the one after it', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const parsed = parseFieldPath(text);

        const column = parsed.ok ? 1 : parsed.problem.column;
        expect(column >= 1 && column <= text.length + 1).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

describe('laws of reading', () => {
  it('reading gives what a naive walk gives, on any JSON', () => {
    fc.assert(
      fc.property(json, path, (object, given) => expect(readFieldPath(object, given)).toEqual(naiveRead(object, given.steps))),
      { numRuns: 500 },
    );
  });

  it('reading never throws, whatever the value and its prototype', () => {
    fc.assert(
      fc.property(
        fc.anything({ withNullPrototype: true, withSparseArray: true, withMap: true }),
        path,
        (value, given) => void readFieldPath(value, given),
      ),
    );
  });

  it('references have the names that reading gives, without empty ones, when each name has one namespace', () => {
    fc.assert(
      fc.property(json, path, path, (object, namePath, namespacePath) => {
        fc.pre(canPair(namePath, namespacePath));

        const names = readReferences(object, namePath, namespacePath).map((reference) => reference.name);

        expect(names).toEqual(readFieldPath(object, namePath).filter((name) => name !== ''));
      }),
      { numRuns: 500 },
    );
  });

  it('paths that are asked together refer where each one refers that is read alone', () => {
    const paths = fc.record({ fieldPath: path, namespacePath: path }, { requiredKeys: ['fieldPath'] });
    const text = fc.constantFrom('a', 'b', 'c', '');
    const reads = (object: unknown, { fieldPath, namespacePath }: ReferencePaths, { name, namespace, isOwn }: WantedReference): boolean =>
      readReferences(object, fieldPath, namespacePath).some(
        (given) =>
          given.name === name && (namespace === undefined || (given.namespace === undefined ? isOwn : given.namespace === namespace)),
      );

    fc.assert(
      fc.property(
        referringJson,
        fc.array(paths, { maxLength: 30 }),
        fc.constantFrom(undefined, 'b', 'c'),
        fc.boolean(),
        text,
        (...given) => {
          const [object, all, namespace, isOwn, name] = given;
          fc.pre(name !== '');
          const wanted = { name, namespace, isOwn };

          const referring = atOnce(new ReferenceTree(all).referring(object, wanted));

          expect(new Set(referring)).toEqual(new Set(all.filter((each) => reads(object, each, wanted))));
          expect(referring).toHaveLength(new Set(referring).size);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('a search goes through objects one after the other as through each alone, without those who are retired on the way', () => {
    const paths = fc.record({ fieldPath: path, namespacePath: path }, { requiredKeys: ['fieldPath'] });

    fc.assert(
      fc.property(
        fc.array(fc.tuple(referringJson, fc.boolean(), fc.constantFrom('a', 'b', 'c'), fc.nat(30)), { maxLength: 8 }),
        fc.array(paths, { maxLength: 30 }),
        fc.constantFrom(undefined, 'b', 'c'),
        (objects, all, namespace) => {
          const tree = new ReferenceTree(all);
          const search = tree.search();
          const retired = new Set<ReferencePaths>();
          for (const [object, isOwn, name, leaves] of objects) {
            const wanted = { name, namespace, isOwn };
            const alone = atOnce(tree.referring(object, wanted)).filter((each) => !retired.has(each));
            expect(new Set(atOnce(search.referring(object, wanted)))).toEqual(new Set(alone));
            const leaving = all[leaves];
            if (leaving === undefined) continue;
            search.retire(leaving);
            retired.add(leaving);
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it('the path of a column is the one that it is recognised as showing', () => {
    fc.assert(
      fc.property(path, anyText, (given, text) => {
        const column = columnPath(given);
        if (column !== undefined) expect(pathOfColumn(column)?.text).toBe(given.text);
        const shown = pathOfColumn(text);
        if (shown !== undefined) expect(sameAsColumn(text, shown)).toBe(true);
      }),
    );
  });

  it('a column that shows a path is recognised as showing it, and no other path', () => {
    fc.assert(
      fc.property(path, path, (given, other) => {
        const column = columnPath(given);

        if (column !== undefined) expect(sameAsColumn(column, other)).toBe(other.text === given.text);
      }),
    );
  });
});

describe('laws of the byte scan', () => {
  const name = fc.oneof(fc.string({ unit: fc.constantFrom('a', 'b', '-', '.') }), fc.string(), fc.string({ unit: 'binary' }));

  it('a page whose parsed strings hold a name could hold it, however it is escaped', () => {
    fc.assert(
      fc.property(fc.array(name), fc.array(fc.nat(7)), (names, choices) => {
        const page = new TextEncoder().encode(writeInManyWays(names, choices));
        const strings = JSON.parse(new TextDecoder().decode(page)) as string[];

        for (const string of strings) expect(couldHold(page, string)).toBe(true);
        if (strings.length > 0) expect(couldHold(page, strings)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it('a scan says of every name what a page says that is asked for that name alone', () => {
    fc.assert(
      fc.property(fc.array(name), fc.array(fc.nat(7)), fc.array(name), (names, choices, others) => {
        const page = new TextEncoder().encode(writeInManyWays(names, choices));
        const scan = new PageScan(page);

        for (const each of [...others, ...names, ...others]) expect(scan.couldHold(each)).toBe(couldHold(page, each));
      }),
    );
  });

  it('a page that Go wrote is ruled out unless it holds the name', () => {
    const plain = fc.stringMatching(/^[a-z0-9.-]{1,12}$/);

    fc.assert(
      fc.property(fc.array(fc.oneof(plain, fc.constantFrom('<b>', 'a&b', '\u2028'))), plain, (strings, wanted) => {
        const page = JSON.stringify(strings).replace(/[<>&\u2028\u2029]/g, escapeUnit);

        expect(couldHold(Buffer.from(page), wanted)).toBe(strings.includes(wanted));
      }),
      { numRuns: 500 },
    );
  });
});

/** A JSON array of the strings, with escapes where the choices say so. */
function writeInManyWays(strings: readonly string[], choices: readonly number[]): string {
  let next = 0;
  const choose = () => choices[next++ % Math.max(choices.length, 1)] ?? 0;
  const write = (unit: string) => {
    if (/["\\\x00-\x1f]/.test(unit)) return JSON.stringify(unit).slice(1, -1);
    if (unit === '/' && choose() === 1) return '\\/';
    return choose() === 2 ? escapeUnit(unit) : unit;
  };
  return `[${strings.map((string) => `"${Array.from({ length: string.length }, (_, index) => write(string.charAt(index))).join('')}"`).join(' , ')}]`;
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function naiveRead(node: unknown, [step, ...rest]: FieldPath['steps']): string[] {
  if (step === undefined) return typeof node === 'string' ? [node] : [];
  if (step === EACH) return Array.isArray(node) ? node.flatMap((element) => naiveRead(element, rest)) : [];
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return [];
  return Object.entries(node).flatMap(([name, value]) => (name === step ? naiveRead(value, rest) : []));
}

function mustParse(text: string): FieldPath {
  const parsed = parseFieldPath(text);
  if (!parsed.ok) throw new Error(parsed.problem.message);
  return parsed.value;
}

function atOnce<T>(pieces: Generator<void, T>): T {
  for (;;) {
    const step = pieces.next();
    if (step.done === true) return step.value;
  }
}
