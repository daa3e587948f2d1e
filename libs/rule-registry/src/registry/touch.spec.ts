import { describe, expect, it } from '@jest/globals';
import { createRegistry } from '../index.js';
import { cluster, guard, path, ruleAbout, ruleRef } from '../testing/builders.js';

const network = cluster('network');
const compute = cluster('compute');
const networkPath = path('root:network');

describe('a write touches no more than it may have changed', () => {
  it.each([
    { given: 'everyone', consented: 'everyone' as const, expected: false },
    { given: 'nobody', consented: [], expected: false },
    { given: 'a workspace that is known', consented: ['root:compute'], expected: false },
    { given: 'that path', consented: ['root:moved'], expected: true },
    { given: 'that path beside another', consented: ['root:compute', 'root:moved'], expected: true },
    { given: 'another path that nobody could resolve', consented: ['user:alice'], expected: false },
  ])('given a path that comes to name a workspace, then a guard that admits $given is touched: $expected', ({ consented, expected }) => {
    const allowRulesFrom = consented === 'everyone' ? consented : consented.map(path);
    const { writer } = listed([guard({ cluster: network, allowRulesFrom })]);

    const { guarded } = writer.pathResolved(path('root:moved'), cluster('moved'));

    expect(guarded.has(network)).toBe(expected);
  });

  it.each(['missing', 'unknown'] as const)('given a path that comes to be %s, then that is no workspace that is touched', (resolution) => {
    const named = guard({ cluster: cluster('named'), ruleRefs: [ruleRef(resolution)] });
    const { writer } = listed([named]);

    const { guarded } = writer.pathResolved(networkPath, resolution);

    expect([...guarded].sort()).toEqual(['network']);
  });

  it('given a path that comes to name a workspace, then guards that name one of its rules are touched', () => {
    const { writer } = listed([guard({ cluster: cluster('named'), ruleRefs: [ruleRef('late')] }), guard({ cluster: cluster('other') })]);

    expect(writer.pathResolved(path('root:late'), cluster('late')).guarded).toEqual(new Set(['late', 'named']));
  });

  it('given a workspace that binds or unbinds, then guards that admit it by a path that names it are touched', () => {
    const [admitting, other] = [cluster('admitting'), cluster('other')];
    const { writer } = listed([
      guard({ cluster: admitting, allowRulesFrom: [path('root:late')] }),
      guard({ cluster: other, allowRulesFrom: [path('root:else')] }),
    ]);
    writer.pathResolved(path('root:late'), cluster('late'));

    expect(writer.workspaceApplied('s0', cluster('late')).guarded).toEqual(new Set(['late', 'admitting']));
    expect(writer.workspaceRemoved('s0', cluster('late')).guarded).toEqual(new Set(['late', 'admitting']));
  });

  it('given a workspace that binds, then guards that admit everyone, or nobody, are not touched', () => {
    // A workspace whose name is one letter: it must not be found in a word.
    const late = cluster('e');
    const { writer } = listed([guard({ cluster: network, allowRulesFrom: 'everyone' }), guard({ cluster: compute, allowRulesFrom: [] })]);

    expect(writer.workspaceApplied('s0', late).guarded).toEqual(new Set(['e']));
  });

  it('given what was known already, then no rule is touched', () => {
    const { writer } = listed([]);

    expect(writer.workspaceApplied('s0', network).rules).toEqual(new Set());
    expect(writer.pathResolved(networkPath, network).rules).toEqual(new Set());
  });

  it('given an event of an endpoint that is known, then other guards are not touched', () => {
    const { writer } = listed([guard({ cluster: network })]);

    expect(writer.ruleApplied('s0', ruleAbout('root:compute', { generation: 2 })).guarded).toEqual(new Set(['network', 'compute']));
    expect(writer.ruleApplied('s0', ruleAbout('root:compute', { generation: 3 })).guarded).toEqual(new Set(['compute']));
  });

  it('given a workspace that binds or unbinds, then only guards that name one of its rules are touched', () => {
    const [named, other] = [cluster('named'), cluster('other')];
    const { writer } = listed([guard({ cluster: named, ruleRefs: [ruleRef('late')] }), guard({ cluster: other })]);
    const late = cluster('late');

    expect(writer.workspaceApplied('s0', late).guarded).toEqual(new Set(['late', 'named']));
    expect(writer.workspaceRemoved('s0', late).guarded).toEqual(new Set(['late', 'named']));
  });

  it('given an event of an endpoint that was not known, then every guard is touched', () => {
    const { writer } = listed([guard({ cluster: network })]);

    expect(writer.ruleApplied('s1', ruleAbout('root:compute', { name: 'other' })).guarded).toContain('network');
  });
});

/** A registry that has read one endpoint, s0, with both workspaces and a rule about the first. */
function listed(guards: Parameters<ReturnType<typeof createRegistry>['writer']['guardsListed']>[1]) {
  const registry = createRegistry();
  for (const name of ['network', 'compute']) registry.writer.pathResolved(path(`root:${name}`), cluster(name));
  registry.writer.endpointsRead(['s0']);
  registry.writer.workspacesListed('s0', [network, compute]);
  registry.writer.guardsListed('s0', guards);
  registry.writer.rulesListed('s0', [ruleAbout('root:network')]);
  return registry;
}
