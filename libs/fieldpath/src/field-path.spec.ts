import { describe, expect, it } from '@jest/globals';
import {
  FIELD_PATH_MAX_LENGTH,
  FIELD_PATH_PATTERN,
  canPair,
  columnPath,
  couldHold,
  PageScan,
  parseFieldPath,
  pathOfColumn,
  printFieldPath,
  readFieldPath,
  readReferences,
  sameAsColumn,
  type FieldPath,
} from './index.js';

const pattern = new RegExp(FIELD_PATH_PATTERN, 'u');

describe(parseFieldPath, () => {
  it.each([
    ['.spec.vpcRef.name', '.spec.vpcRef.name'],
    ['spec.vpcRef.name', '.spec.vpcRef.name'],
    ['spec.disks[*].image', '.spec.disks[*].image'],
    ['.vpcs[*]', '.vpcs[*]'],
    ['.a[*][*].b', '.a[*][*].b'],
    [".metadata.labels['example.com/vpc']", ".metadata.labels['example.com/vpc']"],
    [".spec['name']", '.spec.name'],
    ["['a-b'].c", "['a-b'].c"],
    ["['a b']['c']", "['a b'].c"],
    [".spec['1a']", ".spec['1a']"],
    [".spec['a1']", '.spec.a1'],
    [".spec['[*]']", ".spec['[*]']"],
    ['.Spec.Z9_', '.Spec.Z9_'],
    [".spec['ключ']", ".spec['ключ']"],
    ['.metadata.__proto__', '.metadata.__proto__'],
    ['_a._0', '._a._0'],
  ])('given %j, then it is a path and prints as %j', (text, canonical) => {
    const path = parseFieldPath(text);

    expect(path.ok && printFieldPath(path.value)).toBe(canonical);
    expect(pattern.test(text)).toBe(true);
  });

  it.each([
    ['.spec.vpc', false],
    ['.vpcs[*]', true],
    [".spec['[*]']", false],
  ])('given %s, then that it fans out is %p', (text, expected) => {
    expect(mustParse(text).fansOut).toBe(expected);
  });

  it.each([
    ['', 1, 'a field name'],
    ['.', 2, 'a field name'],
    ['..', 2, 'a field name'],
    ['.a', 3, 'a second segment'],
    ['a', 2, 'a second segment'],
    ['a b', 2, '"." or "["'],
    ['a-b.c', 2, "['my-key']"],
    ['.a.', 4, 'a field name'],
    ['.a..b', 4, 'a field name'],
    ['.a.1b', 4, 'a field name'],
    [' .a.b', 1, 'a field name'],
    ['.é.b', 2, "['my-key']"],
    ['[', 2, 'a quoted key'],
    ['[*].a', 2, 'a quoted key'],
    ['.a.[*]', 4, 'a field name'],
    ['.a[0]', 4, 'every element counts'],
    ['.a[', 4, 'every element counts'],
    ['.a[*', 5, '"]"'],
    ['.a[*x', 5, '"]"'],
    ["[a'].b", 2, 'a quoted key'],
    ['.a[x*]', 4, 'every element counts'],
    ["['x", 4, 'closes the key'],
    [".a['']", 5, 'a key between the quotes'],
    [".a['x'", 7, '"]"'],
    [".a['", 5, 'a key between the quotes'],
    [".a['x\\y']", 6, 'closes the key'],
    [".a['x\ny']", 6, 'closes the key'],
    [".a['x\x7fy']", 6, 'closes the key'],
    [".a['x']b", 8, '"." or "["'],
    ['[*', 2, 'a quoted key'],
    ['$.a.b', 1, 'a field name'],
    [`a${'.b'.repeat(9999)}`, 513, 'at most 512 characters'],
    ['x'.repeat(2_000_000), 513, 'at most 512 characters'],
  ])('given %j, then the problem names column %i and what was expected there', (text, column, expected) => {
    const path = parseFieldPath(text);

    expect(path).toEqual({ ok: false, problem: { column, expected: expect.stringContaining(expected), message: expect.any(String) } });
    expect(pattern.test(text) && text.length <= FIELD_PATH_MAX_LENGTH).toBe(false);
  });

  it.each([
    ['', 'column 1: expected a field name, found the end'],
    ['7', 'column 1: expected a field name, found "7"'],
    ['.a', 'column 3: expected a second segment, such as ".name": a reference stands at least two segments deep, found the end'],
    ['spec. vpc', 'column 6: expected a field name (other keys are written [\'my-key\']), found " "'],
    ['a-b', 'column 2: expected "." or "[" (keys with other characters are written [\'my-key\']), found "-"'],
    ['[0].a', 'column 2: expected a quoted key: a path starts with a field, as in [\'key\'], found "0"'],
    ['.a[0]', 'column 4: expected "*" or a quoted key (every element counts; one element cannot be picked), found "0"'],
    ['.a[*', 'column 5: expected "]", found the end'],
    [".a['x'", 'column 7: expected "]", found the end'],
    [".a['']", 'column 5: expected a key between the quotes, found "\'"'],
    [
      ".a['x",
      'column 6: expected "\'" that closes the key (quotes, backslashes and control characters cannot be part of it), found the end',
    ],
  ])('given %j, then the message is one line that quotes it: %s', (text, message) => {
    expect(parseFieldPath(text)).toMatchObject({ problem: { message: `${JSON.stringify(text)} is not a field path: ${message}` } });
  });

  it('given a path that is too long, then the message says how long it may be', () => {
    expect(parseFieldPath('x'.repeat(513))).toMatchObject({
      problem: { expected: 'the end of the path (at most 512 characters)', message: expect.stringContaining('found "x"') },
    });
  });

  it('given 512 characters, then it is a path, however many bytes they take', () => {
    const longest = `.a['${'🌍'.repeat(506)}']`;

    expect(parseFieldPath(longest).ok).toBe(true);
    expect(parseFieldPath(`${longest}.b`).ok).toBe(false);
  });
});

describe(readFieldPath, () => {
  it.each([
    ['a string', '.spec.vpc', { spec: { vpc: 'a' } }, ['a']],
    ['an empty string', '.spec.vpc', { spec: { vpc: '' } }, ['']],
    ['an array of strings', '.spec.vpcs[*]', { spec: { vpcs: ['a', 'b', 'a'] } }, ['a', 'b', 'a']],
    ['an array of objects', '.spec.nics[*].vpc', { spec: { nics: [{ vpc: 'a' }, {}, null, 7, { vpc: 'b' }] } }, ['a', 'b']],
    ['arrays in arrays', '.a[*].b[*].c', { a: [{ b: [{ c: '1' }, { c: '2' }] }, { b: [] }, { b: [{ c: '3' }] }] }, ['1', '2', '3']],
    ['an array of arrays', '.a[*][*]', { a: [['1'], ['2', '3'], 'x'] }, ['1', '2', '3']],
    ['a quoted key', ".labels['a.b/c']", { labels: { 'a.b/c': 'v' } }, ['v']],
    ['an own key named __proto__', '.spec.__proto__', JSON.parse('{"spec":{"__proto__":"own"}}'), ['own']],
    ['a missing field', '.spec.vpc', { spec: {} }, []],
    ['null on the way', '.spec.vpc', { spec: null }, []],
    ['a number', '.spec.vpc', { spec: { vpc: 7 } }, []],
    ['a boolean', '.spec.vpc', { spec: { vpc: true } }, []],
    ['an object', '.spec.vpc', { spec: { vpc: { name: 'a' } } }, []],
    ['an array without [*]', '.spec.vpc', { spec: { vpc: ['a'] } }, []],
    ['a name on an array', '.spec.length', { spec: ['a'] }, []],
    ['[*] on an object', '.spec[*]', { spec: { a: 'b' } }, []],
    ['[*] on a string', '.spec[*]', { spec: 'ab' }, []],
    ['a name on a string', '.spec.length', { spec: 'ab' }, []],
    ['a name that only the prototype has', '.spec.toString.name', { spec: {} }, []],
    ['the prototype itself', '.__proto__.constructor.name', {}, []],
  ])('given %s, then only strings at the path are read', (_given, path, object, expected) => {
    expect(readFieldPath(object, mustParse(path))).toEqual(expected);
  });

  it.each([undefined, null, 1, 'x', [], () => 1])('given %p instead of an object, then there is nothing to read', (value) => {
    expect(readFieldPath(value, mustParse('.a.b'))).toEqual([]);
  });
});

describe(readReferences, () => {
  it.each([
    ['no namespace path', '.spec.vpc', undefined, { spec: { vpc: 'a', ns: 'n' } }, [{ name: 'a' }]],
    ['one name and one namespace', '.spec.vpc', '.spec.ns', { spec: { vpc: 'a', ns: 'n' } }, [{ name: 'a', namespace: 'n' }]],
    ['names that are their own namespaces', '.refs[*].name', '.refs[*].name', { refs: [{ name: 'a' }] }, [{ name: 'a', namespace: 'a' }]],
    ['no namespace in the object', '.spec.vpc', '.spec.ns', { spec: { vpc: 'a' } }, [{ name: 'a' }]],
    ['an empty namespace', '.spec.vpc', '.spec.ns', { spec: { vpc: 'a', ns: '' } }, [{ name: 'a' }]],
    ['a namespace that is no string', '.spec.vpc', '.spec.ns', { spec: { vpc: 'a', ns: 5 } }, [{ name: 'a' }]],
    ['an empty name', '.spec.vpc', '.spec.ns', { spec: { vpc: '', ns: 'n' } }, []],
    [
      'one namespace for many names',
      '.spec.vpcs[*]',
      '.spec.ns',
      { spec: { vpcs: ['a', 'b'], ns: 'n' } },
      [
        { name: 'a', namespace: 'n' },
        { name: 'b', namespace: 'n' },
      ],
    ],
    [
      'both fan out over the same array',
      '.refs[*].name',
      '.refs[*].namespace',
      { refs: [{ name: 'a', namespace: 'n' }, { name: 'b' }, { namespace: 'm' }, { name: 'c', namespace: 'o' }] },
      [{ name: 'a', namespace: 'n' }, { name: 'b' }, { name: 'c', namespace: 'o' }],
    ],
    [
      'names fan out further than namespaces',
      '.refs[*].names[*]',
      '.refs[*].namespace',
      {
        refs: [
          { names: ['a', 'b'], namespace: 'n' },
          { names: ['c'], namespace: 'm' },
        ],
      },
      [
        { name: 'a', namespace: 'n' },
        { name: 'b', namespace: 'n' },
        { name: 'c', namespace: 'm' },
      ],
    ],
    [
      'lists that are not the same list',
      '.refs[*].name',
      '.others[*].namespace',
      { refs: [{ name: 'a' }], others: [{ namespace: 'n' }] },
      [{ name: 'a', namespace: 'n' }],
    ],
    [
      'paths that cannot pair, then every combination counts',
      '.names[*]',
      '.namespaces[*]',
      { names: ['a'], namespaces: ['n', 'm'] },
      [
        { name: 'a', namespace: 'n' },
        { name: 'a', namespace: 'm' },
      ],
    ],
  ])('given %s', (_given, namePath, namespacePath, object, expected) => {
    expect(readReferences(object, mustParse(namePath), namespacePath === undefined ? undefined : mustParse(namespacePath))).toEqual(
      expected,
    );
  });
});

describe(canPair, () => {
  it.each([
    ['.spec.vpc', '.spec.ns', true],
    ['.spec.vpc', '.spec.vpc', true],
    ['.refs[*].name', '.refs[*].name', true],
    ['.refs[*]', '.refs[*].name', true],
    ['.refs[*].name', '.refs[*].namespace', true],
    ['.refs[*].name', '.spec.namespace', true],
    ['.refs[*].names[*]', '.refs[*].namespace', true],
    ['.refs[*].name', '.others[*].namespace', false],
    ['.spec.vpc', '.refs[*].namespace', false],
    ['.refs[*].name', '.refs[*].namespaces[*]', false],
    ['.a[*].b[*].name', '.a[*].c[*].namespace', false],
  ])('given names at %s and namespaces at %s, then it is %p', (namePath, namespacePath, expected) => {
    expect(canPair(mustParse(namePath), mustParse(namespacePath))).toBe(expected);
  });
});

describe(PageScan, () => {
  it.each([
    { given: 'the name as it is', page: '["my-vpc"]', name: 'my-vpc', expected: false },
    { given: 'an escape of another character', page: '["my-vpc","a \\u0026 b"]', name: 'my-vpc', expected: false },
    { given: 'an escape of one of its characters', page: '["a \\u006d"]', name: 'my-vpc', expected: true },
    { given: 'a name that can be written in many ways', page: '["a"]', name: 'a/b', expected: true },
    { given: 'escapes of a name that is not ASCII', page: '["\\u00fc"]', name: 'ü', expected: true },
  ])('given $given, then $expected', ({ page, name, expected }) => {
    expect(new PageScan(Buffer.from(page)).mayHoldOtherwise(name)).toBe(expected);
  });
});

describe(couldHold, () => {
  it.each([
    ['the name', '{"a":"my-vpc"}', 'my-vpc', true],
    ['the name behind a longer one', '["x-my-vpc","my-vpc"]', 'my-vpc', true],
    ['a name that ends in the name', '{"a":"x-my-vpc"}', 'my-vpc', false],
    ['the name as a key', '{"my-vpc":1}', 'my-vpc', true],
    ['a longer name', '{"a":"my-vpc-2"}', 'my-vpc', false],
    ['no name', '{"a":"other"}', 'my-vpc', false],
    ['one of several names', '{"a":"b"}', ['x', 'b'], true],
    ['none of several names', '{"a":"c"}', ['x', 'b'], false],
    ['the name in escapes', '{"a":"\\u006dy-vpc"}', 'my-vpc', true],
    ['the name in upper-case escapes', '{"a":"\\u006Dy-vpc"}', 'my-vpc', true],
    ['an escape of a character that the name lacks', '{"a":"\\u003cb\\u003e \\n \\" \\\\"}', 'my-vpc', false],
    ['an escape of the name behind one of another character', '["\\u003c","\\u006dy-vpc"]', 'my-vpc', true],
    ['what would be an escape behind a backslash', '["u006dy-vpc"]', 'my-vpc', false],
    ['an escape of a letter beyond ASCII', '["\\u017c\u00f3\u0142w"]', 'żółw', true],
    ['its digits behind another escape', '["\\n017c\\n00f3w"]', 'żó', false],
    ['an escape of the last character of ASCII', '["\\u007f"]', '\x7f', true],
    ['an escape that is cut off', '{"a":"\\u00', 'my-vpc', false],
    ['letters beyond ASCII', '{"a":"żółw"}', 'żółw', true],
    ['an escaped surrogate pair', '{"a":"\\ud83c\\udf0d"}', '🌍', true],
    ['a name that has to be escaped', '{"a":"b"}', 'x"y', true],
    ['a name with a slash, which may be escaped', '{"a":"x\\/y"}', 'x/y', true],
    ['a name with a control character', '{"a":"b"}', 'x\ny', true],
    ['a name with the last control character', '{"a":"b"}', 'x\x1fy', true],
    ['a name with a backslash', '{"a":"b"}', 'x\\y', true],
    ['a name with what broken UTF-8 turns into', '{"a":"b"}', '\ufffd', true],
    ['half a character', '{"a":"b"}', '\ud83c', true],
    ['a name with a space', '{"a":"b"}', 'x y', false],
    ['as many names as a scan is worth', '{"a":"b"}', ['w', 'x', 'y', 'z'], false],
    ['no names at all', '{"a":"b"}', [], false],
    ['more names than a scan is worth', '{}', Array.from({ length: 5 }, (_, index) => `vpc-${String(index)}`), true],
  ])('given %s', (_given, page, names, expected) => {
    expect(couldHold(Buffer.from(page), names)).toBe(expected);
  });

  it.each([
    ['escapes of other characters', '\\u003c', 'my-vpc'],
    ['what looks like escapes', 'u00', 'my-vpc'],
    ['what ends like the name', 'xa","', 'a'],
    ['letters that escapes begin with', 'u', 'żółw'],
  ])('given a page full of %s, then it is parsed rather than searched to the end', (_given, text, name) => {
    const page = (times: number) => Buffer.from(`["${text.repeat(times)}"]`);

    expect([couldHold(page(100), name), couldHold(page(50_001), name)]).toEqual([false, true]);
  });

  it('given a view into a larger buffer, then only the view is looked at', () => {
    const whole = new TextEncoder().encode('{"a":"outside"}{"a":"inside"}');

    expect(couldHold(whole.subarray(15), 'outside')).toBe(false);
    expect(couldHold(whole.subarray(15), 'inside')).toBe(true);
  });
});

describe(columnPath, () => {
  it.each([
    ['.spec.vpcRef.name', '.spec.vpcRef.name'],
    [".metadata.labels['example.com/vpc']", '.metadata.labels.example\\.com/vpc'],
    [".spec['a b']", '.spec.a\\ b'],
    ['.spec.vpcs[*]', undefined],
    [".spec['*']", undefined],
  ])('given %s, then the column is %j', (path, expected) => {
    expect(columnPath(mustParse(path))).toBe(expected);
  });

  it.each(Array.from(' .,[]$@{}'))('given a field with %j, then the column escapes it everywhere', (mark) => {
    expect(columnPath(mustParse(`.spec['a${mark}b${mark}']`))).toBe(`.spec.a\\${mark}b\\${mark}`);
  });
});

describe(pathOfColumn, () => {
  it.each([
    { column: '.spec.name', shows: '.spec.name' },
    { column: "['spec']['name']", shows: '.spec.name' },
    { column: '.metadata.labels.a\\.b', shows: ".metadata.labels['a.b']" },
    { column: '', shows: undefined },
    { column: '.spec.names[*]', shows: undefined },
    { column: 'spec', shows: undefined },
    { column: ".spec.it\\'s", shows: undefined },
    // One field whose name reads as two steps of a path.
    { column: ".spec'\\]\\['name", shows: undefined },
  ])('given the column $column, then it shows the path $shows', ({ column, shows }) => {
    expect(pathOfColumn(column)?.text).toBe(shows);
  });
});

describe(sameAsColumn, () => {
  it.each([
    ['.spec.vpc', '.spec.vpc', true],
    [".spec['vpc']", '.spec.vpc', true],
    [".labels['a\\.b']", ".labels['a.b']", true],
    ['.labels.a\\.b', ".labels['a.b']", true],
    [".labels['a.b']", ".labels['a.b']", false],
    [".labels['a\\$b\\$']", ".labels['a$b$']", true],
    [".spec['*']", ".spec['*']", false],
    [".spec['vpc'", '.spec.vpc', false],
    ['.spec[vpc]', '.spec.vpc', false],
    ['.spec.vpc ', '.spec.vpc', false],
    ['.spec.vpc', '.spec.vpc.name', false],
    ['.spec.vpc', '.spec.vpcs', false],
    ['.spec.vpc.name', '.spec.vpc', false],
    ['.spec', '.spec.vpc', false],
    ['.spec.vpcs[*]', '.spec.vpcs[*]', false],
    ['.spec.vpcs[0]', '.spec.vpcs', false],
    ['..vpc', '.spec.vpc', false],
    ['.spec.*', ".spec['*']", false],
    ['.spec[?(@.a=="b")]', '.spec.a', false],
    ['', '.spec.vpc', false],
    ['spec.vpc', '.spec.vpc', false],
  ])('given the column %j and the path %s, then it is %p', (jsonPath, path, expected) => {
    expect(sameAsColumn(jsonPath, mustParse(path))).toBe(expected);
  });

  it.each(Array.from(' .,[]$@{}'))('given a field with %j that no backslash stands before, then the column ends there', (mark) => {
    const path = mustParse(`.labels['a${mark}b']`);

    expect([`.labels.a${mark}b`, `.labels['a${mark}b']`].map((column) => sameAsColumn(column, path))).toEqual([false, false]);
  });

  it.each(Array.from(' ,]'))('given %j in brackets, then the column ends there, in spite of a backslash', (mark) => {
    expect(sameAsColumn(`.labels['a\\${mark}b']`, mustParse(`.labels['a${mark}b']`))).toBe(false);
  });

  it.each(["a'b", "a\\'b"])('given the quote in %j, then the column ends there', (key) => {
    expect(sameAsColumn(`.labels['${key}']`, mustParse('.labels.ab'))).toBe(false);
  });
});

function mustParse(text: string): FieldPath {
  const path = parseFieldPath(text);
  if (!path.ok) throw new Error(path.problem.message);
  return path.value;
}
