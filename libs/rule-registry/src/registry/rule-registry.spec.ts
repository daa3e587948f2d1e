import { describe, expect, it } from '@jest/globals';
import { createRegistry, describeMissing, reportRule, ruleKeyOf, type Completeness, type RuleMatch } from '../index.js';
import { cluster, dependencySpec, guard, path, rule, ruleAbout, ruleObject, ruleRef } from '../testing/builders.js';

const VPCS = { group: 'network.example.com', resource: 'vpcs' };
const network = cluster('network');
const compute = cluster('compute');
/** Nobody has named it by a path yet. */
const pathless = cluster('pathless');
const ANYBODY = new Set(['network', 'compute', 'a', 'b', 'stranger', 'far'].map(cluster));

describe('guarding', () => {
  it('given nothing was read, then it says so', () => {
    const { reader } = createRegistry();

    expect(reader.guarding(network, VPCS, ANYBODY)).toEqual({
      state: 'syncing',
      missing: [{ kind: 'endpoints' }],
      matches: [],
      isBehind: false,
    });
  });

  it('given an export that nobody has bound, then no rule is an answer', () => {
    const { reader, writer } = createRegistry();

    writer.endpointsRead([]);

    expect(reader.guarding(network, VPCS, ANYBODY)).toEqual({ state: 'known', matches: [], isBehind: false });
    expect(reader.completeness()).toEqual({ state: 'known' });
  });

  it('given a rule about the workspace, then only its type in that workspace is guarded', () => {
    const { reader } = listed({ rules: [ruleAbout('root:network')] });

    expect(names(reader.guarding(network, VPCS, ANYBODY))).toEqual(['known', 'compute/vm-dependencies#0']);
    expect(names(reader.guarding(compute, VPCS, ANYBODY))).toEqual(['known']);
    expect(names(reader.guarding(network, { ...VPCS, resource: 'subnets' }, ANYBODY))).toEqual(['known']);
    expect(names(reader.guarding(network, { ...VPCS, group: 'other.example.com' }, ANYBODY))).toEqual(['known']);
  });

  it('given a rule whose path is a cluster name, then nothing has to be resolved', () => {
    const { reader } = listed({ rules: [ruleAbout('network')] });

    expect(names(reader.guarding(network, VPCS, ANYBODY))).toEqual(['known', 'compute/vm-dependencies#0']);
    expect(reader.unresolvedPaths()).toEqual([]);
  });

  it('given a path that could not be resolved, then the rule counts for every workspace whose own path is not known', () => {
    const { reader, writer } = listed({ rules: [ruleAbout('root:elsewhere')] });

    expect(names(reader.guarding(pathless, VPCS, ANYBODY))).toEqual(['known', 'compute/vm-dependencies#0']);
    expect(reader.guarded(pathless).matches).toEqual([]);
    expect(names(reader.guarding(network, VPCS, ANYBODY))).toEqual(['known']);
    expect(reader.isGuardedByOthers(pathless, VPCS, new Set())).toBe(true);
    expect(reader.isGuardedByOthers(network, VPCS, new Set())).toBe(false);
    expect(reader.unresolvedPaths()).toEqual(['root:elsewhere']);

    writer.pathResolved(path('root:elsewhere'), cluster('elsewhere'));

    expect(names(reader.guarding(pathless, VPCS, ANYBODY))).toEqual(['known']);
    expect(names(reader.guarding(cluster('elsewhere'), VPCS, ANYBODY))).toEqual(['known', 'compute/vm-dependencies#0']);
    expect(reader.unresolvedPaths()).toEqual([]);
  });

  it.each([{ known: cluster('elsewhere') }, { known: 'missing' as const }])(
    'given a path that was known to be $known, when it cannot be resolved any more, then the rule counts where the path of the workspace is not known',
    ({ known }) => {
      const { reader, writer } = listed({ rules: [ruleAbout('root:elsewhere')] });
      writer.pathResolved(path('root:elsewhere'), known);

      writer.pathResolved(path('root:elsewhere'), 'unknown');

      expect(names(reader.guarding(pathless, VPCS, ANYBODY))).toEqual(['known', 'compute/vm-dependencies#0']);
      expect(reader.unresolvedPaths()).toEqual(['root:elsewhere']);
    },
  );

  it('given a workspace whose path is known, then an unresolved path from a cluster counts for it, as it may be another way there', () => {
    const { reader } = listed({ rules: [ruleAbout('abc123:elsewhere')] });

    expect(names(reader.guarding(network, VPCS, ANYBODY))).toEqual(['known', 'compute/vm-dependencies#0']);
  });

  it('given a path that cannot be resolved, when the guard of a workspace names the rule, then it counts there', () => {
    const { reader } = listed({
      rules: [ruleAbout('root:elsewhere')],
      guards: [guard({ cluster: network, ruleRefs: [ruleRef('compute')] })],
    });

    expect(names(reader.guarding(network, VPCS, ANYBODY))).toEqual(['known', 'compute/vm-dependencies#0']);
  });

  it('given a path that is proven missing, then the rule guards nothing, until the path names a workspace', () => {
    const { reader, writer } = listed({ rules: [ruleAbout('root:new')] });

    writer.pathResolved(path('root:new'), 'missing');
    expect(reader.paths.clusterOf(path('root:new'))).toBe('missing');
    expect(names(reader.guarding(network, VPCS, ANYBODY))).toEqual(['known']);

    writer.pathResolved(path('root:new'), cluster('new'));
    expect(names(reader.guarding(cluster('new'), VPCS, ANYBODY))).toEqual(['known', 'compute/vm-dependencies#0']);
  });

  it('given a workspace that was made anew, when its path is asked for again, then the new cluster is guarded and the old one no more', () => {
    const { reader, writer } = listed({ rules: [ruleAbout('root:network')] });

    const touched = writer.pathResolved(path('root:network'), cluster('network2'));

    expect(names(reader.guarding(network, VPCS, ANYBODY))).toEqual(['known']);
    expect(names(reader.guarding(cluster('network2'), VPCS, ANYBODY))).toEqual(['known', 'compute/vm-dependencies#0']);
    expect(touched.guarded).toEqual(new Set(['network', 'network2']));
  });

  it('given a path that leads elsewhere by what this process was told last, when the guard names the rule for the type, then the rule counts', () => {
    const named = guard({ cluster: cluster('network2'), ruleRefs: [ruleRef('compute')] });
    const { reader } = listed({ rules: [ruleAbout('root:network')], guards: [named] });

    expect(names(reader.guarding(cluster('network2'), VPCS, ANYBODY))).toEqual(['known', 'compute/vm-dependencies#0']);
    expect(names(reader.guarding(cluster('network2'), { ...VPCS, resource: 'subnets' }, ANYBODY))).toEqual(['known']);
    expect(reader.guarded(cluster('network2')).matches).toEqual([]);
  });

  it('given rules of several authors, then only those of the authors who are asked for are answered', () => {
    const { reader } = listed({ rules: [ruleAbout('root:network', { cluster: 'a' }), ruleAbout('network', { cluster: 'b' })] });

    expect(names(reader.guarding(network, VPCS, new Set([cluster('a')])))).toEqual(['known', 'a/vm-dependencies#0']);
    expect(names(reader.guarding(network, VPCS, new Set([cluster('b')])))).toEqual(['known', 'b/vm-dependencies#0']);
    expect(names(reader.guarding(network, VPCS, new Set()))).toEqual(['known']);
  });

  it('given two clusters with a rule of the same name, then neither replaces the other', () => {
    const { reader } = listed({ rules: [ruleAbout('root:network', { cluster: 'a' }), ruleAbout('root:network', { cluster: 'b' })] });

    expect(names(reader.guarding(network, VPCS, ANYBODY))).toEqual(['known', 'a/vm-dependencies#0', 'b/vm-dependencies#0']);
  });

  it('given one rule with several fields of one type, then each is a match, in their order', () => {
    const dependencies = ['.spec.a', '.spec.b'].map((fieldPath) => dependencySpec({ fieldRef: { path: fieldPath } }));
    const { reader } = listed({ rules: [rule({ dependencies })] });

    expect(names(reader.guarding(network, VPCS, ANYBODY))).toEqual(['known', 'compute/vm-dependencies#0', 'compute/vm-dependencies#1']);
  });

  it('given a rule that changes or goes, then answers follow, and answers given before do not change', () => {
    const { reader, writer } = listed({ rules: [ruleAbout('root:network')] });
    const before = reader.guarding(network, VPCS, ANYBODY);
    const snapshot = reader.snapshot();

    writer.ruleApplied('s0', ruleAbout('root:compute', { generation: 2 }));
    expect(names(reader.guarding(network, VPCS, ANYBODY))).toEqual(['known']);
    expect(names(reader.guarding(compute, VPCS, ANYBODY))).toEqual(['known', 'compute/vm-dependencies#0']);

    writer.ruleRemoved('s0', ruleKeyOf(compute, 'vm-dependencies'));
    expect(names(reader.guarding(compute, VPCS, ANYBODY))).toEqual(['known']);
    expect(names(before)).toEqual(['known', 'compute/vm-dependencies#0']);
    expect(snapshot.rules).toHaveLength(1);
  });

  it('given a storage that was set back, when a list shows the same generation of a rule with another text, then that text counts', () => {
    const { reader, writer } = listed({ rules: [ruleAbout('root:elsewhere', { generation: 2 })] });
    writer.pathResolved(path('root:elsewhere'), cluster('elsewhere'));

    const touched = writer.rulesListed('s0', [ruleAbout('root:network', { generation: 2 })]);

    expect(names(reader.guarding(network, VPCS, ANYBODY))).toEqual(['known', 'compute/vm-dependencies#0']);
    expect(names(reader.guarding(cluster('elsewhere'), VPCS, ANYBODY))).toEqual(['known']);
    expect(touched.guarded).toEqual(new Set(['network', 'elsewhere']));
    expect(writer.rulesListed('s0', [ruleAbout('root:network', { generation: 2 })]).rules).toEqual(new Set());
  });

  it('given a rule of which nothing can be read and that no guard names, then it is known and guards nothing', () => {
    const rejected = reportRule(compute, ruleObject({}));
    const { reader } = listed({ rules: [rejected], guards: [guard({ cluster: network })] });

    expect(names(reader.guarding(network, VPCS, ANYBODY))).toEqual(['known']);
    expect(reader.rule(ruleRef('compute').key)).toMatchObject({ problems: [{ path: '.spec.dependent' }, { path: '.spec.dependencies' }] });
    expect(reader.snapshot()).toMatchObject({ rules: [], rejected: [{ key: 'compute/vm-dependencies' }] });
  });
});

describe('consent', () => {
  it.each([
    ['everyone', 'everyone' as const, ['compute/vm-dependencies#0'], []],
    ['nobody', [], [], ['compute/vm-dependencies#0']],
    ['the workspace of the rule', [path('root:compute')], ['compute/vm-dependencies#0'], []],
    ['the cluster of the rule', [path('compute')], ['compute/vm-dependencies#0'], []],
    ['another workspace', [path('root:network')], [], ['compute/vm-dependencies#0']],
    ['a workspace that nobody could resolve', [path('user:alice')], [], ['compute/vm-dependencies#0']],
  ])('given a guard that admits %s', (_given, allowRulesFrom, matches, refused) => {
    const { reader } = listed({ rules: [ruleAbout('root:network')], guards: [guard({ cluster: network, allowRulesFrom })] });

    const guarded = reader.guarded(network);

    expect(guarded.matches.map(nameOf)).toEqual(matches);
    expect(guarded.refused.map(nameOf)).toEqual(refused);
    expect(reader.guarding(network, VPCS, ANYBODY).matches.map(nameOf)).toEqual(matches);
  });

  it('given a target whose path nobody can resolve, then no guard that does not admit the rule is blocked by it', () => {
    const guards = [guard({ cluster: network, allowRulesFrom: [] }), guard({ cluster: compute, allowRulesFrom: [] })];
    const { reader } = listed({ rules: [ruleAbout('root:nowhere', { cluster: 'stranger' })], guards });

    expect(names(reader.guarding(network, VPCS, ANYBODY))).toEqual(['known']);
    expect(names(reader.guarding(compute, VPCS, ANYBODY))).toEqual(['known']);
    expect(names(reader.guarding(cluster('everyone-may'), VPCS, ANYBODY))).toEqual(['known', 'stranger/vm-dependencies#0']);
  });

  it('given a guard that admits nobody, then rules of its own workspace count all the same', () => {
    const own = ruleAbout('root:network', { cluster: 'network' });
    const { reader } = listed({ rules: [own], guards: [guard({ cluster: network, allowRulesFrom: [] })] });

    expect(reader.guarded(network)).toMatchObject({ matches: [{ rule: own }], refused: [] });
  });

  it('given a consented path that nobody could resolve, then a rule that the guard names stays admitted, and no other is', () => {
    const guards = [guard({ cluster: network, allowRulesFrom: [path('user:alice')], ruleRefs: [ruleRef('compute')] })];
    const { reader, writer } = listed({ rules: [ruleAbout('root:network'), ruleAbout('root:network', { cluster: 'stranger' })], guards });

    expect(reader.guarded(network).matches.map(nameOf)).toEqual(['compute/vm-dependencies#0']);
    writer.pathResolved(path('user:alice'), cluster('stranger'));

    expect(reader.guarded(network).matches.map(nameOf)).toEqual(['stranger/vm-dependencies#0']);
  });

  it('given a consented path that is proven missing, then it admits nobody', () => {
    const guards = [guard({ cluster: network, allowRulesFrom: [path('user:alice')] })];
    const { reader, writer } = listed({ rules: [ruleAbout('root:network')], guards });

    expect(reader.unresolvedPaths()).toEqual(['user:alice']);
    writer.pathResolved(path('user:alice'), 'missing');
    expect(reader.unresolvedPaths()).toEqual([]);

    expect(reader.guarded(network).refused.map(nameOf)).toEqual(['compute/vm-dependencies#0']);
  });

  it('given consent that is narrowed, then it takes effect at once, and the workspace and the rule are touched', () => {
    const { reader, writer } = listed({ rules: [ruleAbout('root:network')], guards: [guard({ cluster: network })] });

    const touched = writer.guardApplied('s0', guard({ cluster: network, generation: 2, allowRulesFrom: [] }));

    expect(names(reader.guarding(network, VPCS, ANYBODY))).toEqual(['known']);
    expect(touched).toMatchObject({ guarded: new Set(['network']), rules: new Set(['compute/vm-dependencies']) });
  });
});

describe('what is not known yet', () => {
  const needsCompute = guard({ cluster: network, ruleRefs: [ruleRef('compute')] });

  it('given a guard that names every rule, and all are read, then a dead endpoint elsewhere blocks nobody', () => {
    const { reader, writer } = listed({ rules: [ruleAbout('root:network')], guards: [needsCompute] });

    writer.endpointsRead(['s0', 'dead']);

    expect(reader.guarding(network, VPCS, ANYBODY).state).toBe('known');
    expect(reader.completeness()).toMatchObject({ state: 'syncing' });
  });

  it('given a guard that names a rule of a dead endpoint, then that workspace alone is syncing, and says for what', () => {
    const other = cluster('other');
    const { reader } = listed({ rules: [], guards: [guard({ cluster: network, ruleRefs: [ruleRef('far')] }), guard({ cluster: other })] });

    const answer = reader.guarding(network, VPCS, ANYBODY);

    expect(answer).toMatchObject({ state: 'syncing', missing: [{ kind: 'rule', rule: { cluster: 'far' } }] });
    expect(missing(answer)).toEqual(['rule vm-dependencies of far has not been read']);
    expect(reader.guarding(network, VPCS, new Set([compute])).state).toBe('known');
    expect(reader.guarding(other, VPCS, ANYBODY).state).toBe('known');
  });

  it.each([
    ['no guard', []],
    ['a guard whose status was never written, or was cut', [guard({ cluster: network, namesEveryRule: false })]],
  ])('given %s, then an author whom no endpoint has listed needs every endpoint, and any other none', (_given, guards) => {
    const { reader, writer } = listed({ guards });

    writer.endpointsRead(['s0', 's1']);

    expect(missing(reader.guarding(network, VPCS, ANYBODY))).toEqual(['rules, guards, workspaces of s1 have not been listed']);
    expect(reader.guarding(network, VPCS, new Set([compute])).state).toBe('known');
    expect(reader.guarding(network, VPCS, new Set()).state).toBe('known');
    listAll(writer, 's1', {});
    expect(reader.guarding(network, VPCS, ANYBODY).state).toBe('known');
  });

  it('given a guarded workspace that no endpoint has shown, then its guard has to be read, whoever the authors are', () => {
    const { reader, writer } = listed({});

    writer.endpointsRead(['s0', 's1']);

    expect(missing(reader.guarding(cluster('dead'), VPCS, new Set([compute])))).toEqual([
      'rules, guards, workspaces of s1 have not been listed',
    ]);
  });

  describe('given a rule that an endpoint which did not list has shown before', () => {
    const shown = ruleAbout('root:network', { uid: 'a', generation: 4 });

    it.each<{ says: string; version?: { uid: string; generation: number }; state: 'known' | 'syncing' }>([
      { says: 'no generation, as an older controller wrote it', state: 'known' },
      { says: 'an earlier generation', version: { uid: 'a', generation: 3 }, state: 'known' },
      { says: 'the same generation', version: { uid: 'a', generation: 4 }, state: 'known' },
      { says: 'a later generation', version: { uid: 'a', generation: 5 }, state: 'syncing' },
      { says: 'another rule of that name, made anew', version: { uid: 'b', generation: 1 }, state: 'syncing' },
    ])('when the guard says $says, then it is $state until the endpoint lists it', ({ version, state }) => {
      const { reader, writer } = resolved();
      writer.endpointsRead(['s0', 's1']);
      listAll(writer, 's0', {
        workspaces: [network],
        guards: [guard({ cluster: network, ruleRefs: [ruleRef('compute', undefined, version)] })],
      });
      writer.ruleApplied('s1', shown);
      writer.workspaceApplied('s1', compute);

      const before = reader.guarding(network, VPCS, ANYBODY);

      expect(names(before)).toEqual([state, 'compute/vm-dependencies#0']);
      listAll(writer, 's1', { workspaces: [compute], rules: [shown] });
      expect(names(reader.guarding(network, VPCS, ANYBODY))).toEqual(['known', 'compute/vm-dependencies#0']);
    });
  });

  it.each<{ named: string; version?: { uid: string; generation: number }; shown?: { uid: string; generation: number }; isBehind: boolean }>(
    [
      { named: 'a rule as it was shown', version: { uid: 'a', generation: 2 }, shown: { uid: 'a', generation: 2 }, isBehind: false },
      { named: 'a rule as it was before', version: { uid: 'a', generation: 1 }, shown: { uid: 'a', generation: 2 }, isBehind: false },
      { named: 'a rule that was shown, as an older controller does', shown: { uid: 'a', generation: 2 }, isBehind: false },
      { named: 'a rule that was edited since', version: { uid: 'a', generation: 3 }, shown: { uid: 'a', generation: 2 }, isBehind: true },
      {
        named: 'a rule that was made anew since',
        version: { uid: 'b', generation: 1 },
        shown: { uid: 'a', generation: 2 },
        isBehind: true,
      },
      { named: 'a rule that was never shown', version: { uid: 'a', generation: 1 }, isBehind: true },
    ],
  )(
    'given a guard that names $named, of an endpoint that listed, then all is known, and isBehind is $isBehind',
    ({ version, shown, isBehind }) => {
      const { reader } = listed({
        rules: shown === undefined ? [] : [ruleAbout('root:network', shown)],
        guards: [guard({ cluster: network, ruleRefs: [ruleRef('compute', undefined, version)] })],
      });

      expect(reader.guarding(network, VPCS, ANYBODY)).toMatchObject({ state: 'known', isBehind });
    },
  );

  it('given a guard that names a rule of a workspace that is proven gone, then no rule is waited for', () => {
    const { reader, writer } = listed({ guards: [guard({ cluster: network, ruleRefs: [ruleRef('compute')] })] });

    writer.workspaceRemoved('s0', compute);

    expect(reader.guarding(network, VPCS, ANYBODY)).toMatchObject({ state: 'known', isBehind: false });
  });

  it('given a rule in two states of a dead endpoint, then only the workspace that knows the later one is syncing', () => {
    const other = cluster('other');
    const { reader, writer } = resolved();
    writer.endpointsRead(['s0', 's1']);
    listAll(writer, 's0', {
      guards: [
        guard({ cluster: network, ruleRefs: [ruleRef('compute', undefined, { uid: 'u', generation: 2 })] }),
        guard({ cluster: other, ruleRefs: [ruleRef('compute', undefined, { uid: 'u', generation: 1 })] }),
      ],
    });
    writer.ruleApplied('s1', ruleAbout('root:network'));

    expect([network, other].map((where) => reader.guarding(where, VPCS, ANYBODY).state)).toEqual(['syncing', 'known']);
  });

  it('given a named rule that its own endpoint listed without, then it is proven absent', () => {
    const { reader } = listed({ rules: [], guards: [needsCompute] });

    expect(names(reader.guarding(network, VPCS, ANYBODY))).toEqual(['known']);
  });

  it('given a named rule whose workspace unbinds before our eyes, then it is proven gone', () => {
    const { reader, writer } = listed({ rules: [ruleAbout('root:network')], guards: [needsCompute] });

    writer.ruleRemoved('s0', ruleRef('compute').key);
    const touched = writer.workspaceRemoved('s0', compute);

    expect(names(reader.guarding(network, VPCS, ANYBODY))).toEqual(['known']);
    expect(touched.guarded).toContain('network');
  });

  it('given a named rule whose workspace nobody serves, then it is missing until somebody proves it gone', () => {
    const { reader, writer } = resolved();
    writer.endpointsRead(['s0']);
    listAll(writer, 's0', { guards: [needsCompute], workspaces: [network] });

    expect(reader.guarding(network, VPCS, ANYBODY).state).toBe('syncing');
    const touched = writer.workspaceGone(compute);

    expect(reader.guarding(network, VPCS, ANYBODY).state).toBe('known');
    expect(touched.guarded).toContain('network');
  });

  it('given a named rule whose author is proven gone for one guard, then another guard that names it waits on', () => {
    const other = cluster('other');
    const { reader, writer } = listed({ guards: [network, other].map((at) => guard({ cluster: at, ruleRefs: [ruleRef('far')] })) });

    const touched = writer.authorGone(network, cluster('far'));

    expect([network, other].map((at) => reader.guarding(at, VPCS, ANYBODY).state)).toEqual(['known', 'syncing']);
    expect(reader.guarding(network, VPCS, ANYBODY).isBehind).toBe(false);
    expect(touched.guarded).toEqual(new Set(['network']));
    writer.workspaceApplied('s0', cluster('far'));
    expect(reader.guarding(network, VPCS, ANYBODY).isBehind).toBe(true);
  });

  it('given a workspace that an endpoint shows again, when an old proof says that it is gone, then nothing is forgotten', () => {
    const { reader, writer } = listed({ rules: [ruleAbout('root:network')], guards: [needsCompute] });

    writer.endpointsRead([]);
    writer.endpointsRead(['s0']);
    const touched = writer.workspaceGone(compute);
    const atOne = writer.authorGone(network, compute);

    expect(names(reader.guarding(network, VPCS, ANYBODY))).toEqual(['known', 'compute/vm-dependencies#0']);
    expect([touched.guarded, atOne.guarded]).toEqual([new Set(), new Set()]);
  });

  it('given a workspace whose binding an endpoint shows and whose rules it has not listed, then no proof makes them known', () => {
    const { reader, writer } = resolved();
    writer.endpointsRead(['s0', 's1']);
    listAll(writer, 's0', { guards: [needsCompute], workspaces: [network] });

    writer.workspacesListed('s1', [compute]);
    writer.workspaceGone(compute);

    expect(reader.guarding(network, VPCS, ANYBODY).state).toBe('syncing');
  });

  it('given matches while syncing, then those that are known are given', () => {
    const { reader, writer } = createRegistry();

    writer.ruleApplied('s0', ruleAbout('network'));

    expect(names(reader.guarding(network, VPCS, ANYBODY))).toEqual(['syncing', 'compute/vm-dependencies#0']);
  });
});

describe('paths to look up', () => {
  it('given rules and a guard, then it is known who names which path', () => {
    const guards = [guard({ cluster: network, allowRulesFrom: [path('root:friend')] })];
    const { reader } = listed({ rules: [ruleAbout('root:one', { cluster: 'b' })], guards });

    expect(reader.unresolvedPaths()).toEqual(['root:friend', 'root:one']);
    expect(reader.rulesNaming(path('root:one'))).toEqual(new Set(['b/vm-dependencies']));
    expect(['root:one', 'root:friend', 'root:two'].map((each) => reader.authorNaming(path(each)))).toEqual(['b', 'network', undefined]);
  });
});

describe('endpoints that come and go', () => {
  it('given an endpoint that vanishes, then its rules still guard', () => {
    const { reader, writer } = listed({ rules: [ruleAbout('root:network')] });

    writer.endpointsRead([]);

    expect(names(reader.guarding(network, VPCS, ANYBODY))).toEqual(['known', 'compute/vm-dependencies#0']);
    expect(reader.endpoints()).toEqual(new Map([['s0', { state: 'withdrawn' }]]));
  });

  it('given an endpoint that comes back without the rule, then the rule is dropped once it has listed', () => {
    const { reader, writer } = listed({ rules: [ruleAbout('root:network')] });

    writer.endpointsRead([]);
    writer.endpointsRead(['s0']);
    expect(names(reader.guarding(network, VPCS, ANYBODY))).toEqual(['syncing', 'compute/vm-dependencies#0']);
    listAll(writer, 's0', { workspaces: [network, compute] });

    expect(names(reader.guarding(network, VPCS, ANYBODY))).toEqual(['known']);
  });

  it('given a workspace that another endpoint serves now, then what that one lists counts, and the old endpoint is forgotten', () => {
    const { reader, writer } = listed({ rules: [ruleAbout('root:network')] });

    writer.endpointsRead(['s1']);
    listAll(writer, 's1', { workspaces: [compute] });
    expect(reader.endpoints()).toEqual(
      new Map([
        ['s0', { state: 'withdrawn' }],
        ['s1', { state: 'listed' }],
      ]),
    );
    expect(reader.snapshot().rules).toEqual([]);
    writer.workspaceApplied('s1', network);

    expect(reader.endpoints()).toEqual(new Map([['s1', { state: 'listed' }]]));
  });

  it('given a workspace that is proven gone, then what a vanished endpoint said of it is forgotten', () => {
    const { reader, writer } = listed({ rules: [ruleAbout('root:network')] });

    writer.endpointsRead([]);
    const touched = writer.workspaceGone(compute);

    expect(reader.snapshot().rules).toEqual([]);
    expect(touched).toMatchObject({ guarded: new Set(['network', 'compute']), rules: new Set(['compute/vm-dependencies']) });
  });

  it('given two endpoints that deliver one rule, then the newer counts, whichever came last', () => {
    const { reader, writer } = createRegistry();

    writer.ruleApplied('s1', ruleAbout('root:new', { generation: 7 }));
    writer.ruleApplied('s0', ruleAbout('root:old', { generation: 6 }));
    expect(reader.unresolvedPaths()).toEqual(['root:new']);

    writer.ruleRemoved('s1', ruleRef('compute').key);
    expect(reader.unresolvedPaths()).toEqual(['root:old']);
  });
});

describe('what a write touches', () => {
  it('given a rule that moves from one workspace to another, then both are touched', () => {
    const { writer } = listed({ rules: [ruleAbout('root:network')] });

    const touched = writer.ruleApplied('s0', ruleAbout('root:compute', { generation: 2 }));

    expect(touched).toMatchObject({ guarded: new Set(['network', 'compute']), rules: new Set(['compute/vm-dependencies']) });
  });

  it('given a rule whose status alone changed, then nothing is touched', () => {
    const { writer } = listed({ rules: [ruleAbout('root:network')] });

    const touched = writer.ruleApplied('s0', ruleAbout('root:network'));

    expect(touched).toMatchObject({ guarded: new Set(), rules: new Set() });
  });

  it('given a path that is resolved, then the workspace and the rules that name it are touched', () => {
    const { writer } = listed({ rules: [ruleAbout('root:far')] });

    const touched = writer.pathResolved(path('root:far'), cluster('far'));

    expect(touched).toMatchObject({ guarded: new Set(['far']), rules: new Set(['compute/vm-dependencies']) });
    expect(writer.pathResolved(path('root:far'), cluster('far'))).toMatchObject({ guarded: new Set(['far']), rules: new Set() });
  });

  it('given a path that a guard admits, then its workspace is touched when the path is resolved', () => {
    const { writer } = listed({ guards: [guard({ cluster: network, allowRulesFrom: [path('root:far')] })] });

    expect(writer.pathResolved(path('root:far'), cluster('far')).guarded).toContain('network');
  });

  it('given the first list of an endpoint, then every guard is touched, as answers may be complete now', () => {
    const { writer } = listed({ guards: [guard({ cluster: network })] });

    writer.endpointsRead(['s0', 's1']);

    expect(writer.rulesListed('s1', []).guarded).toContain('network');
    expect(writer.rulesListed('s1', []).guarded).not.toContain('network');
  });
});

type Writer = ReturnType<typeof createRegistry>['writer'];
interface Content {
  readonly rules?: Parameters<Writer['rulesListed']>[1];
  readonly guards?: Parameters<Writer['guardsListed']>[1];
  readonly workspaces?: Parameters<Writer['workspacesListed']>[1];
}

/** A registry that has read one endpoint, s0, where both workspaces are bound. */
function listed(content: Content) {
  const registry = resolved();
  registry.writer.endpointsRead(['s0']);
  listAll(registry.writer, 's0', { workspaces: [network, compute], ...content });
  return registry;
}

/** A registry that knows where both paths lead. */
function resolved() {
  const registry = createRegistry();
  for (const name of ['network', 'compute']) registry.writer.pathResolved(path(`root:${name}`), cluster(name));
  return registry;
}

function listAll(writer: Writer, endpoint: string, { rules = [], guards = [], workspaces = [] }: Content): void {
  writer.workspacesListed(endpoint, workspaces);
  writer.guardsListed(endpoint, guards);
  writer.rulesListed(endpoint, rules);
}

function names(answer: Completeness & { readonly matches: readonly RuleMatch[] }): readonly string[] {
  return [answer.state, ...answer.matches.map(nameOf)];
}

function nameOf({ rule: { key }, dependency: { index } }: RuleMatch): string {
  return `${key}#${String(index)}`;
}

function missing(answer: Completeness): readonly string[] {
  return answer.state === 'syncing' ? answer.missing.map(describeMissing) : [];
}
