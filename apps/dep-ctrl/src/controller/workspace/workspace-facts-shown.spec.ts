import { describe, expect, it } from '@jest/globals';
import type { RegistryWriter } from '@dep-ctrl/rule-registry';
import { parseVirtualWorkspaceUrl, type Observed, type VirtualWorkspaceUrl } from '@dep-ctrl/kcp-client';
import { elements } from '@dep-ctrl/kcp-names';
import { refusingAll } from '../../own-objects/handed-over.js';
import { binding, configuration, entry, guard, rule } from '../../rules/spec-support/objects.js';
import type { GuardedResource } from '../configuration/desired-webhooks.js';
import type { WorkspacePlan } from './plan-workspace.js';
import { a, b, guarding, NOTHING, VPCS, world, type Shows, type World } from './spec-support/network-workspace.js';

describe('the facts that follow from what endpoints show of a workspace', () => {
  it.each<{ given: string; bindings: Observed[]; expected: Partial<WorkspacePlan> }>([
    { given: 'a binding on its way out', bindings: [binding({ deleting: true })], expected: { do: 'withdraw' } },
    { given: 'a rejected claim', bindings: [binding({ claim: 'Rejected' })], expected: { do: 'protect' } },
  ])('given $given, then the plan is to $expected.do', ({ bindings, expected }) => {
    const { plan } = world({ endpoints: [a], shows: [[a, { bindings, guards: [guard()], configurations: [], rules: [rule()] }]] });

    expect(plan).toMatchObject(expected);
  });

  it.each<{ given: string; others: Shows }>([
    { given: 'neither guards nor configurations', others: {} },
    { given: 'guards and no configurations', others: { guards: [guard()] } },
    { given: 'configurations and no guards', others: { configurations: [configuration()] } },
  ])('given an endpoint that has listed $given, then nothing is decided', ({ others }) => {
    const { facts, plan } = world({ endpoints: [a], shows: [[a, { bindings: [binding()], rules: [rule()], ...others }]] });

    expect([facts.guard.state, plan.do]).toEqual(['unread', 'wait']);
  });

  it('given nothing of the workspace while an endpoint is not read, then nothing is decided: that one may serve it', () => {
    const { facts, plan } = world({ endpoints: [a, b], shows: [[a, NOTHING]] });

    expect([facts.binding, facts.endpoint, plan.do]).toEqual(['unread', undefined, 'wait']);
  });

  it('given nothing of the workspace at any endpoint, then it does not bind the export, and nothing is to be done', () => {
    const { facts, plan } = world({ endpoints: [a], shows: [[a, NOTHING]] });

    expect(facts).toMatchObject({ binding: 'not-bound', guard: { state: 'absent' }, isHandedOver: false, unproven: [], unseen: [] });
    expect([facts.endpoint, plan.do]).toEqual([undefined, 'rest']);
  });

  it('given a binding of another export, then the workspace does not bind this one', () => {
    const { cluster, object } = binding();
    const other = { cluster, object: { ...object, spec: { reference: { export: { path: 'root:other', name: 'other.example.com' } } } } };
    const { facts } = world({ endpoints: [a], shows: [[a, { ...NOTHING, bindings: [other] }]] });

    expect([facts.binding, facts.endpoint]).toEqual(['not-bound', undefined]);
  });

  it('given a configuration in a workspace that binds the export no more, then it goes, through the endpoint that shows it', () => {
    const { facts, plan } = world({ endpoints: [a], shows: [[a, { ...NOTHING, configurations: [guarding(configuration())] }]] });

    expect(facts).toMatchObject({ binding: 'not-bound', endpoint: a, configured: [VPCS] });
    expect(plan).toEqual({ do: 'withdraw', guard: 'none', unbinding: false });
  });

  it.each<{ given: string; endpoints: World['endpoints']; then: readonly VirtualWorkspaceUrl[] | undefined }>([
    { given: 'an endpoint that vanishes from the slice', endpoints: [a, b], then: [b] },
    { given: 'a slice that was not read yet', endpoints: 'unread', then: undefined },
  ])('given $given, then what it showed of the workspace counts: nothing is taken away', ({ endpoints, then }) => {
    const named = [entry({ uid: 'compute1-vms', generation: 1 })];
    const bindings = [binding(), binding({ cluster: 'compute1', path: 'root:compute' })];
    const shown = { bindings, guards: [guard({ names: named })], configurations: [guarding(configuration())], rules: [rule()] };
    const { facts, plan } = world({
      endpoints,
      shows: [
        [a, shown],
        [b, NOTHING],
      ],
      then: (writer) => then && writer.endpointsRead(then),
    });

    expect(plan).toEqual({ do: 'protect', entries: named, also: [] });
    expect(facts).toMatchObject({ endpoint: a, binding: 'accepted', configured: [VPCS], guard: { state: 'present' } });
  });

  it.each<{ given: string; listed: Shows }>([
    { given: 'shows the new binding', listed: {} },
    { given: 'has listed everything', listed: { guards: [], configurations: [], rules: [] } },
  ])(
    'given a workspace that was bound anew after its shard got another URL, when that one $given, then the old binding counts no more',
    ({ listed }) => {
      const before = { ...NOTHING, bindings: [binding({ name: 'before', deleting: true })], configurations: [configuration()] };
      const { facts } = world({
        endpoints: [a, b],
        shows: [
          [a, before],
          [b, { bindings: [binding({ name: 'after' })], ...listed }],
        ],
        then: (writer) => writer.endpointsRead([b]),
      });

      expect(facts).toMatchObject({ endpoint: b, binding: 'accepted' });
      expect(facts.configuration).toBeUndefined();
    },
  );

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

  it.each<{ given: string; at: VirtualWorkspaceUrl; expected: readonly GuardedResource[] | undefined }>([
    { given: 'an endpoint of the export', at: a, expected: [VPCS] },
    {
      given: 'an endpoint whose URL does not say where the export is',
      at: urlOf('https://a:6443/services/elsewhere'),
      expected: undefined,
    },
  ])('given a configuration of the original dependency-controller at $given, then it would be adopted: $expected', ({ at, expected }) => {
    const { cluster, object } = guarding(configuration());
    const { labels: _, ...metadata } = object.metadata;
    const original = { cluster, object: { ...object, metadata, webhooks: elements(object['webhooks']).slice(0, 1) } };
    const { facts } = world({ endpoints: [at], shows: [[at, { ...NOTHING, bindings: [binding()], configurations: [original] }]] });

    expect(facts.configured).toEqual(expected);
  });

  it('given a configuration that was handed over and refuses everything, then a person has to say that the rules are back', () => {
    const { cluster, object } = guarding(configuration());
    const handedOver = { cluster, object: refusingAll(object) };
    const { facts, plan } = world({
      endpoints: [a],
      shows: [[a, { ...NOTHING, bindings: [binding()], configurations: [handedOver] }]],
    });

    expect([facts.isHandedOver, plan.do]).toEqual([true, 'wait']);
  });
});

function urlOf(text: string): VirtualWorkspaceUrl {
  const url = parseVirtualWorkspaceUrl(text);
  if (!url.ok) throw new Error(url.problem);
  return url.value;
}
