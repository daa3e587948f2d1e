import { describe, expect, it } from '@jest/globals';
import { MatchIndex } from './match-index.js';
import { path, ruleAbout } from '../testing/builders.js';

const VPCS = { group: 'network.example.com', resource: 'vpcs' };

describe(MatchIndex, () => {
  it('given rules that go, then nothing is kept of what only they named', () => {
    const [first, second, third] = [ruleAbout('root:a'), ruleAbout('root:b', { name: 'b' }), ruleAbout('root:b', { name: 'c' })];
    const index = new MatchIndex();
    for (const each of [first, second, third]) index.add(each);

    index.remove(first.key);
    index.remove(second.key);

    const ofType = [...index.ofType(VPCS).values()].flatMap((paths) => [...paths.values()].flatMap((matches) => [...matches]));
    expect(ofType.map(({ rule }) => rule)).toEqual([third]);
    expect([path('root:a'), path('root:b')].map((each) => index.has(VPCS, each))).toEqual([false, true]);
    expect([...index.ofPath(path('root:b'))].map(({ rule }) => rule)).toEqual([third]);
    index.remove(third.key);
    expect(index.ofType(VPCS).size).toBe(0);
    expect(index.ofRule(third.key)).toEqual([]);
    expect(index.has(VPCS, path('root:b'))).toBe(false);
    expect([...index.paths()]).toEqual([]);
    expect(index.naming(VPCS, path('root:b')).size).toBe(0);
  });

  it('given a rule that was never taken, then there is nothing to forget', () => {
    const index = new MatchIndex();

    index.remove(ruleAbout('root:a').key);

    expect([...index.paths()]).toEqual([]);
  });
});
