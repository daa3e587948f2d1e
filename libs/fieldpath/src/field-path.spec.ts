import { describe, expect, it } from '@jest/globals';
import {
  canPair,
  columnPath,
  couldHold,
  parseFieldPath,
  printFieldPath,
  readFieldPath,
  readReferences,
  sameAsColumn,
  type FieldPath,
} from './index.js';

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
    [".spec['ключ']", ".spec['ключ']"],
    ['.metadata.__proto__', '.metadata.__proto__'],
    ['_a._0', '._a._0'],
  ])('given %j, then it is a path and prints as %j', (text, canonical) => {
    const path = parseFieldPath(text);

    expect(path.ok && printFieldPath(path.value)).toBe(canonical);
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
    ["['x", 4, 'closes the key'],
    [".a['']", 5, 'a key between the quotes'],
    [".a['x'", 7, '"]"'],
    [".a['x\\y']", 6, 'closes the key'],
    [".a['x\ny']", 6, 'closes the key'],
    ['$.a.b', 1, 'a field name'],
    [`a${'.b'.repeat(9999)}`, 1025, 'at most 1024 characters'],
    ['x'.repeat(2_000_000), 1025, 'at most 1024 characters'],
  ])('given %j, then the problem names column %i and what was expected there', (text, column, expected) => {
    const path = parseFieldPath(text);

    expect(path).toEqual({ ok: false, problem: { column, expected: expect.stringContaining(expected), message: expect.any(String) } });
  });

  it('given a wrong path, then the message is one line that quotes it', () => {
    const path = parseFieldPath('spec. vpc');

    expect(path).toMatchObject({
      problem: {
        message: '"spec. vpc" is not a field path: column 6: expected a field name (other keys are written [\'my-key\']), found " "',
      },
    });
  });

  it('given 1024 characters, then it is a path, however many bytes they take', () => {
    const longest = `.a['${'🌍'.repeat(1018)}']`;

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

describe(couldHold, () => {
  it.each([
    ['the name', '{"a":"my-vpc"}', 'my-vpc', true],
    ['the name as a key', '{"my-vpc":1}', 'my-vpc', true],
    ['a longer name', '{"a":"my-vpc-2"}', 'my-vpc', false],
    ['no name', '{"a":"other"}', 'my-vpc', false],
    ['one of several names', '{"a":"b"}', ['x', 'b'], true],
    ['none of several names', '{"a":"c"}', ['x', 'b'], false],
    ['the name in escapes', '{"a":"\\u006dy-vpc"}', 'my-vpc', true],
    ['the name in upper-case escapes', '{"a":"\\u006Dy-vpc"}', 'my-vpc', true],
    ['an escape of a character that the name lacks', '{"a":"\\u003cb\\u003e \\n \\" \\\\"}', 'my-vpc', false],
    ['an escape that is cut off', '{"a":"\\u00', 'my-vpc', false],
    ['letters beyond ASCII', '{"a":"żółw"}', 'żółw', true],
    ['an escaped surrogate pair', '{"a":"\\ud83c\\udf0d"}', '🌍', true],
    ['a name that has to be escaped', '{"a":"b"}', 'x"y', true],
    ['a name with a slash, which may be escaped', '{"a":"x\\/y"}', 'x/y', true],
    ['half a character', '{"a":"b"}', '\ud83c', true],
    ['no names at all', '{"a":"b"}', [], false],
    ['more names than a scan is worth', '{}', Array.from({ length: 5 }, (_, index) => `vpc-${String(index)}`), true],
  ])('given %s', (_given, page, names, expected) => {
    expect(couldHold(Buffer.from(page), names)).toBe(expected);
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
});

describe(sameAsColumn, () => {
  it.each([
    ['.spec.vpc', '.spec.vpc', true],
    [".spec['vpc']", '.spec.vpc', true],
    [".labels['a\\.b']", ".labels['a.b']", true],
    ['.labels.a\\.b', ".labels['a.b']", true],
    [".labels['a.b']", ".labels['a.b']", false],
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
});

function mustParse(text: string): FieldPath {
  const path = parseFieldPath(text);
  if (!path.ok) throw new Error(path.problem.message);
  return path.value;
}
