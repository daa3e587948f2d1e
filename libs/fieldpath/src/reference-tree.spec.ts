import { describe, expect, it } from '@jest/globals';
import { FIELD_PATH_MAX_LENGTH, parseFieldPath, ReferenceTree, type FieldPath } from './index.js';

function path(text: string): FieldPath {
  const parsed = parseFieldPath(text);
  if (!parsed.ok) throw new Error(parsed.problem.message);
  return parsed.value;
}

const asker = (id: string, fieldPath: string, namespacePath?: string) => ({
  id,
  fieldPath: path(fieldPath),
  ...(namespacePath !== undefined && { namespacePath: path(namespacePath) }),
});

const idsOf = (referring: readonly { readonly id: string }[]): readonly string[] => referring.map(({ id }) => id).toSorted();

const AT_NAME = ['name', 'name again', 'name beside namespace', 'namespace further down', 'one of many namespaces'];

describe(ReferenceTree, () => {
  const tree = new ReferenceTree([
    asker('name', '.spec.ref.name'),
    asker('name again', '.spec.ref.name'),
    asker('name beside namespace', '.spec.ref.name', '.spec.ref.namespace'),
    asker('each', '.spec.refs[*].name', '.spec.refs[*].namespace'),
    asker('each, one namespace', '.spec.refs[*].name', '.spec.namespace'),
    asker('below the name', '.spec.ref', '.spec.ref.name'),
    asker('one of many namespaces', '.spec.ref.name', '.spec.ref.namespaces[*]'),
    asker('namespace further down', '.spec.ref.name', '.spec.ref.in.namespace'),
    asker('first letter', ".spec.ref.name['0']"),
    asker('label', ".metadata.labels['a.b/c']"),
    asker('prototype', '.__proto__.x'),
  ]);

  it.each<{ given: string; object: unknown; anywhere: string[]; inX: string[]; inXOwn: string[] }>([
    { given: 'nothing', object: {}, anywhere: [], inX: [], inXOwn: [] },
    { given: 'no object at all', object: null, anywhere: [], inX: [], inXOwn: [] },
    { given: 'another name', object: { spec: { ref: { name: 'b', namespace: 'x' } } }, anywhere: [], inX: [], inXOwn: [] },
    {
      given: 'a name without a namespace',
      object: { spec: { ref: { name: 'a' } } },
      anywhere: AT_NAME,
      inX: [],
      inXOwn: AT_NAME,
    },
    {
      given: 'a name with an empty namespace',
      object: { spec: { ref: { name: 'a', namespace: '' } } },
      anywhere: AT_NAME,
      inX: [],
      inXOwn: AT_NAME,
    },
    {
      given: 'a name in another namespace',
      object: { spec: { ref: { name: 'a', namespace: 'y' } } },
      anywhere: AT_NAME,
      inX: [],
      inXOwn: AT_NAME.filter((id) => id !== 'name beside namespace'),
    },
    {
      given: 'a list in which the name and the namespace stand in different elements',
      object: { spec: { namespace: 'x', refs: [{ name: 'a', namespace: 'y' }, { namespace: 'x' }, { name: 'b', namespace: 'x' }] } },
      anywhere: ['each', 'each, one namespace'],
      inX: ['each, one namespace'],
      inXOwn: ['each, one namespace'],
    },
    {
      given: 'a list in which one of many is meant',
      object: { spec: { refs: [{ name: 'a', namespace: 'y' }, { name: 'b' }, { name: 'a', namespace: 'x' }] } },
      anywhere: ['each', 'each, one namespace'],
      inX: ['each'],
      inXOwn: ['each', 'each, one namespace'],
    },
    {
      given: 'a name where others look for more',
      object: { spec: { ref: 'a' } },
      anywhere: ['below the name'],
      inX: [],
      inXOwn: ['below the name'],
    },
    {
      given: 'a name with many namespaces',
      object: { spec: { ref: { name: 'a', namespaces: ['y', 'x', 'z'] } } },
      anywhere: AT_NAME,
      inX: ['one of many namespaces'],
      inXOwn: AT_NAME,
    },
    {
      given: 'namespaces that are no names',
      object: { spec: { ref: { name: 'a', namespace: 7, namespaces: [null, {}, 'y'], in: null } } },
      anywhere: AT_NAME,
      inX: [],
      inXOwn: AT_NAME.filter((id) => id !== 'one of many namespaces'),
    },
    { given: 'a longer name that begins with it', object: { spec: { ref: { name: 'ab' } } }, anywhere: [], inX: [], inXOwn: [] },
    { given: 'a quoted key', object: { metadata: { labels: { 'a.b/c': 'a' } } }, anywhere: ['label'], inX: [], inXOwn: ['label'] },
    {
      given: 'a field named like a prototype',
      object: JSON.parse('{"__proto__":{"x":"a"}}'),
      anywhere: ['prototype'],
      inX: [],
      inXOwn: ['prototype'],
    },
    { given: 'what only the prototype has', object: Object.create({ spec: { ref: 'a' } }), anywhere: [], inX: [], inXOwn: [] },
  ])('given $given, then those refer whose paths lead to it', ({ object, anywhere, inX, inXOwn }) => {
    expect(idsOf(atOnce(tree.referring(object, { name: 'a', isOwn: false })))).toEqual(anywhere);
    expect(idsOf(atOnce(tree.referring(object, { name: 'a', namespace: 'x', isOwn: false })))).toEqual(inX);
    expect(idsOf(atOnce(tree.referring(object, { name: 'a', namespace: 'x', isOwn: true })))).toEqual(inXOwn);
    // So little is read at one go.
    expect([...tree.referring(object, { name: 'a', namespace: 'x', isOwn: true })]).toEqual([]);
  });

  it.each([
    { elements: 499, pauses: 0 },
    { elements: 500, pauses: 1 },
    { elements: 1_400, pauses: 2 },
  ])('given a list of $elements elements, then other work may go on $pauses times while it is read', ({ elements, pauses }) => {
    const refs = Array.from({ length: elements }, () => ({ name: 'b' }));

    expect([...tree.referring({ spec: { refs } }, { name: 'a', isOwn: false })]).toHaveLength(pauses);
  });

  it('given many paths through one long list, then each element is read once', () => {
    const readsWith = (count: number): number => {
      let reads = 0;
      const element = { name: 'a', get namespace() { reads += 1; return 'y'; } }; // prettier-ignore
      const many = Array.from({ length: count }, (_, index) => [
        asker(`${index}`, '.refs[*].name', '.refs[*].namespace'),
        asker(`${index}'`, '.refs[*].name', `.of.n${index}`),
      ]);
      const refs = Array.from({ length: 100 }, () => element);
      expect(atOnce(new ReferenceTree(many.flat()).referring({ refs }, { name: 'a', namespace: 'x', isOwn: false }))).toEqual([]);
      return reads;
    };

    expect(readsWith(1)).toBe(100);
    expect(readsWith(300)).toBe(100);
  });

  // Each of these took seconds in one go, more memory than a process has, or both.
  it('given thousands of namespace paths of one name path, then a long list of such names is no dearer', () => {
    const many = Array.from({ length: 6_000 }, (_, index) => asker(`${index}`, '.refs[*].name', `.refs[*].in${index}`));
    const refs = Array.from({ length: 20_000 }, (_, index) => ({ name: 'a', ...(index === 7 && { in3: 'x' }) }));
    const tree = new ReferenceTree(many);

    expect(idsOf(atOnce(tree.referring({ refs }, { name: 'a', namespace: 'x', isOwn: false })))).toEqual(['3']);
    expect(atOnce(tree.referring({ refs }, { name: 'a', namespace: 'x', isOwn: true }))).toHaveLength(6_000);
    expect(atOnce(tree.referring({ refs }, { name: 'a', isOwn: false }))).toHaveLength(6_000);
  });

  it('given thousands of paths as long as one can be, then the tree grows with their number', () => {
    const long = (start: string): string => start + '.a'.repeat(Math.floor((FIELD_PATH_MAX_LENGTH - start.length) / 2));
    const many = Array.from({ length: 4_000 }, (_, index) => asker(`${index}`, long(`.s${index}`), long(`.s${index}.in`)));
    const nested = (steps: number): unknown => Array.from({ length: steps }).reduce((inner: unknown) => ({ a: inner }), 'a');

    const tree = new ReferenceTree(many);

    expect(idsOf(atOnce(tree.referring({ s5: nested(254) }, { name: 'a', isOwn: true })))).toEqual(['5']);
  });

  it('given paths of which one begins with another, in whatever order they come, then each is found', () => {
    const asked = ['.a.b.c.d', '.a.b', '.a.b.c', '.a.b.x', '.a.x'].map((text) => asker(text, text, '.a.b.in'));
    for (const turn of asked.keys()) {
      const tree = new ReferenceTree([...asked.slice(turn), ...asked.slice(0, turn)]);
      expect(
        idsOf(atOnce(tree.referring({ a: { b: { c: { d: 'n' }, x: 'n', in: 'x' } } }, { name: 'n', namespace: 'x', isOwn: false }))),
      ).toEqual(['.a.b.c.d', '.a.b.x']);
      expect(idsOf(atOnce(tree.referring({ a: { b: 'n', x: 'n' } }, { name: 'n', namespace: 'x', isOwn: true })))).toEqual([
        '.a.b',
        '.a.x',
      ]);
    }
  });

  const found = (asked: readonly (readonly [string, string?])[], object: unknown, { isOwn = false } = {}): readonly string[] => {
    const tree = new ReferenceTree(asked.map(([fieldPath, namespacePath]) => asker(fieldPath, fieldPath, namespacePath)));
    return idsOf(atOnce(tree.referring(object, { name: 'n', namespace: 'x', isOwn })));
  };

  it.each<{ given: string; object: unknown }>([
    { given: 'a list where a field is asked for', object: { spec: { ref: ['n'] } } },
    { given: 'a name that only a prototype has', object: { spec: { ref: Object.create({ name: 'n' }) as unknown } } },
    { given: 'a text that has the name as a letter', object: { spec: { ref: 'n' } } },
    { given: 'a field where a list is asked for', object: { spec: { refs: { name: 'n' } } } },
    { given: 'null', object: { spec: { ref: null, refs: null } } },
  ])('given $given in the middle of a path, then nobody refers', ({ object }) => {
    const paths: readonly (readonly [string])[] = [['.spec.ref.name'], [".spec.ref['0']"], ['.spec.refs[*].name']];
    expect(paths.flatMap((one) => found([one], object, { isOwn: true }))).toEqual([]);
    expect(found(paths, object, { isOwn: true })).toEqual([]);
  });

  it('given paths that repeat a key, or part where an earlier one goes on, then none is taken for another', () => {
    expect(found([['.a.b.c'], ['.a.z'], ['.a.b.a']], { a: { b: { c: 'n' } } }, { isOwn: true })).toEqual(['.a.b.c']);
    expect(found([['.a.b.a'], ['.a.z'], ['.a.b.c']], { a: { b: { a: 'n' } } }, { isOwn: true })).toEqual(['.a.b.a']);
    const object = { a: { b: { c: { d: 'n' }, in: 'x' } } };
    expect(found([['.a.b.c.e'], ['.a.z'], ['.a.b.c.d', '.a.b.in']], object)).toEqual(['.a.b.c.d']);
    expect(found([['.a.b.c.d'], ['.a.z'], ['.a.b.c.d', '.a.b.in']], object)).toEqual(['.a.b.c.d']);
  });

  it('given namespaces of which each name has some, then each is told once and by its own', () => {
    const refs = [{ n: 'n', in: 'x' }, { n: 'n', in: 'x' }]; // prettier-ignore
    expect(found([['.refs[*].n', '.refs[*].in']], { refs })).toEqual(['.refs[*].n']);
    expect(
      found(
        [
          ['.s.m', '.s.a'],
          ['.s.n', '.s.b'],
        ],
        { s: { n: 'n', a: 'x' } },
      ),
    ).toEqual([]);
    expect(found([['.s.m', '.s.a'], ['.s.n', '.s.b'], ['.s.n', '.s.c']], { s: { n: 'n', a: 'x' } })).toEqual([]); // prettier-ignore
    expect(
      found(
        [
          ['.s.n', '.s.in.a'],
          ['.s.n', '.s.in.b'],
        ],
        { s: { n: 'n', in: null } },
      ),
    ).toEqual([]);
  });

  it('given somebody who is retired, then that one is not told any more, and the others are, in this search alone', () => {
    const [name, namespace] = ['.spec.ref', '.spec.in'];
    const tree = new ReferenceTree([asker('plain', name), asker('paired', name, namespace), asker('other', name, namespace)]);
    const search = tree.search();
    const object = { spec: { ref: 'a', in: 'x' } };
    const wanted = { name: 'a', namespace: 'x', isOwn: true };
    const first = atOnce(search.referring(object, wanted));
    expect(idsOf(first)).toEqual(['other', 'paired', 'plain']);

    for (const each of first) if (each.id !== 'other') search.retire(each);
    search.retire(asker('plain', name)); // nobody who asked

    expect(idsOf(atOnce(search.referring(object, wanted)))).toEqual(['other']);
    expect(idsOf(atOnce(tree.referring(object, wanted)))).toEqual(['other', 'paired', 'plain']);
    for (const each of first) search.retire(each);
    expect(atOnce(search.referring(object, wanted))).toEqual([]);
  });

  it('given more paths through an object than it has fields, then only its fields are read', () => {
    const many = Array.from({ length: 1_000 }, (_, index) => asker(`${index}`, `.spec.f${index}.name`));
    let asked = 0;
    const fields = new Proxy<object>(
      { f7: { name: 'a' }, f8: 'a', other: { name: 'a' } },
      {
        getOwnPropertyDescriptor: (target, key) => {
          asked += 1;
          return Reflect.getOwnPropertyDescriptor(target, key);
        },
      },
    );
    const tree = new ReferenceTree(many);

    expect(idsOf(atOnce(tree.referring({ spec: fields }, { name: 'a', isOwn: false })))).toEqual(['7']);
    expect(asked).toBe(3);
    expect([...tree.referring({ spec: fields }, { name: 'a', isOwn: false })]).toEqual([]);
  });

  it('given a path as deep as one can be and an object that is deeper, then it is found, and what is deeper is not', () => {
    const depth = Math.floor((FIELD_PATH_MAX_LENGTH - 2) / 3);
    const nested = (levels: number): unknown => Array.from({ length: levels }).reduce((inner: unknown) => [inner], 'a');
    const deep = new ReferenceTree([asker('deep', `.x${'[*]'.repeat(depth)}`)]);

    expect(idsOf(atOnce(deep.referring({ x: nested(depth) }, { name: 'a', isOwn: false })))).toEqual(['deep']);
    expect(atOnce(deep.referring({ x: nested(20_000) }, { name: 'a', isOwn: false }))).toEqual([]);
  });
});

function atOnce<T>(pieces: Generator<void, T>): T {
  for (;;) {
    const step = pieces.next();
    if (step.done === true) return step.value;
  }
}

describe('paths that part from each other', () => {
  const referring = (object: unknown, ...paths: readonly string[]) =>
    idsOf(atOnce(new ReferenceTree(paths.map((text) => asker(text, text))).referring(object, { name: 'a', isOwn: true })));

  it.each<{ given: string; object: unknown; paths: readonly string[]; expected: readonly string[] }>([
    { given: 'a field of an array without [*]', object: { spec: { refs: ['a'] } }, paths: ['.spec.refs.name'], expected: [] },
    { given: 'the elements of what is no array', object: { spec: { refs: { 0: 'a' } } }, paths: ['.spec.refs[*]'], expected: [] },
    { given: 'a path that is the beginning of another', object: { x: { y: 'a' } }, paths: ['.x.y.z', '.x.y'], expected: ['.x.y'] },
    { given: 'a path that goes on behind another', object: { x: { y: { z: 'a' } } }, paths: ['.x.y', '.x.y.z'], expected: ['.x.y.z'] },
    {
      given: 'paths that part in the middle, the longer one first',
      object: { a: { b: { c: { d: 'a', e: 'a' }, f: 'a' } } },
      paths: ['.a.b.c.d', '.a.b.c.e', '.a.b.f', '.a.b.g'],
      expected: ['.a.b.c.d', '.a.b.c.e', '.a.b.f'],
    },
    {
      given: 'a path whose later fields are called like its earlier ones',
      object: { a: { b: { a: { b: 'a', c: 'a' } } } },
      paths: ['.a.b.a.b', '.a.b.a.c', '.a.b.c'],
      expected: ['.a.b.a.b', '.a.b.a.c'],
    },
  ])('given $given, then just those refer whose path leads to the name', ({ object, paths, expected }) => {
    expect(referring(object, ...paths)).toEqual(expected);
  });
});
