import { describe, expect, it } from '@jest/globals';
import type { WorkspacePath } from '@dep-ctrl/kcp-names';
import { MOST_RULES, type GuardRuleEntry, type RegistryWriter } from '@dep-ctrl/rule-registry';
import type { Observed, VirtualWorkspaceUrl } from '@dep-ctrl/kcp-client';
import { forbiddenIn, type Resolution } from '@dep-ctrl/workspace-resolver';
import { FedSource, type SeenKind } from '../../rules/spec-support/fed-source.js';
import { binding, configuration, endpoint, entry, EXPORT, guard, name, path, rule } from '../../rules/spec-support/objects.js';
import { desiredWebhooks, type GuardedResource } from '../configuration/desired-webhooks.js';
import { planWorkspace, type WorkspacePlan } from './plan-workspace.js';
import { gatherFacts, type GatheredFacts } from './workspace-facts.js';

const a = endpoint('a');
const b = endpoint('b');
const network = name('network1');
const FORBIDDEN = forbiddenIn(path('root'), { isUnknown: false });
const VPCS: GuardedResource = { group: 'network.example.com', resource: 'vpcs', enforcement: 'Deny' };

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

    it('given the workspace of the rule is proven gone, then so is the rule', () => {
      const { plan } = world({
        endpoints: [a],
        shows: [[a, { bindings: [binding()], guards: [named], configurations: [configuration()], rules: [] }]],
        then: (registry) => registry.workspaceGone(name('compute1')),
      });

      expect(plan).toEqual({ do: 'withdraw', guard: 'delete', unbinding: false });
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

    it('given a rule as late as the guard says, then nobody has to be asked', () => {
      const { facts } = guarded({
        guard: guard({ names: [entry({ uid: 'compute1-vms', generation: 2 })] }),
        rule: rule({ generation: 3 }),
      });

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

    it('given a path that kcp was not asked for yet, then what is configured stays', () => {
      expect(world(unresolved(() => undefined)).plan).toEqual({ do: 'protect', entries: [], also: [VPCS] });
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

  it.each<{ given: string; bindings: Observed[]; expected: Partial<WorkspacePlan> }>([
    { given: 'a binding on its way out', bindings: [binding({ deleting: true })], expected: { do: 'withdraw' } },
    { given: 'a rejected claim', bindings: [binding({ claim: 'Rejected' })], expected: { do: 'protect' } },
  ])('given $given, then the plan is to $expected.do', ({ bindings, expected }) => {
    const { plan } = world({ endpoints: [a], shows: [[a, { bindings, guards: [guard()], configurations: [], rules: [rule()] }]] });

    expect(plan).toMatchObject(expected);
  });

  it('given consent that leaves the rule out, then it is not wanted', () => {
    const { plan } = guarded({
      guard: guard({ consent: ['root:compute:other'], names: [entry()] }),
      rule: rule(),
      then: (registry) => registry.pathResolved(path('root:compute:other'), name('other1')),
    });

    expect(plan).toEqual({ do: 'withdraw', guard: 'none', unbinding: false });
  });

  it('given guards that the endpoint has not listed, then nothing is decided', () => {
    const { plan } = world({ endpoints: [a], shows: [[a, { bindings: [binding()], rules: [rule()] }]] });

    expect(plan).toMatchObject({ do: 'wait' });
  });

  it('given a shard whose URL changed, then its workspaces are written to at the new one, once that has listed what is there', () => {
    const bindings = [binding(), binding({ cluster: 'compute1', path: 'root:compute' })];
    const then = (writer: RegistryWriter) => writer.endpointsRead([b]);
    const before = { bindings, guards: [guard({ names: [entry()] })], configurations: [configuration()], rules: [rule()] };
    const listing = world({
      endpoints: [a, b],
      shows: [
        [a, before],
        [b, { bindings }],
      ],
      then,
    });
    const all = world({
      endpoints: [a, b],
      shows: [
        [a, before],
        [b, { ...before, configurations: [] }],
      ],
      then,
    });

    expect([listing.facts.endpoint, listing.plan.do]).toEqual([b, 'wait']);
    expect([all.facts.endpoint, all.plan.do]).toEqual([b, 'protect']);
    expect(all.facts.configuration).toBeUndefined();
  });

  it('given our configuration, then the facts say what it guards', () => {
    const { facts } = world({
      endpoints: [a],
      shows: [[a, { bindings: [binding()], guards: [guard()], configurations: [guarding(configuration())], rules: [] }]],
    });

    expect(facts.configured).toEqual([VPCS]);
  });

  it('given a configuration of another installation and no rule, then it is nobody’s business', () => {
    const theirs = guarding(configuration({ owner: 'someone' }));
    const { facts, plan } = world({
      endpoints: [a],
      shows: [[a, { bindings: [binding()], guards: [], configurations: [theirs], rules: [] }]],
    });

    expect([facts.configured, plan.do]).toEqual([undefined, 'rest']);
  });
});

/** A configuration that guards VPCs. */
function guarding({ object, ...at }: Observed): Observed {
  const { webhooks } = desiredWebhooks([VPCS], { guardedCluster: network, webhookUrl: 'https://dep-ctrl.example.com/validate' });
  return { ...at, object: { ...object, webhooks } };
}

interface World {
  readonly endpoints: readonly VirtualWorkspaceUrl[];
  /** What kcp answered about a path, where that is not which workspace it is of. */
  readonly resolutionOf?: (asked: WorkspacePath) => Resolution | undefined;
  readonly shows: readonly (readonly [VirtualWorkspaceUrl, Partial<Record<SeenKind, readonly Observed[]>>])[];
  readonly then?: (registry: RegistryWriter) => unknown;
}

/** What is known after the endpoints have listed what they show, and what is planned for the network workspace. */
function world({ endpoints, shows, then, resolutionOf = () => FORBIDDEN }: World): {
  readonly facts: GatheredFacts;
  readonly plan: WorkspacePlan;
} {
  const source = new FedSource();
  const { reader, writer, seen } = source;
  source.name(...endpoints);
  writer.pathResolved(path('root:network'), network);
  writer.pathResolved(path('root:compute'), name('compute1'));
  for (const [at, kinds] of shows) {
    for (const [kind, objects] of Object.entries(kinds)) source.list(at, kind as SeenKind, ...objects);
  }
  then?.(writer);
  const facts = gatherFacts(network, { registry: reader, seen, exportName: EXPORT, resolutionOf });
  return { facts, plan: planWorkspace(facts) };
}

/** The network workspace, guarded, and the compute workspace with its rule, both behind one endpoint. */
function guarded({
  guard: guards,
  rule: listed,
  then,
}: Pick<World, 'then'> & { readonly guard: Observed; readonly rule: Observed | undefined }) {
  const bindings = [binding(), binding({ cluster: 'compute1', path: 'root:compute' })];
  const shows = { bindings, guards: [guards], configurations: [configuration()], rules: listed === undefined ? [] : [listed] };
  return world({ endpoints: [a], shows: [[a, shows]], ...(then !== undefined && { then }) });
}
