import { describe, expect, it } from '@jest/globals';
import { createRegistry, reportRule } from '../index.js';
import type { Guard } from '../rules/guard.js';
import { cluster, guard, path, ruleAbout, ruleObject, ruleRef } from '../testing/builders.js';
import { hasSameSpec } from './registry-state.js';

const VPCS = { group: 'network.example.com', resource: 'vpcs' };
const [network, compute, batch] = [cluster('network'), cluster('compute'), cluster('batch')] as const;
// As the registry has it: beyond, a question would cost more than it saves.
const MOST_LOOKED_AT = 1_000;
const byCompute = ruleAbout('root:network');
const byBatch = ruleAbout('root:network', { cluster: 'batch', name: 'jobs' });

/** A registry that has read everything: one endpoint, three workspaces, and these rules and guards. */
function registryOf(rules: readonly ReturnType<typeof ruleAbout>[], guards: readonly Guard[] = []) {
  const registry = createRegistry();
  const { writer } = registry;
  for (const name of ['network', 'compute', 'batch']) writer.pathResolved(path(`root:${name}`), cluster(name));
  writer.endpointsRead(['s0']);
  writer.workspacesListed('s0', [network, compute, batch]);
  writer.guardsListed('s0', guards);
  writer.rulesListed('s0', rules);
  return registry;
}

describe('the questions about one type of a workspace', () => {
  it('given a rule that names the type by one of the paths, then the type is named, and no other', () => {
    const { reader } = registryOf([byCompute]);

    expect([reader.isNamed(network, VPCS), reader.isNamed(network, { ...VPCS, resource: 'zones' }), reader.isNamed(batch, VPCS)]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it.each<{ given: string; guards: readonly Guard[]; authors: readonly string[] }>([
    { given: 'no guard', guards: [], authors: ['compute', 'batch'] },
    {
      given: 'a guard that admits one of them',
      guards: [guard({ cluster: network, allowRulesFrom: [path('root:batch')] })],
      authors: ['batch'],
    },
    { given: 'a guard that admits nobody', guards: [guard({ cluster: network, allowRulesFrom: [] })], authors: [] },
  ])('given two rules and $given, then those are named that are admitted', ({ guards, authors }) => {
    const { reader } = registryOf([byCompute, byBatch], guards);

    expect([...reader.naming(network, VPCS)].map(({ rule }) => rule.cluster).sort()).toEqual([...authors].sort());
    expect([byCompute, byBatch].filter((rule) => reader.isAdmitted(network, rule)).map((rule) => rule.cluster as string)).toEqual(authors);
    expect([...reader.naming(network, { ...VPCS, resource: 'zones' })]).toEqual([]);
  });

  it.each<{ given: string; rules?: readonly ReturnType<typeof ruleAbout>[]; guards?: readonly Guard[]; expected: boolean }>([
    { given: 'no rule', expected: false },
    { given: 'a rule of the author', rules: [byCompute], expected: false },
    { given: 'a rule of somebody else', rules: [byCompute, byBatch], expected: true },
    { given: 'a rule of somebody else about another workspace', rules: [ruleAbout('root:compute', { cluster: 'batch' })], expected: false },
    {
      given: 'a rule of somebody else that is not admitted',
      rules: [byBatch],
      guards: [guard({ cluster: network, allowRulesFrom: [] })],
      expected: false,
    },
    {
      given: 'a rule of somebody else that the guard names and no endpoint shows',
      guards: [guard({ cluster: network, ruleRefs: [ruleRef('batch', 'gone')] })],
      expected: true,
    },
    {
      given: 'a rule of the author that the guard names and no endpoint shows',
      guards: [guard({ cluster: network, ruleRefs: [ruleRef('compute', 'gone')] })],
      expected: false,
    },
    {
      given: 'a rule of somebody else that named the type when the guard was written, and another one now',
      rules: [ruleAbout('root:compute', { cluster: 'batch', name: 'jobs' })],
      guards: [guard({ cluster: network, ruleRefs: [ruleRef('batch', 'jobs')] })],
      expected: true,
    },
    {
      given: 'a rule of somebody else about another type, which the guard names',
      rules: [ruleAbout('root:compute', { cluster: 'batch', name: 'jobs' })],
      guards: [guard({ cluster: network, ruleRefs: [{ ...ruleRef('batch', 'jobs'), resource: 'zones.network.example.com' }] })],
      expected: false,
    },
    {
      given: 'a rule of somebody else that only the name in the guard admits, behind one that nothing admits',
      rules: [ruleAbout('root:network', { cluster: 'batch', name: 'a' }), byBatch],
      guards: [
        guard({
          cluster: network,
          allowRulesFrom: [path('user:unresolved')],
          ruleRefs: [{ ...ruleRef('batch', 'jobs'), resource: 'zones.network.example.com' }],
        }),
      ],
      expected: true,
    },
    {
      given: 'a path of somebody else that may name the workspace',
      rules: [ruleAbout('user:unresolved', { cluster: 'batch' })],
      expected: true,
    },
    {
      given: 'a path from the root that is not resolved, as the one of the workspace is known',
      rules: [ruleAbout('root:unresolved', { cluster: 'batch' })],
      expected: false,
    },
  ])('given $given, then whether others guard the type is $expected', ({ rules = [], guards = [], expected }) => {
    const { reader } = registryOf(rules, guards);

    expect(reader.isGuardedByOthers(network, VPCS, new Set([compute]))).toBe(expected);
  });

  it('given something that was not read, then others may guard the type', () => {
    const { reader, writer } = registryOf([]);

    writer.endpointsRead(['s0', 's1']);

    expect(reader.isGuardedByOthers(network, VPCS, new Set([compute]))).toBe(true);
  });

  it('given more unresolved paths than are looked at, then others may guard the type', () => {
    const rulesOf = (count: number) =>
      Array.from({ length: count }, (_, at) => ruleAbout(`root:unresolved${String(at)}`, { cluster: `b${String(at)}`, name: 'r' }));
    const isGuarded = (count: number) => registryOf(rulesOf(count)).reader.isGuardedByOthers(network, VPCS, new Set([compute]));

    expect([isGuarded(MOST_LOOKED_AT), isGuarded(MOST_LOOKED_AT + 1)]).toEqual([false, true]);
  });
});

describe('what is known as a whole', () => {
  it('given rules and workspaces, then they are counted and bound', () => {
    const { reader } = registryOf([byCompute, byBatch]);

    expect([reader.ruleCount, reader.isBound(network), reader.isBound(cluster('other'))]).toEqual([2, true, false]);
    expect([reader.isOverQuota(byCompute.key), reader.isOverQuota(ruleAbout('root:a', { name: 'none' }).key)]).toEqual([false, false]);
  });

  it('given a snapshot, then it is the same until something is written, sorted, and without what can be read among what cannot', () => {
    const { reader, writer } = registryOf([byCompute, byBatch]);
    const unread = reportRule(compute, ruleObject({}, { name: 'unread' }));

    const before = reader.snapshot();
    expect(reader.snapshot()).toBe(before);
    expect(before.rules.map(({ key }) => key)).toEqual([byBatch.key, byCompute.key]);
    writer.ruleApplied('s0', unread);

    const after = reader.snapshot();
    expect(after).not.toBe(before);
    expect([after.rejected.map(({ key }) => key), before.rejected]).toEqual([['compute/unread'], []]);
  });

  it('given everything read and no guard, then nothing is missing and no path unresolved', () => {
    const { reader } = registryOf([byCompute], [guard({ cluster: batch })]);

    expect([reader.missing(network), reader.missing(batch), reader.unresolvedPaths()]).toEqual([[], [], []]);
  });

  it('given a guard that was seen before its endpoint has listed, then nothing is missing of authors whose endpoint has', () => {
    const late = cluster('late');
    const { reader, writer } = registryOf([byCompute]);
    writer.endpointsRead(['s0', 's1']);
    expect(reader.guarding(late, VPCS, new Set([compute])).state).toBe('syncing');

    writer.guardApplied('s1', guard({ cluster: late, namesEveryRule: false }));

    expect(reader.guarding(late, VPCS, new Set([compute])).state).toBe('known');
  });

  it('given a workspace whose rule an endpoint shows, then it is not taken for gone', () => {
    const late = ruleAbout('root:network', { cluster: 'late', name: 'shown' });
    const { reader, writer } = registryOf([], [guard({ cluster: network, ruleRefs: [ruleRef('late', 'other')] })]);
    writer.endpointsRead(['s0', 's1']);
    writer.ruleApplied('s1', late);

    writer.workspaceGone(late.cluster);

    expect(JSON.stringify(reader.missing(network))).toContain('late/other');
  });

  it('given a guard that is removed, then it is gone, and everybody is admitted', () => {
    const { reader, writer } = registryOf([byCompute], [guard({ cluster: network, allowRulesFrom: [] })]);
    expect([reader.guard(network)?.cluster, reader.isAdmitted(network, byCompute)]).toEqual([network, false]);

    writer.guardRemoved('s0', network);

    expect([reader.guard(network), reader.isAdmitted(network, byCompute)]).toEqual([undefined, true]);
    expect(reader.isGuardedByOthers(network, VPCS, new Set([compute]))).toBe(false);
  });

  it('given a guard that admits others now, then that counts at once', () => {
    const { reader, writer } = registryOf([byCompute], [guard({ cluster: network, allowRulesFrom: [] })]);
    expect(reader.isAdmitted(network, byCompute)).toBe(false);

    writer.guardApplied('s0', guard({ cluster: network, allowRulesFrom: [path('root:compute')] }));
    expect(reader.isAdmitted(network, byCompute)).toBe(true);

    writer.pathResolved(path('root:compute'), batch);
    expect([reader.isAdmitted(network, byCompute), reader.isAdmitted(network, byBatch)]).toEqual([false, true]);
  });

  it('given a workspace that is proven gone, then nothing is missing of it; not after it binds again, and also after it is told once more to be unbound', () => {
    const late = cluster('late');
    const { reader, writer } = registryOf([], [guard({ cluster: network, ruleRefs: [ruleRef('late')] })]);
    writer.endpointsRead(['s0', 's1']);
    const isMissing = (): boolean => JSON.stringify(reader.missing(network)).includes('late');
    expect(isMissing()).toBe(true);

    writer.workspaceGone(late);
    expect(isMissing()).toBe(false);
    writer.workspaceRemoved('s0', late);
    expect(isMissing()).toBe(false);
    writer.workspaceApplied('s1', late);
    expect(isMissing()).toBe(true);
  });

  it('given a workspace that one of two endpoints shows no more, then it has not unbound', () => {
    const late = cluster('late');
    const { reader, writer } = registryOf([], [guard({ cluster: network, ruleRefs: [ruleRef('late')] })]);
    writer.endpointsRead(['s0', 's1', 's2']);
    for (const endpoint of ['s1', 's2']) writer.workspaceApplied(endpoint, late);

    writer.workspaceRemoved('s1', late);
    expect(JSON.stringify(reader.missing(network))).toContain('late');

    writer.workspaceRemoved('s2', late);
    expect(JSON.stringify(reader.missing(network))).not.toContain('late');
  });

  it('given an endpoint that is withdrawn, and another that has listed one of its workspaces, then what it said of the others stays', () => {
    const { reader, writer } = registryOf([byCompute, byBatch]);

    writer.endpointsRead(['s1']);
    writer.workspacesListed('s1', [compute]);
    writer.guardsListed('s1', []);
    writer.rulesListed('s1', []);

    expect([reader.rule(byCompute.key), reader.rule(byBatch.key)?.key]).toEqual([undefined, byBatch.key]);
  });
});

describe(hasSameSpec, () => {
  const at = (uid: string, generation: number) => ({ ...byCompute, uid, generation });

  it.each([
    ['the same generation', at('u', 1), at('u', 1), true],
    ['another generation', at('u', 1), at('u', 2), false],
    ['another object of the name', at('u', 1), at('v', 1), false],
    ['no uid, as in files', at('', 1), at('', 1), false],
    ['no generation', at('u', 0), at('u', 0), false],
  ])('given %s, then whether it says the same is known', (_given, before, after, expected) => {
    expect(hasSameSpec(before, after)).toBe(expected);
  });
});
