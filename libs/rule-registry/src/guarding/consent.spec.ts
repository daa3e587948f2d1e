import { describe, expect, it } from '@jest/globals';
import { createRegistry } from '../index.js';
import { admission, guardedWorkspace } from './consent.js';
import { cluster, guard, path, ruleAbout, ruleRef } from '../testing/builders.js';

const network = cluster('network');
const compute = cluster('compute');

describe(admission, () => {
  it.each(['missing', 'unknown'] as const)(
    'given a path that is %s, then it admits no workspace that happens to be called so',
    (resolution) => {
      const paths = { clusterOf: () => resolution, pathOf: () => undefined };
      const given = guard({ cluster: cluster('guarded'), allowRulesFrom: [path('root:a')] });

      expect(admission(given, paths)({ cluster: cluster(resolution), key: ruleAbout('guarded').key })).toBe(false);
    },
  );

  it.each([
    { given: 'a path that names its workspace', consented: ['root:compute'], expected: true },
    { given: 'a path that names another workspace', consented: ['root:network'], expected: false },
    { given: 'a path that names none', consented: ['root:gone'], expected: false },
    { given: 'a path that nobody could resolve', consented: ['root:unknown'], expected: false },
    {
      given: 'a path that nobody could resolve, while the status names the rule',
      consented: ['root:unknown'],
      named: true,
      expected: true,
    },
    {
      given: 'a path that names another workspace, although the status names the rule',
      consented: ['root:network'],
      named: true,
      expected: false,
    },
  ])('given consent for $given, then the rule is admitted: $expected', ({ consented, named = false, expected }) => {
    const { reader, writer } = createRegistry();
    writer.pathResolved(path('root:network'), network);
    writer.pathResolved(path('root:compute'), compute);
    writer.pathResolved(path('root:gone'), 'missing');
    const guarded = cluster('guarded');
    const ruleRefs = named ? [ruleRef('compute')] : [];
    const given = guard({ cluster: guarded, allowRulesFrom: consented.map(path), ruleRefs });
    const rule = ruleAbout('guarded');
    const matches = rule.dependencies.map((dependency) => ({ rule, dependency }));

    const { matches: admitted, refused } = guardedWorkspace({ cluster: guarded, admits: admission(given, reader.paths), matches });

    expect([admitted.length, refused.length]).toEqual(expected ? [1, 0] : [0, 1]);
  });
});
