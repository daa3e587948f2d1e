import { describe, expect, it } from '@jest/globals';
import { cluster, path } from '../testing/builders.js';
import { WorkspaceMap, type PathResolution } from './workspace-map.js';

const [a, b] = [cluster('a1'), cluster('b1')];
const [short, long, other] = [path('root:a'), path('root:org:a'), path('org1:a')];

/** What kcp answered for paths, in order. */
function mapOf(...answers: readonly (readonly [string, PathResolution])[]): WorkspaceMap {
  const map = new WorkspaceMap();
  for (const [text, resolution] of answers) map.setResolved(path(text), resolution);
  return map;
}

describe(WorkspaceMap, () => {
  it.each<{ given: string; answers: readonly (readonly [string, PathResolution])[]; expected: PathResolution }>([
    { given: 'no answer', answers: [], expected: 'unknown' },
    { given: 'a workspace', answers: [['root:a', a]], expected: a },
    { given: 'the proof that there is none', answers: [['root:a', 'missing']], expected: 'missing' },
    {
      given: 'a workspace, and then none',
      answers: [
        ['root:a', a],
        ['root:a', 'missing'],
      ],
      expected: 'missing',
    },
    {
      given: 'a workspace, and then nothing that is known',
      answers: [
        ['root:a', a],
        ['root:a', 'unknown'],
      ],
      expected: 'unknown',
    },
  ])('given $given for a path, then it names $expected', ({ answers, expected }) => {
    expect(mapOf(...answers).clusterOf(short)).toBe(expected);
  });

  it('given a path of one segment, then it names itself, and an answer for it is none', () => {
    const map = new WorkspaceMap();

    expect(map.setResolved(path('a1'), b)).toBe(false);

    expect(map.clusterOf(path('a1'))).toBe('a1');
    expect([map.pathOf(b), map.pathsOf(b), map.version]).toEqual([undefined, ['b1'], 0]);
  });

  it.each<{ given: string; paths: readonly string[]; shown: string | undefined }>([
    { given: 'no path', paths: [], shown: undefined },
    { given: 'one path', paths: ['org1:a'], shown: 'org1:a' },
    { given: 'one from the root and one that sorts before it', paths: ['org1:a', 'root:org:a'], shown: 'root:org:a' },
    { given: 'the same the other way round', paths: ['root:org:a', 'org1:a'], shown: 'root:org:a' },
    { given: 'one that only begins like the root', paths: ['root2:a', 'org1:a'], shown: 'org1:a' },
    { given: 'two from the root', paths: ['root:org:a', 'root:a'], shown: 'root:a' },
    { given: 'two from the root, in order', paths: ['root:a', 'root:org:a'], shown: 'root:a' },
    { given: 'one that ends like the root', paths: ['z1:root', 'org1:a'], shown: 'org1:a' },
  ])('given $given, then people are shown $shown', ({ paths, shown }) => {
    const map = mapOf(...paths.map((text) => [text, a] as const));

    expect(map.pathOf(a)).toBe(shown);
    expect(map.pathsOf(a)).toEqual(['a1', ...paths]);
  });

  it('given a cluster whose name is no path, then only its paths name it', () => {
    const admin = cluster('system:admin');

    expect(new WorkspaceMap().pathsOf(admin)).toEqual([]);
  });

  it.each<{ given: string; then: PathResolution; left: readonly string[] }>([
    { given: 'another workspace', then: b, left: ['a1', 'org1:a'] },
    { given: 'no workspace', then: 'missing', left: ['a1', 'org1:a'] },
    { given: 'nobody knows what', then: 'unknown', left: ['a1', 'org1:a'] },
  ])('given one of two paths that comes to name $given, then it names the first one no more', ({ then, left }) => {
    const map = mapOf(['root:a', a], ['org1:a', a]);

    expect(map.setResolved(short, then)).toBe(true);

    expect(map.pathsOf(a)).toEqual(left);
    expect(map.pathsOf(b)).toEqual(then === b ? ['b1', 'root:a'] : ['b1']);
    map.setResolved(other, then);
    expect([map.pathsOf(a), map.pathOf(a)]).toEqual([['a1'], undefined]);
  });

  it.each(['missing', 'unknown'] as const)(
    'given a path that is %s, then no workspace that happens to be called so has it',
    (resolution) => {
      const map = mapOf(['root:a', a], ['root:a', resolution]);

      expect([map.pathsOf(cluster(resolution)), map.pathOf(cluster(resolution))]).toEqual([[resolution], undefined]);
    },
  );

  it('given answers, then the version differs after each one that is new, and is the same after those that are not', () => {
    const map = new WorkspaceMap();
    const versions = [short, short, long].map((each) => {
      const changed = map.setResolved(each, a);
      return [changed, map.version];
    });

    expect(versions).toEqual([
      [true, 1],
      [false, 1],
      [true, 2],
    ]);
    expect([map.setResolved(path('root:z'), 'unknown'), map.version]).toEqual([false, 2]);
  });

  it('given a copy, then it keeps the answers as they were, those that nothing is there too', () => {
    const map = mapOf(['root:a', a], ['root:gone', 'missing']);
    const copy = map.copy();

    map.setResolved(short, b);

    expect([copy.clusterOf(short), copy.clusterOf(path('root:gone')), copy.pathOf(a)]).toEqual([a, 'missing', short]);
  });

  it.each<{ given: string; paths: readonly string[]; may: readonly boolean[] }>([
    { given: 'no path', paths: [], may: [true, true, true] },
    { given: 'one from the root', paths: ['root:a'], may: [false, true, true] },
    { given: 'one that is not from the root', paths: ['org1:a'], may: [true, true, true] },
  ])('given a workspace of which $given is known, then others may name it: $may', ({ paths, may }) => {
    const map = mapOf(...paths.map((text) => [text, a] as const));

    expect(['root:new', 'org1:new', 'root2:new'].map((text) => path(text)).map(map.mayBeNamed(a))).toEqual(may);
  });

  it('given the root, then it is a path from the root', () => {
    expect([path('root:new'), path('root')].map(new WorkspaceMap().mayBeNamed(cluster('root')))).toEqual([false, false]);
  });

  it('given what endpoints show, then a workspace is bound while one of them shows it', () => {
    const map = new WorkspaceMap();

    expect([map.isBound(a), [...map.boundAt('s0')]]).toEqual([false, []]);
    expect([map.setBound('s0', a, true), map.setBound('s0', a, true), map.setBound('s1', a, true)]).toEqual([true, false, true]);
    expect([map.isBound(a), map.isBound(b), [...map.boundAt('s0')]]).toEqual([true, false, [a]]);
    expect([map.setBound('s0', a, false), map.setBound('s0', a, false), map.isBound(a)]).toEqual([true, false, true]);
    expect([map.setBound('s1', a, false), map.isBound(a), [...map.boundAt('s0')]]).toEqual([true, false, []]);
  });
});
