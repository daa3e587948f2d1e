import { describe, expect, it } from '@jest/globals';
import { readManifest } from './manifest-object.js';

const read = (text: string) => readManifest({ file: 'a.yaml', text });
const start = ({ line, column }: { readonly line: number; readonly column: number }) => `${String(line)}:${String(column)}`;

/** The text from where the region begins to where it ends. */
function cut(
  text: string,
  { line, column, endColumn }: { readonly line: number; readonly column: number; readonly endColumn: number },
): string {
  return (text.split('\n')[line - 1] ?? '').slice(column - 1, endColumn - 1);
}

const RULE = `kind: Thing
metadata: {name: one}
spec:
  list:
    - name: a
      ref: {path: "quoted"}
    - name: b
    - {name: c}
    - {name: d}
    - {name: e}
    - {name: f}
    - {name: g}
    - {name: h}
    - {name: i}
    - {name: j}
    - {name: k, more: l}
  'odd.key':
    x: 1
  'it''s':
    x: 2
  empty:
  deep:
    inner: {x: 3}
  lines: "a
    b"
---
# the second
kind: Other
spec: &all {a: 1}
more:
  <<: *all
  same: *all
`;

const TOO_DEEP = /^1:1 is no YAML that can be read: it is nested more than 256 deep$/;

describe(readManifest, () => {
  it.each([
    { given: 'a scalar', place: '.spec.list[1].name', expected: 'b' },
    { given: 'a quoted scalar', place: '.spec.list[0].ref.path', expected: '"quoted"' },
    { given: 'a map', place: '.spec.list', expected: 'list' },
    { given: 'an item of a list', place: '.spec.list[1]', expected: 'name' },
    { given: 'a field that is missing', place: '.spec.list[0].ref.name', expected: 'ref' },
    { given: 'an item that is missing', place: '.spec.list[77].name', expected: 'list' },
    { given: 'an item far down', place: '.spec.list[10].more', expected: 'l' },
    { given: 'a part of a list that is no item', place: '.spec.list.length', expected: 'list' },
    { given: 'an item of what is no list', place: '.spec[0]', expected: 'spec' },
    { given: 'a field of a text', place: '.spec.list[1].name.x', expected: 'name' },
    { given: 'a field that stands one deeper', place: '.spec.deep.x', expected: 'deep' },
    { given: 'a text of two lines', place: '.spec.lines', expected: '' },
    { given: 'a name in quotes', place: ".spec['odd.key'].x", expected: '1' },
    { given: 'a name with a quote', place: ".spec['it\\'s'].x", expected: '2' },
    { given: 'a field without a value', place: '.spec.empty', expected: 'empty' },
    { given: 'no place', place: '', expected: 'kind' },
    { given: 'the name of a field', place: '.spec.list[0].ref.path', part: 'name' as const, expected: 'path' },
  ])('given $given, then its place in the text is found', ({ place, part, expected }) => {
    const [object] = read(RULE).objects;

    expect(cut(RULE, object!.regionOf(place, part))).toBe(expected);
  });

  it('given anchors and merge keys, then the place is where the value stands', () => {
    const object = read(RULE).objects[1]!;

    expect(object.object['more']).toEqual({ a: 1, same: { a: 1 } });
    expect([start(object.regionOf('.more.a')), start(object.regionOf('.more.same.a'))]).toEqual(['29:16', '29:16']);
  });

  it('given a quoted name that looks like a merge key, then it is a field like others', () => {
    const [object] = read('a: {"<<": {b: 1}}').objects;

    expect([start(object!.regionOf('.a.b')), start(object!.regionOf(".a['<<'].b"))]).toEqual(['1:1', '1:15']);
  });

  it('given a text of two lines, then its place is where it starts', () => {
    expect(read(RULE).objects[0]!.regionOf('.spec.lines')).toEqual({ line: 24, column: 10, endLine: 24, endColumn: 10 });
  });

  it('given an object without the fields that every object has, then they are empty', () => {
    expect(read('a: 1\nmetadata: []').objects).toMatchObject([{ file: 'a.yaml', apiVersion: '', kind: '', name: '' }]);
  });

  it.each([
    { given: 'a List of what is no object', text: 'kind: List\nitems: [1, {kind: A}]', kinds: ['A'] },
    { given: 'a kind with items that is no List', text: 'kind: Menu\nitems: [{kind: A}]', kinds: ['Menu'] },
    { given: 'a List without items', text: 'kind: PriceList\nitems: {kind: A}', kinds: ['PriceList'] },
    { given: 'items without a kind', text: 'kind: 1\nitems: [{kind: A}]', kinds: [''] },
    { given: 'nothing', text: '', kinds: [] },
    { given: 'a comment', text: '# nothing', kinds: [] },
    { given: 'a null', text: 'null', kinds: [] },
  ])('given $given, then the objects are those', ({ text, kinds }) => {
    const { objects, unreadable } = read(text);

    expect([objects.map(({ kind }) => kind), unreadable]).toEqual([kinds, []]);
  });

  it('given several documents, empty ones and Lists, then every object is found', () => {
    const text =
      '---\n---\nkind: A\n---\n# nothing\n---\nkind: RuleList\nitems:\n  - {kind: B, metadata: {name: b}}\n  - kind: C\n    x: 1\n';

    const { objects, unreadable } = read(text);

    expect(unreadable).toEqual([]);
    expect(objects.map(({ kind, name }) => `${kind}/${name}`)).toEqual(['A/', 'B/b', 'C/']);
    expect(objects.map(({ regionOf }) => start(regionOf('.kind')))).toEqual(['3:7', '9:12', '10:11']);
    expect(start(objects[2]!.regionOf('.x'))).toBe('11:8');
  });

  it.each([
    { given: 'a bracket that stays open', text: 'a: 1\nb: [1\nc: 2', expected: [/^3:1 is no YAML: /] },
    { given: 'a name twice', text: 'a: 1\na: 2', expected: [/^2:1 is no YAML: Map keys must be unique/] },
    { given: 'two broken documents', text: 'a: [\n---\nb: [', expected: [/^2:1 is no YAML/] },
    {
      given: 'a text and a broken document after it',
      text: 'a\n---\nb: [',
      expected: [/^1:1 is no Kubernetes object: .* found a string$/, /^3:\d is no YAML/],
    },
    { given: 'an escape that there is not', text: 'a: "\\\u2028"', expected: [/^1:5 is no YAML: Invalid escape sequence \\ $/] },
    { given: 'a text', text: '\n\nhello world', expected: [/^3:1 is no Kubernetes object: .* found a string/] },
    { given: 'a list', text: '- a', expected: [/^1:1 is no Kubernetes object: .* found a list/] },
    { given: 'an anchor that is not there', text: 'a: *b', expected: [/^1:\d is no YAML/] },
    {
      given: 'anchors that multiply',
      text: [
        'a0: &a0 [x, x]',
        ...Array.from({ length: 30 }, (_, at) => `a${String(at + 1)}: &a${String(at + 1)} [*a${String(at)}, *a${String(at)}]`),
      ].join('\n'),
      expected: [/^1:1 is no YAML that can be read: Excessive alias count/],
    },
    { given: 'what is nested 100 000 deep', text: '['.repeat(100_000), expected: [TOO_DEEP] },
    { given: 'a list that is nested too deep', text: '- '.repeat(300), expected: [TOO_DEEP] },
    { given: 'a key that is nested too deep', text: '? '.repeat(300), expected: [TOO_DEEP] },
    {
      given: 'a map that is nested too deep',
      text: Array.from({ length: 300 }, (_, at) => `${' '.repeat(at)}a:`).join('\n'),
      expected: [TOO_DEEP],
    },
  ])('given $given, then it is one line with its place', ({ text, expected }) => {
    const { unreadable } = read(text);

    expect(unreadable.map(({ region, message }) => `${start(region)} ${message}`)).toEqual(
      expected.map((pattern) => expect.stringMatching(pattern)),
    );
    expect(unreadable.some(({ message }) => message.includes('\n'))).toBe(false);
  });

  it('given a broken document between others, then those are read', () => {
    const { objects, unreadable } = read('kind: A\n---\na: [\n---\nkind: B\n');

    expect([objects.map(({ kind }) => kind), unreadable.length]).toEqual([['A', 'B'], 1]);
  });

  it('given an object that is nested as deep as may be, then it is read, and one level more is none', () => {
    const nested = (depth: number): string => `kind: A\na: ${'['.repeat(depth)}${']'.repeat(depth)}`;

    expect(read(nested(254))).toMatchObject({ objects: [{ kind: 'A' }], unreadable: [] });
    expect(read(nested(255))).toMatchObject({ objects: [], unreadable: [{ message: expect.stringContaining('deep') }] });
  });

  it('given bytes that are no text, then that is said', () => {
    expect(readManifest({ file: 'a.bin', text: undefined })).toEqual({
      objects: [],
      unreadable: [
        { file: 'a.bin', region: { line: 1, column: 1, endLine: 1, endColumn: 1 }, message: 'is no YAML: it is not UTF-8 text' },
      ],
    });
  });
});
