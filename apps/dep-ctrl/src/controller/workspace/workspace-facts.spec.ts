import { describe, expect, it } from '@jest/globals';
import { MOST_RULES, type GuardRuleEntry } from '@dep-ctrl/rule-registry';
import type { Observed } from '@dep-ctrl/kcp-client';
import type { Resolution } from '@dep-ctrl/workspace-resolver';
import { binding, configuration, entry, guard, name, path, rule } from '../../rules/spec-support/objects.js';
import { a, b, FORBIDDEN, guarded, guarding, VPCS, world, type World } from './spec-support/network-workspace.js';
import { gatherFacts } from './workspace-facts.js';

describe(gatherFacts, () => {
  it('given a rule, a binding and nothing else, then a guard is to be made and the rule is wanted', () => {
    const bindings = [binding(), binding({ cluster: 'compute1', path: 'root:compute' })];
    const { plan } = world({ endpoints: [a], shows: [[a, { bindings, guards: [], configurations: [], rules: [rule()] }]] });

    expect(plan).toEqual({ do: 'protect', entries: [entry({ uid: 'compute1-vms', generation: 1 })], also: [] });
  });

  it('given rules from two shards, then both are wanted', () => {
    const { facts } = world({
      endpoints: [a, b],
      shows: [
        [a, { bindings: [binding()], guards: [], configurations: [], rules: [rule({ cluster: 'one' })] }],
        [b, { bindings: [], guards: [], configurations: [], rules: [rule({ cluster: 'two' })] }],
      ],
    });

    expect(facts.wanted.map(({ cluster }) => cluster)).toEqual(['one', 'two']);
  });

  describe('no shrink on absence', () => {
    const named = guard({ names: [entry()] });

    it('given a restart whose rule endpoint has not listed, then what the guard names stays guarded', () => {
      const { plan } = world({
        endpoints: [a, b],
        shows: [[a, { bindings: [binding()], guards: [named], configurations: [configuration()], rules: [] }]],
      });

      expect(plan).toEqual({ do: 'protect', entries: [entry()], also: [] });
    });

    it('given the endpoint that serves the rule’s workspace has listed without it, then it is gone', () => {
      const { plan } = world({
        endpoints: [a, b],
        shows: [
          [a, { bindings: [binding()], guards: [named], configurations: [configuration()], rules: [] }],
          [b, { bindings: [binding({ cluster: 'compute1', path: 'root:compute' })], guards: [], configurations: [], rules: [] }],
        ],
      });

      expect(plan).toEqual({ do: 'withdraw', guard: 'delete', unbinding: false });
    });

    it('given every endpoint listed and none serves the rule’s workspace, then that is no proof yet', () => {
      const { plan } = world({
        endpoints: [a],
        shows: [[a, { bindings: [binding()], guards: [named], configurations: [configuration()], rules: [] }]],
      });

      expect(plan).toEqual({ do: 'protect', entries: [entry()], also: [] });
    });

    it('given a guard whose spec cannot be read, then what it names stays guarded, too', () => {
      const { cluster, object } = named;
      const { plan } = world({
        endpoints: [a],
        shows: [
          [
            a,
            {
              bindings: [binding()],
              guards: [{ cluster, object: { ...object, spec: { allowRulesFrom: 'nobody' } } }],
              configurations: [guarding(configuration())],
              rules: [],
            },
          ],
        ],
      });

      expect(plan).toEqual({ do: 'protect', entries: [entry()], also: [] });
    });

    it('given the workspace of the rule is proven gone, then so is the rule, and there is nowhere to ask for it', () => {
      const { facts, plan } = world({
        endpoints: [a],
        shows: [[a, { bindings: [binding()], guards: [named], configurations: [configuration()], rules: [] }]],
        then: (registry) => registry.workspaceGone(name('compute1')),
      });

      expect(plan).toEqual({ do: 'withdraw', guard: 'delete', unbinding: false });
      expect(facts.unseen).toEqual([]);
    });

    it('given an endpoint that vanishes from the slice with its rule, then the rule stays', () => {
      const { plan } = world({
        endpoints: [a, b],
        shows: [
          [a, { bindings: [binding()], guards: [named], configurations: [configuration()], rules: [] }],
          [b, { bindings: [binding({ cluster: 'compute1', path: 'root:compute' })], guards: [], configurations: [], rules: [rule()] }],
        ],
        then: (registry) => registry.endpointsRead([a]),
      });

      expect(plan).toMatchObject({ do: 'protect', entries: [entry({ uid: 'compute1-vms', generation: 1 })] });
    });

    it.each<{ given: string; says: GuardRuleEntry }>([
      { given: 'a later generation', says: entry({ uid: 'compute1-vms', generation: 2 }) },
      { given: 'another rule of that name', says: entry({ uid: 'another', generation: 1 }) },
    ])('given $given in the guard than a vanished endpoint has shown, then the guard goes on saying so', ({ says }) => {
      const { plan } = world({
        endpoints: [a, b],
        shows: [
          [a, { bindings: [binding()], guards: [guard({ names: [says] })], configurations: [configuration()], rules: [] }],
          [b, { bindings: [binding({ cluster: 'compute1', path: 'root:compute' })], guards: [], configurations: [], rules: [rule()] }],
        ],
        then: (registry) => registry.endpointsRead([a]),
      });

      expect(plan).toEqual({ do: 'protect', entries: [says], also: [] });
    });

    it.each<{ given: string; says: GuardRuleEntry }>([
      { given: 'an earlier generation', says: entry({ uid: 'compute1-vms', generation: 2 }) },
      { given: 'a later one of a rule that was deleted and made again', says: entry({ uid: 'another', generation: 9 }) },
      { given: 'a later one of the same rule, as no server says it', says: entry({ uid: 'compute1-vms', generation: 9 }) },
      { given: 'none, as an older version wrote it', says: entry() },
    ])('given $given in the guard and the rule listed, then the guard is to say what was listed', ({ says }) => {
      const { plan } = guarded({ guard: guard({ names: [says] }), rule: rule({ generation: 3 }) });

      expect(plan).toEqual({ do: 'protect', entries: [entry({ uid: 'compute1-vms', generation: 3 })], also: [] });
    });

    it.each<{ given: string; says: GuardRuleEntry; rule: Observed | undefined; shown: string | undefined }>([
      { given: 'no rule', says: entry({ uid: 'compute1-vms', generation: 1 }), rule: undefined, shown: undefined },
      { given: 'an earlier one', says: entry({ uid: 'compute1-vms', generation: 2 }), rule: rule(), shown: 'compute1-vms/1' },
      { given: 'another one of that name', says: entry({ uid: 'another', generation: 1 }), rule: rule(), shown: 'compute1-vms/1' },
    ])(
      'given $given where the guard names one and the watch has listed, then kcp is to be asked first',
      ({ says, rule: listed, shown }) => {
        const { facts } = guarded({ guard: guard({ names: [says] }), rule: listed });

        expect(facts.unseen).toEqual([{ cluster: name('compute1'), name: 'vms', endpoint: a, shown }]);
      },
    );

    it.each<{ given: string; says: GuardRuleEntry }>([
      { given: 'the generation that is listed', says: entry({ uid: 'compute1-vms', generation: 3 }) },
      { given: 'an earlier one', says: entry({ uid: 'compute1-vms', generation: 2 }) },
      { given: 'none, as an older version wrote it', says: entry() },
    ])('given $given in the guard, then kcp need not be asked for the rule', ({ says }) => {
      const { facts } = guarded({ guard: guard({ names: [says] }), rule: rule({ generation: 3 }) });

      expect(facts.unseen).toEqual([]);
    });

    it('given an endpoint that shows the rule’s workspace and has not listed its rules, then the rule stays, and kcp need not be asked for it', () => {
      const { facts, plan } = world({
        endpoints: [a, b],
        shows: [
          [a, { bindings: [binding()], guards: [named], configurations: [configuration()], rules: [] }],
          [b, { bindings: [binding({ cluster: 'compute1', path: 'root:compute' })] }],
        ],
      });

      expect(plan).toEqual({ do: 'protect', entries: [entry()], also: [] });
      expect(facts.unseen).toEqual([]);
    });

    it('given a stored rule that cannot be read, then it is not in force, and what the guard names of it goes', () => {
      const edited = rule({ generation: 2 });
      const { plan } = guarded({
        guard: guard({ names: [entry({ uid: 'compute1-vms', generation: 1 })] }),
        rule: { ...edited, object: { ...edited.object, spec: {} } },
      });

      expect(plan).toEqual({ do: 'withdraw', guard: 'delete', unbinding: false });
    });

    it('given a stored rule with one target that cannot be read, then that one is not in force, and the other is', () => {
      const vpcs = rule();
      const { dependencies, ...spec } = vpcs.object['spec'] as { readonly dependencies: readonly object[] };
      const unreadable = { ...dependencies[0], resource: 'subnets', fieldRef: { path: '.spec.[' } };
      const { plan } = guarded({
        guard: guard({ names: [entry({ resource: 'subnets.network.example.com' }), entry()] }),
        rule: { ...vpcs, object: { ...vpcs.object, spec: { ...spec, dependencies: [unreadable, ...dependencies] } } },
      });

      expect(plan).toEqual({ do: 'protect', entries: [entry({ uid: 'compute1-vms', generation: 1 })], also: [] });
    });

    it('given more rules of one workspace than a workspace may have, then the newest is not in force, whatever the guard names', () => {
      const rules = Array.from({ length: MOST_RULES + 1 }, (_, at) =>
        rule({ name: `vms-${String(at).padStart(3, '0')}`, target: 'root:alias' }),
      );
      const named = rules.map(({ object }) => entry({ rule: object.metadata.name ?? '' }));
      const { plan } = world({
        endpoints: [a],
        shows: [
          [
            a,
            {
              bindings: [binding(), binding({ cluster: 'compute1', path: 'root:compute' })],
              guards: [guard({ names: named })],
              configurations: [configuration()],
              rules,
            },
          ],
        ],
      });

      expect(plan).toEqual({ do: 'protect', entries: named.slice(0, MOST_RULES), also: [] });
    });

    it('given a rule that is known but whose path nobody can look up now, then its resource stays guarded', () => {
      const { plan } = guarded({ guard: named, rule: rule({ target: 'root:alias' }) });

      expect(plan).toMatchObject({ do: 'protect', entries: [entry()] });
    });

    it('given that path turns out to name another workspace, then the rule guards this one no more', () => {
      const { plan } = guarded({
        guard: named,
        rule: rule({ target: 'root:alias' }),
        then: (registry) => registry.pathResolved(path('root:alias'), name('other1')),
      });

      expect(plan).toMatchObject({ do: 'withdraw' });
    });

    it('given a guard whose status was never written and a dead endpoint elsewhere, then what is configured stays', () => {
      const blank = guard();
      const { plan } = world({
        endpoints: [a, b],
        shows: [
          [
            a,
            {
              bindings: [binding()],
              guards: [{ ...blank, object: { ...blank.object, status: {} } }],
              configurations: [guarding(configuration())],
              rules: [],
            },
          ],
        ],
      });

      expect(plan).toEqual({ do: 'protect', entries: [], also: [VPCS] });
    });
  });

  describe('a configuration whose guard is gone, and a rule by a path that may be that of its workspace', () => {
    const unresolved = (resolutionOf: World['resolutionOf']): World => ({
      endpoints: [a],
      shows: [
        [
          a,
          {
            bindings: [binding(), binding({ cluster: 'compute1', path: 'root:compute' })],
            guards: [],
            configurations: [guarding(configuration())],
            rules: [rule({ target: 'root:alias' })],
          },
        ],
      ],
      ...(resolutionOf !== undefined && { resolutionOf }),
    });

    it.each<{ given: string; resolution: Resolution | undefined }>([
      { given: 'was not asked for yet', resolution: undefined },
      { given: 'could not be asked for', resolution: { state: 'unreachable', problem: 'connection refused', retryable: true } },
    ])('given a path that kcp $given, then what is configured stays', ({ resolution }) => {
      expect(world(unresolved(() => resolution)).plan).toEqual({ do: 'protect', entries: [], also: [VPCS] });
    });

    it('given a path that kcp was asked for and that nobody can tell, then nobody holds a configuration by naming such a one', () => {
      expect(world(unresolved(() => FORBIDDEN)).plan).toEqual({ do: 'withdraw', guard: 'none', unbinding: false });
    });

    it('given a path of another workspace, then the configuration goes', () => {
      const { plan } = world({
        ...unresolved(() => undefined),
        then: (registry) => registry.pathResolved(path('root:alias'), name('other1')),
      });

      expect(plan).toEqual({ do: 'withdraw', guard: 'none', unbinding: false });
    });
  });

  it('given consent that leaves the rule out, then it is not wanted, and the guard keeps it out', () => {
    const { facts, plan } = guarded({
      guard: guard({ consent: ['root:compute:other'], names: [entry()] }),
      rule: rule(),
      then: (registry) => registry.pathResolved(path('root:compute:other'), name('other1')),
    });

    expect(plan).toEqual({ do: 'withdraw', guard: 'none', unbinding: false });
    expect(facts).toMatchObject({ refusesRules: true, turnedAway: [{ author: 'root:compute', rule: 'vms' }] });
  });

  it('given consent that leaves out a rule of a workspace whose path is not known, then that is told by its logical cluster', () => {
    const { facts } = guarded({ guard: guard({ consent: [] }), rule: rule({ cluster: 'other1' }) });

    expect(facts.turnedAway).toEqual([{ author: 'other1', rule: 'vms' }]);
  });

  it('given consent that admits the rule, then none is kept out', () => {
    const { facts } = guarded({ guard: guard({ consent: ['root:compute'] }), rule: rule() });

    expect(facts.wanted.map(({ rule: wanted }) => wanted)).toEqual(['vms']);
    expect(facts).toMatchObject({ refusesRules: false, turnedAway: [] });
  });
});
