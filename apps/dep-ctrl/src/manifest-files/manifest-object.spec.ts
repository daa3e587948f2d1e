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
  'odd.key':
    x: 1
  empty:
---
# the second
kind: Other
spec: &all {a: 1}
more:
  <<: *all
  same: *all
`;

describe(readManifest, () => {
  it.each([
    { given: 'a scalar', place: '.spec.list[1].name', expected: 'b' },
    { given: 'a quoted scalar', place: '.spec.list[0].ref.path', expected: '"quoted"' },
    { given: 'a map', place: '.spec.list', expected: 'list' },
    { given: 'an item of a list', place: '.spec.list[1]', expected: 'name' },
    { given: 'a field that is missing', place: '.spec.list[0].ref.name', expected: 'ref' },
    { given: 'an item that is missing', place: '.spec.list[7].name', expected: 'list' },
    { given: 'a name in quotes', place: ".spec['odd.key'].x", expected: '1' },
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
    expect([start(object.regionOf('.more.a')), start(object.regionOf('.more.same.a'))]).toEqual(['14:16', '14:16']);
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
    { given: 'what is nested 100 000 deep', text: '['.repeat(100_000), expected: [/^1:\d+ is no YAML/] },
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

  it('given bytes that are no text, then that is said', () => {
    expect(readManifest({ file: 'a.bin', text: undefined }).unreadable).toEqual([
      { file: 'a.bin', region: { line: 1, column: 1, endLine: 1, endColumn: 1 }, message: 'is no YAML: it is not UTF-8 text' },
    ]);
  });
});
